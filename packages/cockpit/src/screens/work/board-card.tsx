// A card of the board: dragged by the pointer, lifted by its handle with the keyboard, or sent by choosing a state.
import { canMove, recordStateMoves } from '@parley/contract/states'
import type { WorkRecord } from '@parley/sdk'
import { GripVertical } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { usePlace } from '../../api/place'
import { text } from '../../text'
import { GoLink } from '../../ui/go-link'
import { Moment } from '../../ui/moment'
import { sentence } from '../../ui/words'
import { columns, stateOf } from './moves'
import type { Carrying } from './work-board'

interface CardProps {
  readonly record: WorkRecord
  readonly isShown: boolean
  readonly carrying: Carrying
}

export function BoardCard({ record, isShown, carrying }: CardProps) {
  const { at } = usePlace()
  const { id, title, number, status, createdAt } = record
  const from = stateOf(record)
  const isCarried = carrying.carried?.record.id === id
  const edge = isShown || isCarried ? 'border-accent' : 'border-line'
  return (
    <div
      draggable
      onDragStart={({ dataTransfer }) => {
        dataTransfer.effectAllowed = 'move'
        dataTransfer.setData('text/plain', title)
        carrying.lift(record)
      }}
      onDragEnd={carrying.leave}
      className={`mx-2 flex h-26 flex-col gap-1 rounded-md border bg-surface p-2.5 ${edge} ${isCarried ? 'opacity-70' : ''}`}
    >
      <div className="flex items-start gap-1">
        <GoLink
          href={at('work', 'board', id) + location.search}
          title={title}
          draggable={false}
          className="min-w-0 flex-1 truncate font-medium hover:underline"
        >
          {title}
        </GoLink>
        <Handle record={record} carrying={carrying} isCarried={isCarried} />
      </div>
      <p className="flex justify-between gap-2 text-xs text-muted">
        <span className="truncate">
          {number} · {sentence(status)}
        </span>
        <Moment at={createdAt} />
      </p>
      <select
        aria-label={text.work.moveTo(title)}
        value=""
        onChange={({ target }) => {
          const to = columns.find((one) => one === target.value)
          if (to) carrying.move(record, to)
        }}
        className="mt-auto h-7 w-full rounded-sm border border-line bg-surface px-1 text-muted"
      >
        <option value="">{text.work.move}</option>
        {columns
          .filter((to) => canMove(recordStateMoves, from, to))
          .map((to) => (
            <option key={to} value={to}>
              {text.work.states[to]}
            </option>
          ))}
      </select>
    </div>
  )
}

/** Space lifts, arrows choose a column, enter or space puts down, esc leaves it. */
function Handle({ record, carrying, isCarried }: Omit<CardProps, 'isShown'> & { isCarried: boolean }) {
  const onKeyDown = (event: KeyboardEvent) => {
    const forward = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1
    const acts: Record<string, () => void> = isCarried
      ? {
          ArrowRight: () => carrying.step(forward),
          ArrowLeft: () => carrying.step(-forward),
          Enter: carrying.drop,
          ' ': carrying.drop,
          Escape: carrying.leave,
        }
      : {
          ' ': () =>
            carrying.lift(
              record,
              columns.find((one) => one === record.recordState),
            ),
        }
    const act = acts[event.key]
    if (act === undefined) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }
  return (
    <button
      type="button"
      aria-label={text.work.carry(record.title)}
      aria-pressed={isCarried}
      onKeyDown={onKeyDown}
      onBlur={() => isCarried && carrying.leave()}
      className="-m-1 grid size-6 shrink-0 cursor-grab place-items-center rounded-sm text-muted hover:text-ink"
    >
      <GripVertical size={14} aria-hidden />
    </button>
  )
}
