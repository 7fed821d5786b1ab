// Moving work to another state: shown at once, told to the service, taken back when it refuses or on undo. Moves are
// sent one after the other, so a card may be moved on before the service has answered.
import type { RecordState } from '@parley/contract/states'
import type { Page, WorkRecord } from '@parley/sdk'
import { type InfiniteData, type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
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
  const boardKey = [...key, 'work', 'board']
  // The version that a move has made of another. A card that is moved on before it is read anew still shows the former.
  const [ownMoves] = useState(() => new Map<string, number>())
  const latest = (id: string, version: number): number => {
    const made = ownMoves.get(`${id} ${version}`)
    return made === undefined ? version : latest(id, made)
  }
  // What waits its turn is shown already; only the last one asks how things stand.
  const refresh = () =>
    queries.isMutating({ mutationKey: boardKey }) === 1 && queries.invalidateQueries({ queryKey: [...key, 'work'] })
  const onError = (error: unknown) => toast(explain(error), { tone: 'danger' })
  const inTurn = { mutationKey: boardKey, scope: { id: boardKey.join(' ') }, onError, onSettled: refresh }
  const back = useMutation({
    ...inTurn,
    mutationFn: async ({ id, moves }: { id: string; moves: readonly RecordState[] }) => {
      for (const recordState of moves) await parley.workRecords.update(id, { recordState })
    },
  })
  const change = (state: string, edit: (rows: readonly WorkRecord[]) => WorkRecord[], by: number) =>
    queries.setQueryData<Pages>(columnKey(key, state, filter), (data) => data && edited(data, edit, by))
  return useMutation({
    ...inTurn,
    mutationFn: async ({ record: { id, version }, to }: { record: WorkRecord; to: RecordState }) => {
      const seen = latest(id, version)
      const moved = await parley.workRecords.update(id, { recordState: to }, { ifMatch: seen })
      ownMoves.set(`${id} ${seen}`, moved.version)
    },
    onMutate: async ({ record, to }) => {
      await queries.cancelQueries({ queryKey: boardKey })
      change(record.recordState, (rows) => rows.filter(({ id }) => id !== record.id), -1)
      change(to, (rows) => [{ ...record, recordState: to }, ...rows], 1)
    },
    onSuccess: (_, { record, to }) => {
      const moves = wayBack(stateOf(record), to)
      // Its last move is the one to undo, so the note of the one before goes.
      toast(text.work.moved(record.title, text.work.states[to]), {
        id: `move ${record.id}`,
        undo: () => back.mutate({ id: record.id, moves }),
      })
    },
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
