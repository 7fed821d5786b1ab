// A detail beside its list, with an address of its own: esc closes it, and on a phone it takes the screen.
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useGo } from '../api/place'
import { useKeys } from '../frame/keys'
import { useOpener } from '../frame/opener'
import { text } from '../text'
import { Button } from './button'

interface PanelProps {
  readonly label: string
  readonly title: ReactNode
  readonly actions?: ReactNode
  /** Where closing leads; filters in the address stay. */
  readonly closeTo: string
  readonly children: ReactNode
}

export function Panel({ label, title, actions, closeTo, children }: PanelProps) {
  const go = useGo()
  const opener = useOpener()
  const close = () => {
    go(closeTo + location.search)
    opener()
  }
  useKeys([{ key: 'Escape', label: text.close, run: close }])
  return (
    <aside
      aria-label={label}
      className="scroll-quiet w-full shrink-0 overflow-auto border-s border-line bg-surface md:w-[26rem] xl:w-[32rem]"
    >
      <header className="sticky top-0 z-10 flex min-h-14 items-center gap-2 border-b border-line bg-surface px-4 py-2">
        <h2 className="min-w-0 flex-1 truncate font-semibold">{title}</h2>
        {actions}
        <Button look="quiet" aria-label={text.close} icon={<X size={16} aria-hidden />} onClick={close} />
      </header>
      {children}
    </aside>
  )
}
