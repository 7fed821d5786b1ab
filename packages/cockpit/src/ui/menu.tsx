// A menu behind a button.
import { Menu as Base } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'

interface MenuProps {
  /** Says what it opens, in what it shows. */
  readonly trigger: ReactNode
  readonly triggerClass: string
  readonly children: ReactNode
  readonly side?: 'top' | 'bottom'
}

export function Menu({ trigger, triggerClass, children, side = 'bottom' }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger className={triggerClass}>{trigger}</Base.Trigger>
      <Base.Portal>
        <Base.Positioner side={side} align="start" sideOffset={6} className="z-40">
          <Base.Popup className="appear scroll-quiet max-h-[70vh] min-w-52 overflow-auto rounded-md border border-line bg-raised p-1 shadow-float">
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

interface ItemProps {
  readonly onPick: () => void
  readonly icon?: ReactNode
  readonly isCurrent?: boolean
  readonly children: ReactNode
}

export function MenuItem({ onPick, icon, isCurrent = false, children }: ItemProps) {
  return (
    <Base.Item
      onClick={onPick}
      className={`flex h-8 cursor-pointer items-center gap-2 rounded-sm px-2 max-sm:h-11 data-highlighted:bg-hover ${isCurrent ? 'font-semibold text-accent' : ''}`}
    >
      {icon}
      {children}
    </Base.Item>
  )
}

interface CheckProps {
  readonly isChecked: boolean
  readonly onCheck: (isChecked: boolean) => void
  readonly children: ReactNode
}

/** One of several that can be chosen together; the menu stays open. */
export function MenuCheck({ isChecked, onCheck, children }: CheckProps) {
  return (
    <Base.CheckboxItem
      checked={isChecked}
      onCheckedChange={onCheck}
      closeOnClick={false}
      className="flex h-8 cursor-pointer items-center gap-2 rounded-sm px-2 max-sm:h-11 data-highlighted:bg-hover"
    >
      <span className="grid size-4 place-items-center rounded-sm border border-line-strong">
        <Base.CheckboxItemIndicator>
          <Check size={12} aria-hidden className="text-accent" />
        </Base.CheckboxItemIndicator>
      </span>
      {children}
    </Base.CheckboxItem>
  )
}

export const MenuLine = () => <Base.Separator className="my-1 h-px bg-line" />

export const MenuHeading = ({ children }: { children: ReactNode }) => (
  <div className="px-2 pt-2 pb-1 text-xs font-medium text-muted">{children}</div>
)
