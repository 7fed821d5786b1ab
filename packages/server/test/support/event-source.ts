// A reader of server-sent events, as strict as a browser: fields by line, an event ends at an empty line, the last id
// stays until another comes.
import { setTimeout as sleep } from 'node:timers/promises'

export interface Frame<T = any> {
  /** The last id that was sent, with this frame or before it. */
  readonly id: string | undefined
  readonly event: string
  readonly data: T
  readonly text: string
  readonly atMs: number
}

export interface EventSource {
  readonly status: number
  readonly headers: Headers
  /** What was answered instead of a stream. */
  readonly body: any
  readonly frames: readonly Frame[]
  readonly comments: number
  readonly lastId: string | undefined
  /** Settles when the server has closed the stream. */
  readonly ended: Promise<void>
  /** The frames, once there are at least so many. */
  atLeast(count: number): Promise<readonly Frame[]>
  close(): void
}

export async function openEvents(url: string, key: string, headers: Record<string, string> = {}): Promise<EventSource> {
  const aborting = new AbortController()
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${key}`, ...headers },
    signal: aborting.signal,
  })
  const isStream = response.headers.get('content-type') === 'text/event-stream'
  const frames: Frame[] = []
  let lastId: string | undefined
  let comments = 0

  function take(block: string): void {
    const fields = new Map(
      block
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).replace(/^ /, '')]),
    )
    if (fields.has('')) comments++
    if (fields.has('id')) lastId = fields.get('id')
    const text = fields.get('data')
    if (text !== undefined)
      frames.push({
        id: lastId,
        event: fields.get('event') ?? 'message',
        data: JSON.parse(text),
        text,
        atMs: Date.now(),
      })
  }

  async function readAll(): Promise<void> {
    let buffered = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      buffered += decoder.decode(chunk, { stream: true })
      const blocks = buffered.split('\n\n')
      buffered = blocks.pop() ?? ''
      for (const block of blocks) take(block)
    }
  }

  const body = isStream ? undefined : await response.json().catch(() => undefined)
  const ended = isStream ? readAll().catch(() => undefined) : Promise.resolve()
  return {
    status: response.status,
    headers: response.headers,
    body,
    frames,
    ended,
    get comments() {
      return comments
    },
    get lastId() {
      return lastId
    },
    async atLeast(count) {
      for (const deadline = Date.now() + 120_000; frames.length < count; await sleep(10)) {
        if (Date.now() > deadline)
          throw new Error(
            `Only ${frames.length} of ${count} frames came: ${frames.map(({ event }) => event).join(', ')}`,
          )
      }
      return frames
    },
    close: () => aborting.abort(),
  }
}
