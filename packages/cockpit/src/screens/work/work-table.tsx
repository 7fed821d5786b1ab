// Work as a table: number, title, status, priority, due; several at once changed together.
import type { WorkRecord } from '@parley/sdk'
import { Wrench } from 'lucide-react'
import { useState } from 'react'
import { usePlace } from '../../api/place'
import { PlayCallButton } from '../../frame/play-call'
import { text } from '../../text'
import { GoLink } from '../../ui/go-link'
import { Moment } from '../../ui/moment'
import { Rows, useEndless } from '../../ui/rows'
import { Empty, Failure, Waiting } from '../../ui/states'
import { Badge, sentence, type Tone } from '../../ui/words'
import { BulkBar } from './bulk-bar'
import { useWorkFilter, WorkFilters } from './work-filters'

export const stateTones: Readonly<Record<string, Tone>> = {
  active: 'info',
  blocked: 'warning',
  completed: 'good',
  canceled: 'neutral',
}
const urgent: Readonly<Record<string, Tone>> = { urgent: 'danger', high: 'warning' }

export function WorkTable({ shown }: { shown: string | undefined }) {
  const { parley, key } = usePlace()
  const filter = useWorkFilter()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const list = useEndless<WorkRecord>([...key, 'work', 'table', filter], (page, signal) =>
    parley.workRecords.list({ ...filter, ...page }, { signal }),
  )
  const choose = (id: string) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
  }
  return (
    <>
      <WorkFilters />
      {list.rows.length > 1 && (
        <label className="flex h-8 items-center gap-3 px-4 text-muted sm:px-6">
          <input
            type="checkbox"
            checked={list.rows.every(({ id }) => chosen.has(id))}
            onChange={({ target }) => setChosen(new Set(target.checked ? list.rows.map(({ id }) => id) : []))}
            className="size-4 accent-accent"
          />
          {text.work.chooseAll}
        </label>
      )}
      {chosen.size > 0 && (
        <BulkBar records={list.rows.filter(({ id }) => chosen.has(id))} onDone={() => setChosen(new Set())} />
      )}
      {list.isPending && <Waiting />}
      {list.isError && <Failure error={list.error} onRetry={() => void list.refetch()} />}
      {list.isSuccess && list.rows.length === 0 && (
        <Empty icon={<Wrench size={20} />} title={text.work.none} action={<PlayCallButton />}>
          {text.work.noneBody}
        </Empty>
      )}
      {list.rows.length > 0 && (
        <Rows
          rows={list.rows}
          rowHeight={40}
          label={text.screens.work}
          hasMore={list.hasNextPage}
          onMore={() => void list.fetchNextPage()}
          onTop={list.onTop}
        >
          {(record) => (
            <WorkRow
              record={record}
              isShown={record.id === shown}
              isChosen={chosen.has(record.id)}
              onChoose={() => choose(record.id)}
            />
          )}
        </Rows>
      )}
    </>
  )
}

interface WorkRowProps {
  readonly record: WorkRecord
  readonly isShown: boolean
  readonly isChosen: boolean
  readonly onChoose: () => void
}

function WorkRow({ record, isShown, isChosen, onChoose }: WorkRowProps) {
  const { at } = usePlace()
  const { id, number, title, status, priority, recordState, dueAt, createdAt } = record
  return (
    <div
      className={`mx-2 flex h-10 items-center gap-3 rounded-md px-2 sm:mx-4 ${isShown ? 'bg-accent-soft' : 'hover:bg-hover'}`}
    >
      <input
        type="checkbox"
        aria-label={text.work.choose(title)}
        checked={isChosen}
        onChange={onChoose}
        className="size-4 shrink-0 accent-accent"
      />
      <GoLink
        href={at('work', 'table', id) + location.search}
        className="flex h-full min-w-0 flex-1 items-center gap-3"
      >
        <span className="figures w-16 shrink-0 truncate font-mono text-xs text-muted max-sm:hidden">{number}</span>
        <span className="min-w-0 flex-1 truncate font-medium">{title}</span>
        {urgent[priority] && <Badge tone={urgent[priority]}>{sentence(priority)}</Badge>}
        <Badge tone={stateTones[recordState] ?? 'neutral'}>{sentence(status)}</Badge>
        <span className="w-24 text-end text-xs text-muted max-md:hidden">
          <Moment at={dueAt ?? createdAt} />
        </span>
      </GoLink>
    </div>
  )
}
