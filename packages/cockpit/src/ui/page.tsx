// A page with a title, what can be done on it, and its parts as tabs with addresses of their own.
import { type ReactNode, useEffect, useRef } from 'react'
import { useGo } from '../api/place'
import { useKeys } from '../frame/keys'
import { text } from '../text'
import { GoLink } from './go-link'

interface PageProps {
  readonly title: string
  readonly actions?: ReactNode
  readonly tabs?: readonly (readonly [href: string, label: string, isCurrent: boolean])[]
  readonly children: ReactNode
}

export function Page({ title, actions, tabs, children }: PageProps) {
  const bar = useRef<HTMLElement>(null)
  const go = useGo()
  useKeys(
    (tabs ?? []).map(([href, label]) => ({
      key: '',
      label: text.keys.goTo(`${title}: ${label}`),
      run: () => go(href),
    })),
  )
  const current = tabs?.find(([, , isCurrent]) => isCurrent)?.[0]
  // On a phone the tabs are wider than the screen.
  useEffect(() => {
    const tab = current === undefined ? null : bar.current?.querySelector('[aria-current]')
    void tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [current])
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <header className="flex min-h-14 shrink-0 flex-wrap items-center justify-between gap-2 px-4 py-2 sm:px-6">
        <h1 className="text-lg font-semibold">{title}</h1>
        <div className="flex flex-wrap items-center gap-2">{actions}</div>
      </header>
      {tabs && (
        <nav
          ref={bar}
          aria-label={title}
          className="scroll-quiet flex shrink-0 gap-1 overflow-x-auto border-b border-line px-3 sm:px-5"
        >
          {tabs.map(([href, label, isCurrent]) => (
            <GoLink
              key={href}
              href={href}
              aria-current={isCurrent ? 'page' : undefined}
              className={`-mb-px flex h-9 shrink-0 items-center border-b-2 px-2 font-medium max-sm:h-11 ${isCurrent ? 'border-accent text-accent' : 'border-transparent text-muted hover:text-ink'}`}
            >
              {label}
            </GoLink>
          ))}
        </nav>
      )}
      {children}
    </div>
  )
}

/** The part of a page that scrolls. */
export const Body = ({ children }: { children: ReactNode }) => (
  <div className="scroll-quiet min-h-0 flex-1 overflow-auto px-4 py-5 sm:px-6">{children}</div>
)
