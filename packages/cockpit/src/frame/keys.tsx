// The keyboard: screens say which keys they take while they are shown, and `?` lists them.
import { useEffect, useRef, useSyncExternalStore } from 'react'

export interface Key {
  /** As `KeyboardEvent.key` has it; `mod+k` for ⌘K or ctrl K; `g l` for one after the other. Empty: by name alone. */
  readonly key: string
  readonly label: string
  readonly run: () => void
  /** Also while typing in a field. */
  readonly always?: boolean
}

let bound: readonly (readonly Key[])[] = []
const listeners = new Set<() => void>()
const change = (next: typeof bound) => {
  bound = next
  for (const listen of listeners) listen()
}

/** Takes these keys while the component is shown. The newest binding of a key wins. */
export function useKeys(keys: readonly Key[]): void {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  const names = keys.map(({ key, label }) => `${key} ${label}`).join('|')
  useEffect(() => {
    const own = latest.current.map((key, index) => ({ ...key, run: () => latest.current[index]?.run() }))
    change([...bound, own])
    return () => change(bound.filter((one) => one !== own))
  }, [names])
}

export const useBoundKeys = (): readonly Key[] =>
  useSyncExternalStore(
    (listen) => {
      listeners.add(listen)
      return () => listeners.delete(listen)
    },
    () => bound,
  ).flat()

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

const SEQUENCE_MS = 900
let before = { key: '', at: 0 }

addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.isComposing || event.altKey) return
  const mod = event.metaKey || event.ctrlKey
  const pressed = mod ? `mod+${event.key.toLowerCase()}` : event.key
  const sequence = Date.now() - before.at < SEQUENCE_MS ? `${before.key} ${pressed}` : pressed
  const all = bound.flat()
  const key = all.findLast((one) => one.key === sequence) ?? all.findLast((one) => one.key === pressed)
  before = { key: pressed, at: Date.now() }
  if (key === undefined || (isTyping(event.target) && !key.always)) return
  if (document.querySelector('[role="dialog"]') !== null && !key.always) return
  event.preventDefault()
  before = { key: '', at: 0 }
  key.run()
})
