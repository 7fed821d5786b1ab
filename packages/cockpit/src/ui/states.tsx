// What a list or a page shows when it has nothing, is waiting, or could not be read.
import { ApiError, ConnectionError } from '@parley/sdk'
import { type ReactNode, useEffect, useState } from 'react'
import { text } from '../text'
import { Button } from './button'

interface EmptyProps {
  readonly icon: ReactNode
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}

export function Empty({ icon, title, children, action }: EmptyProps) {
  return (
    <div className="mx-auto flex max-w-sm flex-col items-center gap-3 px-6 py-16 text-center">
      <div className="grid size-11 place-items-center rounded-full bg-accent-soft text-accent">{icon}</div>
      <h2 className="text-base font-semibold">{title}</h2>
      {children !== undefined && <p className="text-muted">{children}</p>}
      {action}
    </div>
  )
}

/** What happened and what to do, in words for people. */
export function explain(error: unknown): string {
  if (error instanceof ApiError) return error.status === 403 ? text.errors.forbidden : error.message
  return error instanceof ConnectionError ? text.errors.away : text.errors.unexpected
}

export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const requestId = error instanceof ApiError ? error.requestId : null
  return (
    <div role="alert" className="mx-auto flex max-w-md flex-col items-center gap-3 px-6 py-16 text-center">
      <h2 className="text-base font-semibold">{text.errors.title}</h2>
      <p className="text-muted">{explain(error)}</p>
      {onRetry && <Button onClick={onRetry}>{text.tryAgain}</Button>}
      {requestId !== null && (
        <details className="text-xs text-muted">
          <summary>{text.details}</summary>
          <code className="font-mono">{requestId}</code>
        </details>
      )}
    </div>
  )
}

/** Rows of the real height, and only once waiting is felt. */
export function Waiting({ rows = 6 }: { rows?: number }) {
  const [isFelt, setFelt] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setFelt(true), 150)
    return () => clearTimeout(timer)
  }, [])
  if (!isFelt) return null
  return (
    <div aria-busy="true" aria-label={text.loading} role="progressbar" className="grid gap-3 p-4">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="grid gap-1.5 motion-safe:animate-pulse">
          <div className="h-3 w-2/5 rounded-sm bg-line" />
          <div className="h-3 w-4/5 rounded-sm bg-hover" />
        </div>
      ))}
    </div>
  )
}
