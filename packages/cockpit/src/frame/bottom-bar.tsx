// The rail of a phone: what one needs on the way, and the rest behind the search.
import { useRouterState } from '@tanstack/react-router'
import { Ellipsis } from 'lucide-react'
import { text } from '../text'
import { GoLink } from '../ui/go-link'
import { useCounts, useScreens } from './screens'

const SHOWN = 4

export function BottomBar({ onSearch }: { onSearch: () => void }) {
  const screens = useScreens().slice(0, SHOWN)
  const counts = useCounts()
  const current = useRouterState({ select: ({ location }) => location.pathname.split('/')[4] })
  const shape = 'relative flex h-14 flex-1 flex-col items-center justify-center gap-0.5 text-xs'
  return (
    <nav aria-label={text.navigation} className="flex shrink-0 border-t border-line bg-surface sm:hidden">
      {screens.map(({ name, label, icon: Icon, href }) => (
        <GoLink
          key={name}
          href={href}
          aria-current={name === current ? 'page' : undefined}
          className={`${shape} ${name === current ? 'font-semibold text-accent' : 'text-muted'}`}
        >
          <Icon size={19} aria-hidden strokeWidth={1.9} />
          {label}
          {(counts[name] ?? 0) > 0 && (
            <span className="figures absolute top-1.5 ms-7 min-w-4 rounded-full bg-accent px-1 text-center text-xs leading-4 text-on-accent">
              {counts[name]}
            </span>
          )}
        </GoLink>
      ))}
      <button type="button" onClick={onSearch} className={`${shape} text-muted`}>
        <Ellipsis size={19} aria-hidden />
        {text.more}
      </button>
    </nav>
  )
}
