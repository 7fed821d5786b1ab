// Labelled fields of forms: text, choice, yes and no, and the words below them when something is wrong.
import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react'

const box =
  'h-8 w-full min-w-0 rounded-md border border-line-strong bg-surface px-2.5 max-sm:h-11 max-sm:text-base disabled:bg-hover disabled:text-muted focus-visible:outline-offset-0'

interface Labelled {
  readonly label: string
  readonly hideLabel?: boolean
  readonly hint?: ReactNode
  readonly error?: string | undefined
}

function Frame({ id, label, hideLabel, hint, error, children }: Labelled & { id: string; children: ReactNode }) {
  return (
    <div className="grid content-start gap-1">
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'font-medium text-muted'}>
        {label}
      </label>
      {children}
      {hint !== undefined && error === undefined && <p className="text-xs text-muted">{hint}</p>}
      {error !== undefined && (
        <p id={`${id}-error`} className="text-xs text-danger">
          {error}
        </p>
      )}
    </div>
  )
}

export function TextField({ label, hideLabel, hint, error, className = '', ...rest }: Labelled & Input) {
  const id = useId()
  const frame = { id, label, hideLabel: hideLabel ?? false, hint, error }
  return (
    <Frame {...frame}>
      <input
        id={id}
        autoComplete="off"
        {...rest}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        className={`${box} ${className}`}
      />
    </Frame>
  )
}
type Input = InputHTMLAttributes<HTMLInputElement>

/** Several lines. */
export function AreaField({ label, hideLabel, hint, error, className = '', ...rest }: Labelled & Area) {
  const id = useId()
  return (
    <Frame id={id} label={label} hideLabel={hideLabel ?? false} hint={hint} error={error}>
      <textarea
        id={id}
        rows={3}
        {...rest}
        aria-invalid={error !== undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        className={`w-full min-w-0 rounded-md border border-line-strong bg-surface px-2.5 py-1.5 max-sm:text-base disabled:bg-hover disabled:text-muted focus-visible:outline-offset-0 ${className}`}
      />
    </Frame>
  )
}
type Area = TextareaHTMLAttributes<HTMLTextAreaElement>

/** Yes or no, with its words beside it. */
export function CheckField({ label, hint, className = '', ...rest }: Pick<Labelled, 'label' | 'hint'> & Input) {
  const id = useId()
  return (
    <div className="flex items-start gap-2">
      <input
        type="checkbox"
        id={id}
        {...rest}
        className={`mt-0.5 size-4 shrink-0 accent-accent max-sm:size-6 ${className}`}
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {hint !== undefined && <p className="text-xs text-muted">{hint}</p>}
      </div>
    </div>
  )
}

interface Choice extends Labelled, Omit<SelectHTMLAttributes<HTMLSelectElement>, 'onChange'> {
  readonly options: readonly (readonly [value: string, label: string])[]
  readonly onChoose: (value: string) => void
}

export function ChoiceField({ label, hideLabel, hint, error, options, onChoose, className = '', ...rest }: Choice) {
  const id = useId()
  return (
    <Frame id={id} label={label} hideLabel={hideLabel ?? false} hint={hint} error={error}>
      <select id={id} {...rest} className={`${box} ${className}`} onChange={({ target }) => onChoose(target.value)}>
        {options.map(([value, shown]) => (
          <option key={value} value={value}>
            {shown}
          </option>
        ))}
      </select>
    </Frame>
  )
}
