// Whether the page is in sight: what is not looked at costs no stream.
import { useSyncExternalStore } from 'react'

function onChange(listen: () => void): () => void {
  document.addEventListener('visibilitychange', listen)
  return () => document.removeEventListener('visibilitychange', listen)
}

export const useVisible = (): boolean => useSyncExternalStore(onChange, () => document.visibilityState === 'visible')
