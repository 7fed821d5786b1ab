// JSON: coloured, foldable, copied with one click.
import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { text } from '../text'
import { copyText } from './copy-text'

interface CopyButtonProps {
  readonly value: string
  readonly label?: string
  /** Only its picture is seen; the label is read out. */
  readonly isQuiet?: boolean
}

export function CopyButton({ value, label = text.copy, isQuiet = false }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await copyText(value)
    setCopied(true)
    setTimeout(() => setCopied(false), 1_500)
  }
  return (
    <button
      type="button"
      onClick={() => void copy()}
      className="inline-flex h-7 items-center gap-1.5 rounded-md px-2 text-muted hover:bg-hover hover:text-ink"
    >
      {isCopied ? <Check size={14} aria-hidden className="text-good" /> : <Copy size={14} aria-hidden />}
      <span aria-live="polite" className={isQuiet ? 'sr-only' : ''}>
        {isCopied ? text.copied : label}
      </span>
    </button>
  )
}

/** Code that is to be copied. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <figure className="overflow-hidden rounded-md border border-line bg-surface">
      <figcaption className="flex items-center justify-between border-b border-line ps-3 pe-1 text-xs text-muted">
        {label}
        <CopyButton value={code} />
      </figcaption>
      <pre tabIndex={0} className="scroll-quiet overflow-auto p-3 font-mono text-xs">
        {code}
      </pre>
    </figure>
  )
}

interface JsonViewProps {
  readonly value: unknown
  readonly label: string
  /** As long as it is: where it is all that is looked at. */
  readonly isTall?: boolean
}

export function JsonView({ value, label, isTall = false }: JsonViewProps) {
  return (
    <figure className="overflow-hidden rounded-md border border-line bg-surface">
      <figcaption className="flex items-center justify-between border-b border-line ps-3 pe-1 text-xs text-muted">
        {label}
        <CopyButton value={JSON.stringify(value, null, 2)} />
      </figcaption>
      <div
        tabIndex={0}
        role="region"
        aria-label={label}
        className={`scroll-quiet overflow-auto p-3 font-mono text-xs ${isTall ? '' : 'max-h-96'}`}
      >
        <Node value={value} depth={0} />
      </div>
    </figure>
  )
}

const OPEN_DEPTH = 2

function Node({ name, value, depth }: { name?: string; value: unknown; depth: number }) {
  const key = name === undefined ? null : <span className="text-info">{name}: </span>
  if (typeof value !== 'object' || value === null)
    return (
      <div className="break-words">
        {key}
        <Scalar value={value} />
      </div>
    )
  const entries = Object.entries(value)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  if (entries.length === 0)
    return (
      <div>
        {key}
        {open}
        {close}
      </div>
    )
  return (
    <details open={depth < OPEN_DEPTH} className="group/node">
      <summary className="marker:text-faint">
        {key}
        <span className="text-muted">
          {open}
          <span className="group-open/node:hidden">
            {' '}
            {entries.length} {close}
          </span>
        </span>
      </summary>
      <div className="ms-1.5 border-s border-line ps-3">
        {entries.map(([child, inner]) => (
          <Node key={child} name={child} value={inner} depth={depth + 1} />
        ))}
      </div>
    </details>
  )
}

function Scalar({ value }: { value: unknown }) {
  const tone = typeof value === 'string' ? 'text-good' : value === null ? 'text-muted' : 'text-warning'
  return <span className={tone}>{JSON.stringify(value)}</span>
}
