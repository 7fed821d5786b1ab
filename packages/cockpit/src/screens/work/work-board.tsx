// Work as a board: a column for each state, moved by choosing where to.
import { canMove, type RecordState, recordStateMoves, recordStates } from '@parley/contract/states'
import type { WorkRecord } from '@parley/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePlace } from '../../api/place'
import { toast } from '../../frame/toasts'
import { text } from '../../text'
import { GoLink } from '../../ui/go-link'
import { Moment } from '../../ui/moment'
import { explain, Waiting } from '../../ui/states'
import { sentence } from '../../ui/words'
import { useWorkFilter, WorkFilters } from './work-filters'

const columns = ['active', 'blocked', 'completed', 'canceled'] as const

export function WorkBoard({ shown }: { shown: string | undefined }) {
  return (
    <>
      <WorkFilters hasState={false} />
      <div
        tabIndex={0}
        role="region"
        aria-label={text.work.board}
        className="scroll-quiet flex min-h-0 flex-1 gap-3 overflow-x-auto px-4 pb-4 sm:px-6"
      >
        {columns.map((state) => (
          <Column key={state} state={state} shown={shown} />
        ))}
      </div>
    </>
  )
}

function Column({ state, shown }: { state: (typeof columns)[number]; shown: string | undefined }) {
  const { parley, key } = usePlace()
  const { recordState: _, ...filter } = useWorkFilter()
  const { data } = useQuery({
    queryKey: [...key, 'work', 'board', state, filter],
    queryFn: ({ signal }) =>
      parley.workRecords
        .list({ ...filter, recordState: state, limit: 100, count: true }, { signal })
        .then((page) => page),
  })
  return (
    <section className="flex min-w-60 flex-1 flex-col rounded-md bg-hover">
      <h2 className="flex justify-between px-3 py-2 font-semibold">
        {text.work.states[state]} <span className="figures font-normal text-muted">{data?.count}</span>
      </h2>
      {data === undefined && <Waiting rows={3} />}
      <ul className="scroll-quiet grid min-h-0 content-start gap-2 overflow-auto px-2 pb-2">
        {data?.data.map((record) => (
          <Card key={record.id} record={record} isShown={record.id === shown} />
        ))}
      </ul>
    </section>
  )
}

const isState = (value: string): value is RecordState => recordStates.some((one) => one === value)

function Card({ record, isShown }: { record: WorkRecord; isShown: boolean }) {
  const { at, parley, key } = usePlace()
  const queries = useQueryClient()
  const { id, title, number, status, createdAt, recordState, version } = record
  const from = isState(recordState) ? recordState : 'active'
  const move = useMutation({
    mutationFn: (to: string) => parley.workRecords.update(id, { recordState: to }, { ifMatch: version }),
    onError: (error) => toast(explain(error), { tone: 'danger' }),
    onSettled: () => queries.invalidateQueries({ queryKey: [...key, 'work'] }),
  })
  const targets = recordStates.filter((to) => canMove(recordStateMoves, from, to))
  return (
    <li className={`rounded-md border bg-surface p-2.5 ${isShown ? 'border-accent' : 'border-line'}`}>
      <GoLink href={at('work', 'board', id) + location.search} className="block font-medium hover:underline">
        {title}
      </GoLink>
      <p className="flex justify-between gap-2 py-1 text-xs text-muted">
        <span className="truncate">
          {number} · {sentence(status)}
        </span>
        <Moment at={createdAt} />
      </p>
      <select
        aria-label={text.work.moveTo(title)}
        value=""
        disabled={move.isPending}
        onChange={({ target }) => move.mutate(target.value)}
        className="h-7 w-full rounded-sm border border-line bg-surface px-1 text-muted max-sm:h-10"
      >
        <option value="">{text.work.move}</option>
        {targets.map((to) => (
          <option key={to} value={to}>
            {text.work.states[to]}
          </option>
        ))}
      </select>
    </li>
  )
}
