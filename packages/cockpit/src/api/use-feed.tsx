// The feed of a place for React: what an event changes is asked for again, and who wants to can listen.
import type { ParleyEvent } from '@parley/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { type Feed, type FeedState, openFeed } from './event-feed'
import { usePlace } from './place'
import { reread } from './reread'

const FeedContext = createContext<Feed | null>(null)

/** What is read anew when something of this family happens, by the first word of the event's type. */
const touched: Readonly<Record<string, readonly string[]>> = {
  call: ['calls', 'people'],
  sms: ['threads', 'messages'],
  voicemail: ['voicemails', 'calls'],
  person: ['people'],
  customer: ['customers'],
  work_record: ['work'],
  fact: ['facts', 'surface'],
  draft: ['drafts', 'surface', 'work'],
  signal: ['surface'],
  task: ['tasks'],
  note: ['notes'],
  appointment: ['appointments'],
  workflow: ['work'],
  webhook: ['webhooks'],
}
const BATCH_MS = 120

export function FeedProvider({ children }: { children: ReactNode }) {
  const place = usePlace()
  const queries = useQueryClient()
  const [feed, setFeed] = useState<Feed | null>(null)
  useEffect(() => {
    const opened = openFeed(place.key.join(' '), place.parley)
    const waiting = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const flush = () => {
      timer = undefined
      for (const name of waiting) reread(queries, [...place.key, name])
      waiting.clear()
    }
    opened.onEvent(({ type }) => {
      for (const name of touched[type.split('.')[0] ?? ''] ?? []) waiting.add(name)
      waiting.add('events').add('deliveries')
      timer ??= setTimeout(flush, BATCH_MS)
    })
    // What happened while nobody listened is not told: after a break everything is read anew.
    // What was read before the stream was open may lack what happened in between: it is read again, too.
    let wasBroken = true
    opened.onState(() => {
      if (opened.state === 'live' && wasBroken) reread(queries, place.key)
      wasBroken = opened.state === 'broken' || (wasBroken && opened.state !== 'live')
    })
    setFeed(opened)
    return () => {
      clearTimeout(timer)
      opened.close()
    }
  }, [place, queries])
  return <FeedContext value={feed}>{children}</FeedContext>
}

const noState: FeedState = 'connecting'

export function useFeedState(): FeedState {
  const feed = useContext(FeedContext)
  return useSyncExternalStore(
    (listen) => feed?.onState(listen) ?? (() => undefined),
    () => feed?.state ?? noState,
  )
}

/** Calls back with each event, for as long as the component is there. */
export function useEvents(listen: (event: ParleyEvent) => void): void {
  const feed = useContext(FeedContext)
  const latest = useRef(listen)
  useEffect(() => {
    latest.current = listen
  })
  useEffect(() => feed?.onEvent((event) => latest.current(event)), [feed])
}
