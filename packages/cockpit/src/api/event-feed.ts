// One event stream per browser and environment, shared by its tabs: whoever holds the lock reads it and tells the
// others. When that tab goes, the next in line takes over, from where the feed was.
import type { Parley, ParleyEvent } from '@parley/sdk'

export type FeedState = 'connecting' | 'live' | 'broken'

type Told =
  | { readonly kind: 'event'; readonly event: ParleyEvent }
  | { readonly kind: 'state'; readonly state: FeedState }
  | { readonly kind: 'question' }

export interface Feed {
  readonly state: FeedState
  onEvent(listen: (event: ParleyEvent) => void): () => void
  onState(listen: () => void): () => void
  close(): void
}

export function openFeed(name: string, parley: Parley): Feed {
  const channel = new BroadcastChannel(`parley ${name}`)
  const ending = new AbortController()
  const events = new Set<(event: ParleyEvent) => void>()
  const states = new Set<() => void>()
  const feed = { state: 'connecting' as FeedState, isReader: false, lastEventId: '' }
  const become = (state: FeedState) => {
    if (feed.state === state) return
    feed.state = state
    for (const listen of states) listen()
  }
  const take = (event: ParleyEvent) => {
    feed.lastEventId = event.eventId
    for (const listen of events) listen(event)
  }
  const tell = (told: Told) => {
    if (!ending.signal.aborted) {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin, its own.
      channel.postMessage(told)
    }
  }
  const announce = (state: FeedState) => {
    become(state)
    tell({ kind: 'state', state })
  }
  channel.addEventListener('message', ({ data }: MessageEvent<Told>) => {
    if (data.kind === 'event') take(data.event)
    if (data.kind === 'state') become(data.state)
    if (data.kind === 'question' && feed.isReader) tell({ kind: 'state', state: feed.state })
  })
  tell({ kind: 'question' })
  const read = async () => {
    feed.isReader = true
    announce('connecting')
    const position = feed.lastEventId === '' ? {} : { lastEventId: feed.lastEventId }
    const onBreak = () => announce('broken')
    const onOpen = () => announce('live')
    for await (const event of parley.events.stream({ ...position, signal: ending.signal, onBreak, onOpen })) {
      announce('live')
      take(event)
      tell({ kind: 'event', event })
    }
  }
  void readInTurn(`parley ${name}`, ending.signal, read, () => announce('broken'))
  return {
    get state() {
      return feed.state
    },
    onEvent(listen) {
      events.add(listen)
      return () => events.delete(listen)
    },
    onState(listen) {
      states.add(listen)
      return () => states.delete(listen)
    },
    close() {
      ending.abort()
      channel.close()
    },
  }
}

const AGAIN_MS = 3_000

/** Waits for its turn, then reads until the page goes; what fails for good is tried again after a while. */
async function readInTurn(
  name: string,
  signal: AbortSignal,
  read: () => Promise<void>,
  onTrouble: () => void,
): Promise<void> {
  const hold = async () => {
    while (!signal.aborted) {
      await read().catch(onTrouble)
      if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    }
  }
  // Without locks (an old browser, a page that is not secure) each tab reads for itself.
  if (navigator.locks === undefined) return hold()
  await navigator.locks.request(name, { signal }, hold).catch(() => undefined)
}
