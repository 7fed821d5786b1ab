// `parley listen`: the event stream, forwarded to a receiver on this machine and signed as the service signs. Where it
// got to is kept in a file, so that a restart of either side loses nothing.
import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ParleyEvent } from '../events.js'
import { isNoLongerKept } from '../stream.js'
import { signForTest } from '../webhooks.js'
import { clockSkewMs, clockTrouble } from './clock.js'
import { type Environment, listenSecret, readJsonFile, statePath, writePrivate } from './config-file.js'
import { typesOf } from './event-options.js'
import { CliError, UsageError } from './failure.js'
import { countOf } from './number-options.js'
import type { Session } from './session.js'
import { version } from './version.js'

interface ListenOptions {
  forwardTo: string
  events?: string
  limit?: string
  fromNow?: boolean
}

export async function listen(session: Session, options: ListenOptions): Promise<void> {
  const { env, terminal, signal } = session
  const target = targetOf(options.forwardTo)
  const max = countOf(options.limit)
  const account = await session.account()
  const parley = await session.client()
  const { organization, eventTypes } = await parley.schema()
  const type = typesOf(options.events, eventTypes)
  const trouble = clockTrouble(await clockSkewMs(account, signal))
  if (trouble) throw new CliError(trouble.message, trouble.nextStep)
  const secret = await listenSecret(env)
  const position = positionOf(env, [
    account.baseUrl,
    organization.id,
    organization.environment,
    target,
    ...(type ?? []),
  ])
  const stored = options.fromNow ? undefined : await position.read()
  // Written down before anything is heard, so that not even a run that never heard an event forgets where it was.
  const start = stored ?? (await parley.events.list({ limit: 1 })).data[0]?.eventId ?? ''
  if (stored === undefined) await position.write(start)
  terminal.note(`Forwarding ${organization.name} (${organization.environment}) to ${target}. Signing secret: ${secret}`)
  if (stored !== undefined) terminal.note('Going on where the last run stopped; --from-now skips that.')
  let done = 0
  const onBreak = () => terminal.note('The service is away; coming back…')
  const stream = resumable(session, start, (lastEventId) =>
    parley.events.stream({ type, signal, lastEventId, onBreak }),
  )
  for await (const event of stream) {
    const line = await forward(session, target, secret, event)
    if (line === undefined) return
    await position.write(event.eventId)
    terminal.out(line)
    if (++done >= max) return
  }
}

function targetOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new UsageError(
      `--forward-to ${text} is no http address.`,
      'For example: --forward-to http://localhost:4000/hooks',
    )
  return url.href
}

/** Where a listener of this kind got to. */
function positionOf(env: Environment, parts: readonly string[]) {
  const path = statePath(
    env,
    `listen-${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16)}.json`,
  )
  return {
    read: async () => ((await readJsonFile(path)) as { lastEventId?: string } | undefined)?.lastEventId,
    write: (lastEventId: string) => writePrivate(path, JSON.stringify({ lastEventId })),
  }
}

/**
 * A position that the service no longer keeps is older than anything that it does keep: all of that is still to come.
 */
async function* resumable(
  session: Session,
  start: string,
  open: (lastEventId: string) => AsyncGenerator<ParleyEvent>,
): AsyncGenerator<ParleyEvent> {
  try {
    yield* open(start)
  } catch (error) {
    if (!isNoLongerKept(error)) throw error
    session.terminal.note(
      'The service no longer keeps the event that the last run stopped at: going on with the oldest that it keeps.',
    )
    yield* open('')
  }
}

/** Not there, or behind a proxy that says so: it will be back, and gets the event then. */
const isAway = (status: number): boolean => [502, 503, 504].includes(status)

/**
 * Sends one event until the receiver has answered, and says how in a line; undefined when the user has stopped
 * meanwhile.
 */
async function forward(
  session: Session,
  target: string,
  secret: string,
  event: ParleyEvent,
): Promise<string | undefined> {
  const { terminal, signal } = session
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    const startedAt = performance.now()
    const outcome = await post(target, secret, event, attempt, signal)
    const ms = Math.round(performance.now() - startedAt)
    if (signal.aborted) break
    if (typeof outcome === 'number' && !isAway(outcome)) return lineOf(session, event, outcome, ms, attempt)
    if (attempt === 1)
      terminal.note(
        `${target} does not answer (${typeof outcome === 'number' ? outcome : outcome.message}); ` +
          `${event.type} waits until it does.`,
      )
    await sleep(Math.min(250 * 2 ** (attempt - 1), 5_000), undefined, { signal }).catch(() => undefined)
  }
  return undefined
}

function lineOf(
  { terminal, isJson }: Session,
  { eventId, type, occurredAt }: ParleyEvent,
  status: number,
  ms: number,
  attempt: number,
): string {
  if (isJson) return JSON.stringify({ eventId, type, status, ms, attempt })
  const isGood = status >= 200 && status < 300
  const shownStatus = terminal.paint(isGood ? 'green' : 'red', String(status))
  const shownId = terminal.width < 80 ? '' : `  ${eventId}`
  return `${occurredAt.slice(11, 23)}  ${type.padEnd(21)}  ${shownStatus}  ${String(ms).padStart(5)} ms${shownId}`
}

/** The status of the answer, or why there was none. */
async function post(
  target: string,
  secret: string,
  event: ParleyEvent,
  attempt: number,
  signal: AbortSignal,
): Promise<number | Error> {
  const { body, headers } = await signForTest(event, secret)
  const more = {
    'user-agent': `Parley-CLI/${version}`,
    'x-service-delivery-id': randomUUID(),
    'x-service-attempt': String(attempt),
  }
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(10_000)])
    const response = await fetch(target, {
      method: 'POST',
      body,
      headers: { ...headers, ...more },
      redirect: 'manual',
      signal: limit,
    })
    await response.arrayBuffer().catch(() => undefined)
    return response.status
  } catch (error) {
    const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException
    return new Error(code ?? message)
  }
}
