// Requests as they end, while the page is in sight. After a break the stream goes on where it was.
import type { RequestLogEntry } from '@parley/sdk'
import { useEffect, useRef, useState } from 'react'
import type { FeedState } from '../../api/event-feed'
import { usePlace } from '../../api/place'
import { useVisible } from '../../api/use-visible'

const KEPT = 500

export function useRequestStream(isFailedOnly: boolean) {
  const { parley } = usePlace()
  const isVisible = useVisible()
  const [state, setState] = useState<FeedState>('connecting')
  const [news, setNews] = useState<readonly RequestLogEntry[]>([])
  const last = useRef('')
  useEffect(() => {
    if (!isVisible) return
    const ending = new AbortController()
    const onBreak = () => setState('broken')
    const onOpen = () => setState('live')
    // Whoever comes back to the page misses nothing of what ended meanwhile.
    const from = last.current === '' ? {} : { lastEventId: last.current }
    const options = { ...from, signal: ending.signal, onBreak, onOpen, ...(isFailedOnly && { failed: true }) }
    const read = async () => {
      for await (const entry of parley.requestLog.stream(options)) {
        last.current = entry.id
        setNews((before) => withEntry(before, entry))
      }
    }
    setState('connecting')
    read().catch(() => !ending.signal.aborted && onBreak())
    return () => ending.abort()
  }, [parley, isVisible, isFailedOnly])
  return { news: isFailedOnly ? news.filter(({ status }) => status >= 400) : news, state }
}

const withEntry = (before: readonly RequestLogEntry[], entry: RequestLogEntry): readonly RequestLogEntry[] =>
  before.some(({ id }) => id === entry.id) ? before : [entry, ...before].slice(0, KEPT)
