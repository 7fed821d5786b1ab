// Moving work to another state: shown at once, told to the service, taken back when it refuses or on undo.
import type { RecordState } from '@parley/contract/states'
import type { Page, WorkRecord } from '@parley/sdk'
import { type InfiniteData, type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { usePlace } from '../../api/place'
import { toast } from '../../frame/toasts'
import { text } from '../../text'
import { explain } from '../../ui/states'
import { stateOf, wayBack } from './moves'
import type { WorkFilter } from './work-filters'

type Pages = InfiniteData<Page<WorkRecord>>

/** The list of a column of the board. */
export const columnKey = (key: QueryKey, state: string, filter: WorkFilter): QueryKey => [
  ...key,
  'work',
  'board',
  state,
  filter,
]

export function useMove(filter: WorkFilter) {
  const { parley, key } = usePlace()
  const queries = useQueryClient()
  const refresh = () => queries.invalidateQueries({ queryKey: [...key, 'work'] })
  const onError = (error: unknown) => toast(explain(error), { tone: 'danger' })
  const back = useMutation({
    mutationFn: async ({ id, moves }: { id: string; moves: readonly RecordState[] }) => {
      for (const recordState of moves) await parley.workRecords.update(id, { recordState })
    },
    onError,
    onSettled: refresh,
  })
  const change = (state: string, edit: (rows: readonly WorkRecord[]) => WorkRecord[], by: number) =>
    queries.setQueryData<Pages>(columnKey(key, state, filter), (data) => data && edited(data, edit, by))
  return useMutation({
    mutationFn: ({ record, to }: { record: WorkRecord; to: RecordState }) =>
      parley.workRecords.update(record.id, { recordState: to }, { ifMatch: record.version }),
    onMutate: async ({ record, to }) => {
      await queries.cancelQueries({ queryKey: [...key, 'work', 'board'] })
      change(record.recordState, (rows) => rows.filter(({ id }) => id !== record.id), -1)
      change(to, (rows) => [{ ...record, recordState: to }, ...rows], 1)
    },
    onSuccess: (_, { record, to }) => {
      const moves = wayBack(stateOf(record), to)
      toast(text.work.moved(record.title, text.work.states[to]), { undo: () => back.mutate({ id: record.id, moves }) })
    },
    onError,
    onSettled: refresh,
  })
}

/** The first page takes what comes, every page gives what goes. */
function edited(data: Pages, edit: (rows: readonly WorkRecord[]) => WorkRecord[], by: number): Pages {
  const pages = data.pages.map((page, index) => {
    const isTouched = by < 0 || index === 0
    const count = page.count === undefined ? undefined : page.count + by
    return { ...page, count, data: isTouched ? edit(page.data) : page.data }
  })
  return { ...data, pages }
}
