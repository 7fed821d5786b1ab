// The rail at the left: where one is, where one can go, and what waits there. Icons alone on narrower screens.
import { useRouterState } from '@tanstack/react-router'
import { BookOpen, Search } from 'lucide-react'
import { text } from '../text'
import { GoLink } from '../ui/go-link'
import { EnvironmentSwitch } from './environment-switch'
import { type Screen, useCounts, useScreens } from './screens'
import { UserMenu } from './user-menu'

export function Rail({ onSearch, onKeys }: { onSearch: () => void; onKeys: () => void }) {
  const screens = useScreens()
  const counts = useCounts()
  const current = useRouterState({ select: ({ location }) => location.pathname.split('/')[4] })
  const entry = (screen: Screen) => (
    <Entry key={screen.name} screen={screen} isCurrent={screen.name === current} count={counts[screen.name]} />
  )
  return (
    <nav
      aria-label={text.navigation}
      className="flex w-14 shrink-0 flex-col gap-1 border-e border-line bg-canvas p-2 max-sm:hidden lg:w-[220px] lg:p-3"
    >
      <EnvironmentSwitch />
      <button
        type="button"
        onClick={onSearch}
        className="my-2 flex h-8 items-center gap-2 rounded-md border border-line bg-surface px-2.5 text-muted hover:border-line-strong max-lg:justify-center max-lg:px-0"
      >
        <Search size={15} aria-hidden />
        <span className="max-lg:sr-only">{text.search}</span>
        <kbd className="ms-auto font-mono text-xs max-lg:hidden">{text.commandKey}</kbd>
      </button>
      {screens.filter(({ isAside }) => !isAside).map(entry)}
      <hr className="my-2 border-line" />
      {screens.filter(({ isAside }) => isAside).map(entry)}
      <a
        href="/docs"
        title={text.documentation}
        className="flex h-9 items-center gap-2.5 rounded-md px-2.5 font-medium text-muted hover:bg-hover hover:text-ink max-lg:justify-center max-lg:px-0"
      >
        <BookOpen size={17} aria-hidden strokeWidth={1.9} />
        <span className="max-lg:sr-only">{text.documentation}</span>
      </a>
      <div className="mt-auto">
        <UserMenu onKeys={onKeys} />
      </div>
    </nav>
  )
}

interface EntryProps {
  readonly screen: Screen
  readonly isCurrent: boolean
  readonly count: number | undefined
}

function Entry({ screen: { label, icon: Icon, href, name }, isCurrent, count }: EntryProps) {
  const look = isCurrent ? 'bg-accent-soft text-accent' : 'text-muted hover:bg-hover hover:text-ink'
  const hasCount = count !== undefined && count > 0
  return (
    <GoLink
      href={href}
      title={label}
      aria-current={isCurrent ? 'page' : undefined}
      className={`relative flex h-9 items-center gap-2.5 rounded-md px-2.5 font-medium max-lg:justify-center max-lg:px-0 ${look}`}
    >
      <Icon size={17} aria-hidden strokeWidth={1.9} />
      <span className="max-lg:sr-only">{label}</span>
      {hasCount && (
        <span
          className={`figures ms-auto inline-flex min-w-5 items-center justify-center gap-1 rounded-full px-1.5 text-xs font-semibold max-lg:absolute max-lg:end-0 max-lg:top-0 ${name === 'live' ? 'bg-good-soft text-good' : 'bg-accent-soft text-accent'}`}
        >
          {name === 'live' && <span aria-hidden className="pulse-dot size-1.5 rounded-full bg-good max-lg:hidden" />}
          {count}
          <span className="sr-only">{text.waitingHere}</span>
        </span>
      )}
    </GoLink>
  )
}
