// One row of the inbox: who, what, when; a dot while nobody has looked.
import type { ReactNode } from 'react'
import { text } from '../../text'
import { GoLink } from '../../ui/go-link'
import { Moment } from '../../ui/moment'

interface InboxRowProps {
  readonly href: string
  readonly who: string
  readonly line: string
  readonly at: string
  readonly isShown: boolean
  readonly isNew: boolean
  /** How many nobody has seen. */
  readonly count?: number
  readonly icon?: ReactNode
}

export function InboxRow({ href, who, line, at, isShown, isNew, count = 0, icon }: InboxRowProps) {
  return (
    <GoLink
      href={href}
      aria-current={isShown ? 'true' : undefined}
      className={`mx-2 my-0.5 flex h-14 items-center gap-2.5 rounded-md px-2.5 ${isShown ? 'bg-accent-soft' : 'hover:bg-hover'}`}
    >
      <span aria-hidden className={`size-1.5 shrink-0 rounded-full ${isNew ? 'bg-accent' : ''}`} />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline justify-between gap-2">
          <span className={`truncate ${isNew ? 'font-semibold' : 'font-medium'}`}>
            {who}
            {isNew && <span className="sr-only"> {text.inbox.unread}</span>}
          </span>
          <Moment at={at} className="text-xs text-muted" />
        </span>
        <span className="flex items-center gap-1.5 text-muted">
          {icon}
          <span className={`min-w-0 flex-1 truncate ${isNew ? 'text-ink' : ''}`}>{line}</span>
          {count > 1 && (
            <span className="figures rounded-full bg-accent-soft px-1.5 text-xs font-semibold text-accent">
              {count}
            </span>
          )}
        </span>
      </span>
    </GoLink>
  )
}
