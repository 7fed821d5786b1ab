// A dialog over the page: named, closed by esc, and the focus goes back to where it was.
import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { text } from '../text'

interface DialogProps {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
  readonly wide?: boolean
}

export function Dialog({ title, isOpen, onClose, children, wide = false }: DialogProps) {
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => open || onClose()}>
      <Base.Portal>
        <Base.Backdrop className="appear fixed inset-0 z-40 bg-shade" />
        <Base.Popup
          className={`appear fixed inset-x-0 top-[10vh] z-40 mx-auto flex max-h-[80vh] w-[calc(100%-2rem)] flex-col rounded-lg border border-line bg-raised shadow-float ${wide ? 'max-w-3xl' : 'max-w-md'}`}
        >
          <header className="flex items-center justify-between gap-4 border-b border-line py-2.5 ps-5 pe-3">
            <Base.Title className="text-base font-semibold">{title}</Base.Title>
            <Base.Close className="rounded-md p-1.5 text-muted hover:bg-hover" aria-label={text.close}>
              <X size={16} />
            </Base.Close>
          </header>
          <div className="scroll-quiet overflow-auto p-5">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
