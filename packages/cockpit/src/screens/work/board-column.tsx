// One column of the board: its cards, page after page, and whether it takes the one that is on its way.
import type { WorkRecord } from '@parley/sdk'
import { usePlace } from '../../api/place'
import { text } from '../../text'
import { Rows, useEndless } from '../../ui/rows'
import { Failure, Waiting } from '../../ui/states'
import { BoardCard } from './board-card'
import { type Column, stateOf, whyNot } from './moves'
import { columnKey } from './use-move'
import type { Carrying } from './work-board'
import type { WorkFilter } from './work-filters'

interface ColumnProps {
  readonly state: Column
  readonly filter: WorkFilter
  readonly shown: string | undefined
  readonly carrying: Carrying
}

const CARD_PX = 112

export function BoardColumn({ state, filter, shown, carrying }: ColumnProps) {
  const { parley, key } = usePlace()
  const list = useEndless<WorkRecord>(columnKey(key, state, filter), (page, signal) =>
    parley.workRecords.list({ ...filter, recordState: state, count: true, ...page }, { signal }),
  )
  const { carried } = carrying
  const from = carried && stateOf(carried.record)
  const refusal = from === undefined || from === state ? undefined : whyNot(from, state)
  const isOver = carried?.over === state
  const look = isOver && refusal === undefined ? 'outline-2 outline-accent' : refusal !== undefined ? 'opacity-60' : ''
  return (
    <section
      data-column={state}
      onDragOver={(event) => {
        if (carried === undefined) return
        carrying.over(state)
        if (refusal === undefined) event.preventDefault()
      }}
      onDrop={(event) => {
        event.preventDefault()
        carrying.drop()
      }}
      className={`relative flex min-w-60 flex-1 flex-col rounded-md bg-hover outline-offset-[-2px] ${look}`}
    >
      <h2 className="flex justify-between px-3 py-2 font-semibold">
        {text.work.states[state]} <span className="figures font-normal text-muted">{list.data?.pages[0]?.count}</span>
      </h2>
      {isOver && refusal !== undefined && (
        <p className="mx-2 mb-2 rounded-md bg-warning-soft px-2.5 py-1.5 text-warning">{refusal}</p>
      )}
      {list.isPending && <Waiting rows={3} />}
      {list.isError && <Failure error={list.error} onRetry={() => void list.refetch()} />}
      {list.isSuccess && list.rows.length === 0 && <p className="px-3 pb-3 text-muted">{text.work.emptyColumn}</p>}
      {list.rows.length > 0 && (
        <Rows
          rows={list.rows}
          rowHeight={CARD_PX}
          label={text.work.states[state]}
          hasMore={list.hasNextPage}
          onMore={() => void list.fetchNextPage()}
          onTop={list.onTop}
        >
          {(record) => <BoardCard record={record} isShown={record.id === shown} carrying={carrying} />}
        </Rows>
      )}
    </section>
  )
}
