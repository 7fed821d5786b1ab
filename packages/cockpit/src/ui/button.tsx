// Buttons: one primary act on a screen, quiet ones for the rest. A disabled one says why.
import type { ButtonHTMLAttributes, ReactNode } from 'react'

const looks = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong border-transparent',
  plain: 'bg-surface border-line-strong hover:bg-hover text-ink',
  quiet: 'border-transparent text-muted hover:bg-hover hover:text-ink',
  danger: 'bg-surface border-line-strong text-danger hover:bg-danger-soft',
} as const

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: keyof typeof looks
  readonly icon?: ReactNode
  /** The key that does the same. */
  readonly hint?: string
  /** Why it cannot be pressed now. */
  readonly because?: string | undefined
}

export function Button({ look = 'plain', icon, hint, because, children, className = '', ...rest }: ButtonProps) {
  const size = children === undefined ? 'w-8 justify-center max-sm:w-11' : 'px-3'
  return (
    <button
      type="button"
      {...rest}
      title={because ?? rest.title}
      disabled={rest.disabled === true || because !== undefined}
      className={`inline-flex h-8 shrink-0 items-center gap-1.5 rounded-md border font-medium whitespace-nowrap transition-colors duration-100 max-sm:h-11 disabled:opacity-60 ${looks[look]} ${size} ${className}`}
    >
      {icon}
      {children}
      {hint !== undefined && <Hint look={look}>{hint}</Hint>}
    </button>
  )
}

const Hint = ({ look, children }: { look: keyof typeof looks; children: string }) => (
  <kbd
    aria-hidden
    className={`ms-1 font-mono text-xs font-normal max-sm:hidden ${look === 'primary' ? 'text-on-accent' : 'text-muted'}`}
  >
    {children}
  </kbd>
)
