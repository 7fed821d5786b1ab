// Short notes at the bottom: what was done, and the way back. They are read out, and never steal the focus.
import { X } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'
import { UNDO_MS } from '../api/deferred'
import { text } from '../text'

interface Toast {
  readonly id: string
  readonly message: string
  readonly tone: 'plain' | 'danger'
  readonly undo?: (() => void) | undefined
}

let toasts: readonly Toast[] = []
const listeners = new Set<() => void>()
const change = (next: readonly Toast[]) => {
  toasts = next
  for (const listen of listeners) listen()
}

export const dismiss = (id: string): void => change(toasts.filter((toast) => toast.id !== id))

interface ToastOptions {
  readonly id?: string
  readonly tone?: Toast['tone']
  readonly undo?: () => void
}

/** Shows a note. One with the same id takes its place. */
export function toast(message: string, { id = crypto.randomUUID(), tone = 'plain', undo }: ToastOptions = {}): string {
  const undoing = undo && (() => (dismiss(id), undo()))
  change([...toasts.filter((one) => one.id !== id), { id, message, tone, undo: undoing }].slice(-4))
  return id
}

/** Undoes what was done last, where something still can be. */
export const undoLast = (): void => toasts.findLast(({ undo }) => undo !== undefined)?.undo?.()

const subscribe = (listen: () => void) => {
  listeners.add(listen)
  return () => listeners.delete(listen)
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <div
      className="pointer-events-none fixed inset-x-0 bottom-20 z-50 flex flex-col items-center gap-2 px-4 sm:bottom-6"
      role="status"
      aria-live="polite"
    >
      {shown.map((one) => (
        <ToastCard key={one.id} toast={one} />
      ))}
    </div>
  )
}

function ToastCard({ toast: { id, message, tone, undo } }: { toast: Toast }) {
  useEffect(() => {
    const timer = setTimeout(() => dismiss(id), undo ? UNDO_MS : 6_000)
    return () => clearTimeout(timer)
  }, [id, undo, message])
  const edge = tone === 'danger' ? 'border-danger' : 'border-line-strong'
  return (
    <div
      className={`appear pointer-events-auto relative flex max-w-lg items-center gap-3 overflow-hidden rounded-md border ${edge} bg-raised py-2 ps-4 pe-2 shadow-float`}
    >
      <span className={tone === 'danger' ? 'text-danger' : ''}>{message}</span>
      {undo && (
        <button type="button" className="rounded-sm px-2 py-1 font-semibold text-accent hover:bg-hover" onClick={undo}>
          {text.undo} <kbd className="ms-1 font-mono text-xs font-normal text-muted">u</kbd>
        </button>
      )}
      <button
        type="button"
        className="rounded-sm p-1 text-muted hover:bg-hover"
        aria-label={text.dismiss}
        onClick={() => dismiss(id)}
      >
        <X size={14} />
      </button>
      {undo && <span className="drain absolute inset-x-0 bottom-0 h-0.5 bg-accent" />}
    </div>
  )
}
