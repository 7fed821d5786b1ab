// Which fact is pointed at, from either side: its row, or its words.
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'

interface Highlight {
  readonly factId: string | null
  readonly point: (factId: string | null) => void
}

const HighlightContext = createContext<Highlight>({ factId: null, point: () => undefined })

export function HighlightProvider({ children }: { children: ReactNode }) {
  const [factId, point] = useState<string | null>(null)
  const value = useMemo(() => ({ factId, point }), [factId])
  return <HighlightContext value={value}>{children}</HighlightContext>
}

export const useHighlight = (): Highlight => useContext(HighlightContext)

/** What points at a fact while it is hovered or focused. */
export function pointing(point: Highlight['point'], factId: string | null) {
  return {
    onMouseEnter: () => point(factId),
    onMouseLeave: () => point(null),
    onFocus: () => point(factId),
    onBlur: () => point(null),
  }
}

/** Brings the words of a fact into view. */
export const showWords = (factId: string): void =>
  document.querySelector(`[data-fact="${factId}"]`)?.scrollIntoView({ block: 'center', behavior: 'smooth' })
