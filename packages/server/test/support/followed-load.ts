// Writers that try again until they are answered, and readers that follow the feed wherever it goes: what they were
// told and what they have seen is compared with what is there afterwards.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { openEvents } from './event-source.js'
import type { Client } from './service.js'

export interface FollowedLoad {
  /** Titles of the tasks that were acknowledged. */
  readonly written: readonly string[]
  /** Answers other than 201 and 503, of which there must be none. */
  readonly refused: readonly string[]
  /** Ids of events in the order in which the stream brought them. */
  readonly streamed: readonly string[]
  /** Ids of events in the order of `GET /events?after=`. */
  readonly paged: readonly string[]
  /** Settles when the writers have stopped and both readers have seen so many events. */
  stop(events: () => number): Promise<void>
}

/** The feed must have an event already: a reader that pages begins after it. */
export function startLoad(clients: readonly Client[], urls: readonly string[], firstEvent: string): FollowedLoad {
  const load = { written: [] as string[], refused: [] as string[], streamed: [] as string[], paged: [] as string[] }
  let isWriting = true
  let isReading = true
  const write = async (client: Client) => {
    while (isWriting) {
      const title = randomUUID()
      // However often it is sent, it is one request: whoever was not answered asks again.
      for (let isAnswered = false; !isAnswered; ) {
        const answer = await client.post('/tasks', { title }, { 'idempotency-key': title })
        isAnswered = answer.status === 201
        if (isAnswered) load.written.push(title)
        else if (answer.status !== 503) load.refused.push(`${answer.status} ${answer.text}`)
        if (!isAnswered) await sleep(50)
      }
      await sleep(50)
    }
  }
  const stream = async (node: number, key: string) => {
    for (let last = '0'; isReading; ) {
      const url = `${urls[node % urls.length]}/api/v1/events/stream`
      const source = await openEvents(url, key, { 'last-event-id': last })
      const seen = watch(source.ended)
      for (let at = 0; isReading && !(seen.isOver && at === source.frames.length); await sleep(25))
        for (; at < source.frames.length; at++) {
          last = source.frames[at]?.id ?? last
          load.streamed.push(last)
        }
      source.close()
    }
  }
  const page = async (client: Client) => {
    for (let last = firstEvent; isReading; await sleep(50)) {
      const answer = await client.get(`/events?after=${last}&limit=7`)
      if (answer.status !== 200) {
        if (answer.status !== 503) load.refused.push(`${answer.status} ${answer.text}`)
        continue
      }
      for (const { eventId } of answer.body.data) load.paged.push((last = eventId))
    }
  }
  const writers = clients.map(write)
  const [first] = clients
  const readers = [...(first ? [stream(1, first.key)] : []), ...clients.slice(-1).map(page)]
  return Object.assign(load, {
    async stop(events: () => number) {
      isWriting = false
      await Promise.all(writers)
      for (const deadline = Date.now() + 120_000; Date.now() < deadline; await sleep(20))
        if (load.streamed.length >= events() && load.paged.length >= events() - 1) break
      isReading = false
      await Promise.all(readers)
    },
  })
}

function watch(ended: Promise<void>): { readonly isOver: boolean } {
  const state = { isOver: false }
  void ended.then(() => (state.isOver = true))
  return state
}
