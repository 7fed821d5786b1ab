// Changes all work that is chosen, each only as it was seen, says which could not be, and puts them back on undo.
import type { RecordState } from '@parley/contract/states'
import type { WorkRecord } from '@parley/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { usePlace } from '../../api/place'
import { toast } from '../../frame/toasts'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { explain } from '../../ui/states'
import { stateOf, wayBack, whyNot } from './moves'

const bulkStates = ['active', 'blocked', 'completed', 'canceled'] as const
/** So many at a time: a browser has six connections, and others need some. */
const AT_ONCE = 4

interface Outcome {
  readonly record: WorkRecord
  /** Why it stayed as it was. */
  readonly refusal?: string
}

/** All in turn, a few at a time. */
async function each<T, R>(items: readonly T[], act: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let at = 0; at < items.length; at += AT_ONCE)
    results.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(act))))
  return results
}

export function BulkBar({ records, onDone }: { records: readonly WorkRecord[]; onDone: () => void }) {
  const { parley, key } = usePlace()
  const queries = useQueryClient()
  const refresh = () => queries.invalidateQueries({ queryKey: [...key, 'work'] })
  const move = async (record: WorkRecord, to: RecordState): Promise<Outcome> => {
    const refusal = whyNot(stateOf(record), to)
    if (refusal !== undefined) return { record, refusal }
    return parley.workRecords.update(record.id, { recordState: to }, { ifMatch: record.version }).then(
      () => ({ record }),
      (error: unknown) => ({ record, refusal: explain(error) }),
    )
  }
  const back = (changed: readonly Outcome[], to: RecordState) =>
    each(changed, async ({ record }) => {
      for (const recordState of wayBack(stateOf(record), to))
        await parley.workRecords.update(record.id, { recordState })
    })
      .catch((error: unknown) => toast(explain(error), { tone: 'danger' }))
      .finally(refresh)
  const change = useMutation({
    mutationFn: (to: RecordState) => each(records, (record) => move(record, to)),
    onSuccess: (outcomes, to) => {
      const refused = outcomes.filter(({ refusal }) => refusal !== undefined)
      const changed = outcomes.filter(({ refusal }) => refusal === undefined)
      if (refused.length > 0) toast(text.work.notChanged(refused.length, refused[0]?.refusal ?? ''), { tone: 'danger' })
      if (changed.length > 0) toast(text.work.changed(changed.length), { undo: () => void back(changed, to) })
      onDone()
    },
    onSettled: refresh,
  })
  return (
    <div className="flex flex-wrap items-center gap-2 border-y border-line bg-accent-soft px-4 py-1.5 sm:px-6">
      <span className="font-medium text-accent-strong">{text.work.chosen(records.length)}</span>
      {bulkStates.map((state) => {
        const reasons = records.map((record) => whyNot(stateOf(record), state))
        const because = reasons.every((reason) => reason !== undefined) ? reasons[0] : undefined
        return (
          <Button key={state} because={because} disabled={change.isPending} onClick={() => change.mutate(state)}>
            {text.work.markAs[state]}
          </Button>
        )
      })}
      <Button look="quiet" onClick={onDone}>
        {text.cancel}
      </Button>
    </div>
  )
}
