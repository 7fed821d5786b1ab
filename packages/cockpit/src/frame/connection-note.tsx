// Says when what is shown may be old: the browser is offline, or the service does not answer.
import { CloudOff, RefreshCw } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useFeedState } from '../api/use-feed'
import { text } from '../text'

function onNetwork(listen: () => void): () => void {
  addEventListener('online', listen)
  addEventListener('offline', listen)
  return () => {
    removeEventListener('online', listen)
    removeEventListener('offline', listen)
  }
}

/** A break that mends itself within this time is not worth a word. */
const PATIENCE_MS = 1_500

export function ConnectionNote() {
  const isOnline = useSyncExternalStore(onNetwork, () => navigator.onLine)
  const isBroken = useFeedState() === 'broken'
  const [isFelt, setFelt] = useState(false)
  useEffect(() => {
    setFelt(false)
    const timer = setTimeout(() => setFelt(isBroken), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [isBroken])
  if (isOnline && !(isBroken && isFelt)) return null
  const Icon = isOnline ? RefreshCw : CloudOff
  return (
    <div role="status" className="flex items-center justify-center gap-2 bg-warning-soft px-4 py-1.5 text-warning">
      <Icon size={14} aria-hidden />
      {isOnline ? text.reconnecting : text.offline}
    </div>
  )
}
