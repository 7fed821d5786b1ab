// Server-sent events as an async iterator that comes back after a break and goes on where it was.
import { ApiError, BadRequestError, ConnectionError } from './errors.js'
import { backoffMs, isPassing, pause } from './retry.js'
import type { Ask, RequestOptions, Send } from './transport.js'

/** One message of a stream, before anyone has looked into it. */
export interface Message {
  /** Where to go on after this message. */
  readonly id: string
  readonly event: string
  readonly data: string
}

export interface StreamOptions extends Pick<RequestOptions, 'signal' | 'headers'> {
  /** Goes on after this message, as `Last-Event-ID`. */
  readonly lastEventId?: string | undefined
  /** Told of each break before it is mended, for whoever wants to log it. */
  readonly onBreak?: ((reason: unknown) => void) | undefined
  /** Told each time the stream is connected, before its first message. */
  readonly onOpen?: (() => void) | undefined
}

/** The service sends something at least every 15 seconds; a line that is silent for three times as long is dead. */
const silenceMs = 45_000

/** A position before the oldest event that is kept. */
export const fromOldest = '0'

/** The service does not know the position: what it names has been dropped, as everything is in time. */
export const isNoLongerKept = (error: unknown): boolean =>
  error instanceof BadRequestError && error.issues.some(({ code }) => code === 'unknown_event')

/**
 * Every message from here on. It ends when the caller stops iterating or aborts, and fails only when coming back cannot
 * help.
 */
export async function* streamMessages(
  send: Send,
  path: string,
  query: object,
  options: StreamOptions = {},
): AsyncGenerator<Message, void, undefined> {
  const { signal, onBreak, onOpen } = options
  let lastId = options.lastEventId
  let failures = 0
  let hasBegun = false
  for (;;) {
    if (signal?.aborted) return
    try {
      const { body } = await send(requestOf(path, query, lastId, options))
      hasBegun = true
      onOpen?.()
      for await (const message of messagesOf(body)) {
        failures = 0
        lastId = message.id || lastId
        yield message
      }
      onBreak?.(new ConnectionError('The service closed the stream'))
    } catch (error) {
      if (signal?.aborted) return
      // A stream that has begun was away for too long: what is still kept is better than nothing. One that never began
      // was asked for something wrong.
      if (hasBegun && isNoLongerKept(error)) lastId = fromOldest
      else if (!isWorthComingBack(error)) throw error
      onBreak?.(error)
    }
    await pause(backoffMs(failures), signal).catch(() => undefined)
    failures += 1
  }
}

function requestOf(path: string, query: object, lastId: string | undefined, { signal, headers }: StreamOptions): Ask {
  const resumed = lastId === undefined ? {} : { 'last-event-id': lastId }
  return {
    method: 'GET',
    path,
    query,
    isStream: true,
    options: { signal, maxRetries: 0, headers: { accept: 'text/event-stream', ...headers, ...resumed } },
  }
}

const isWorthComingBack = (error: unknown): boolean =>
  error instanceof ApiError ? isPassing(error.status) || error.status >= 500 : error instanceof ConnectionError

/** The messages of one connection, for as long as it lasts. */
async function* messagesOf(body: Response['body']): AsyncGenerator<Message, void, undefined> {
  if (body === null) return
  const reader = body.getReader()
  try {
    const parse = createParser()
    const decoder = new TextDecoder()
    for (;;) {
      const { done, value } = await withinSilence(reader)
      if (done) return
      yield* parse(decoder.decode(value, { stream: true }))
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

async function withinSilence(
  reader: ReadableStreamDefaultReader<Uint8Array>,
): Promise<ReadableStreamReadResult<Uint8Array>> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ConnectionError('The stream fell silent')), silenceMs)
  })
  try {
    return await Promise.race([reader.read(), silence])
  } catch (error) {
    throw error instanceof ConnectionError ? error : new ConnectionError('The stream broke off', { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Cuts text into messages, as the HTML standard says: fields on lines, an empty line ends a message, a comment begins
 * with a colon.
 */
export function createParser(): (text: string) => Message[] {
  let rest = ''
  let id = ''
  let event = ''
  let data: string[] = []
  const take = (line: string, done: Message[]) => {
    if (line === '') {
      if (data.length > 0) done.push({ id, event: event || 'message', data: data.join('\n') })
      event = ''
      data = []
      return
    }
    const colon = line.indexOf(':')
    const name = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (name === 'data') data.push(value)
    if (name === 'event') event = value
    if (name === 'id' && !value.includes('\0')) id = value
  }
  return (text) => {
    const done: Message[] = []
    // A carriage return at the very end may be half of a line break, so it waits for what follows.
    const whole = rest + text
    const end = whole.endsWith('\r') ? whole.length - 1 : whole.length
    const lines = whole.slice(0, end).split(/\r\n|\n|\r/)
    rest = (lines.pop() ?? '') + whole.slice(end)
    for (const line of lines) take(line, done)
    return done
  }
}
