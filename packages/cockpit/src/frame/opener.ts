// Where the focus was before something opened, so that it goes back there when that is closed.
import { useEffect, useRef } from 'react'

/** Gives the focus back to whatever had it when this came. */
export function useOpener(): () => void {
  const before = useRef<Element | null>(null)
  useEffect(() => {
    before.current = document.activeElement
  }, [])
  return () => {
    if (before.current instanceof HTMLElement && before.current.isConnected) before.current.focus()
  }
}
