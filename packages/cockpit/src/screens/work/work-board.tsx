// Work as a board: a column for each state. Cards are dragged, or lifted and moved by the keyboard; a column that may
// not take one says why.
import type { WorkRecord } from '@parley/sdk'
import { useState } from 'react'
import { text } from '../../text'
import { BoardColumn } from './board-column'
import { type Column, columns, stateOf, whyNot } from './moves'
import { useMove } from './use-move'
import { useWorkFilter, WorkFilters } from './work-filters'

/** A card that is on its way, and the column that it is over. */
export interface Carried {
  readonly record: WorkRecord
  readonly over: Column | undefined
}

export interface Carrying {
  readonly carried: Carried | undefined
  lift(record: WorkRecord, over?: Column): void
  over(column: Column | undefined): void
  /** By so many columns to the end of the line, or to its beginning. */
  step(by: number): void
  drop(): void
  leave(): void
  move(record: WorkRecord, to: Column): void
}

export function WorkBoard({ shown }: { shown: string | undefined }) {
  const { recordState: _, ...filter } = useWorkFilter()
  const move = useMove(filter)
  const [carried, setCarried] = useState<Carried>()
  const carrying: Carrying = {
    carried,
    lift: (record, over) => setCarried({ record, over }),
    over: (column) => setCarried((was) => (was === undefined || was.over === column ? was : { ...was, over: column })),
    step: (by) =>
      setCarried((was) => {
        const place = columns.findIndex((one) => one === was?.over) + by
        return was && { ...was, over: columns[Math.max(0, Math.min(place, columns.length - 1))] }
      }),
    drop: () => {
      const to = carried?.over
      setCarried(undefined)
      if (carried && to && whyNot(stateOf(carried.record), to) === undefined)
        move.mutate({ record: carried.record, to })
    },
    leave: () => setCarried(undefined),
    move: (record, to) => move.mutate({ record, to }),
  }
  return (
    <>
      <WorkFilters hasState={false} />
      <p role="status" className="min-h-5 px-4 text-xs text-muted sm:px-6">
        {carried && said(carried)}
      </p>
      <div
        tabIndex={0}
        role="region"
        aria-label={text.work.board}
        className="scroll-quiet flex min-h-0 flex-1 gap-3 overflow-x-auto px-4 pb-4 sm:px-6"
      >
        {columns.map((state) => (
          <BoardColumn key={state} state={state} filter={filter} shown={shown} carrying={carrying} />
        ))}
      </div>
    </>
  )
}

function said({ record, over }: Carried): string {
  const from = stateOf(record)
  if (over === undefined || over === from) return text.work.carry(record.title)
  return whyNot(from, over) ?? text.work.carrying(record.title, text.work.states[over])
}
