// `parley listen`: the event stream, forwarded to a receiver on this machine and signed as the service signs. Where it
// got to is kept in a file, so that a restart of either side loses nothing.
import { createHash } from 'node:crypto'
import type { Parley } from '../../client.js'
import type { ParleyEvent } from '../../events.js'
import type { Schema } from '../../generated/shapes.js'
import { isNoLongerKept } from '../../stream.js'
import { clockSkewMs, clockTrouble } from '../clock.js'
import { type Environment, listenSecret, readJsonFile, statePath, writePrivate } from '../config-file.js'
import { CliError, UsageError } from '../failure.js'
import { countOf } from '../number-options.js'
import type { Session } from '../session.js'
import { typesOf } from './event-options.js'
import { type Forwarded, forward } from './forward.js'

interface ListenOptions {
  forwardTo?: string
  events?: string
  limit?: string
  fromNow?: boolean
  headers: string[]
  useConfiguredWebhooks?: boolean
  skipVerify?: boolean
  printSecret?: boolean
  format?: string
}

export async function listen(session: Session, options: ListenOptions): Promise<void> {
  const { env, terminal, signal } = session
  const secret = await listenSecret(env)
  if (options.printSecret) return session.print({ secret }, () => secret)
  const target = targetOf(options.forwardTo)
  const max = countOf(options.limit)
  const headers = headersOf(options.headers)
  const show = lineFor(session, options.format)
  const account = await session.account()
  const parley = await session.client()
  const schema = await parley.schema()
  const { organization } = schema
  const routes = options.useConfiguredWebhooks ? await configuredRoutes(parley, schema, target) : undefined
  const said = options.events === 'all' ? schema.eventTypes : typesOf(options.events, schema.eventTypes)
  const type = said ?? routes?.flatMap(({ types }) => types) ?? schema.standardEventTypes
  const trouble = clockTrouble(await clockSkewMs(account, signal))
  if (trouble) throw new CliError(trouble.message, trouble.nextStep)
  const where = [account.baseUrl, organization.id, organization.environment, target]
  const position = positionOf(env, [...where, ...(said ?? []), ...(routes ? ['configured'] : [])])
  const stored = options.fromNow ? undefined : await position.read()
  // Written down before anything is heard, so that not even a run that never heard an event forgets where it was.
  const start = stored ?? (await parley.events.list({ limit: 1 })).data[0]?.eventId ?? ''
  if (stored === undefined) await position.write(start)
  terminal.note(`Forwarding ${organization.name} (${organization.environment}) to ${target}. Signing secret: ${secret}`)
  for (const { url, types } of routes ?? []) terminal.note(`${url}: ${types.join(', ')}`)
  if (stored !== undefined) terminal.note('Going on where the last run stopped; --from-now skips that.')
  let done = 0
  const onBreak = () => terminal.note('The service is away; coming back…')
  const stream = resumable(session, start, (lastEventId) =>
    parley.events.stream({ type: [...new Set(type)], signal, lastEventId, onBreak }),
  )
  const forwarding = { secret, headers, takesAnyCertificate: options.skipVerify === true }
  for await (const event of stream) {
    const lines: string[] = []
    for (const url of urlsFor(event, target, routes)) {
      const forwarded = await forward(session, url, event, forwarding)
      if (forwarded === undefined) return
      lines.push(show(event, forwarded))
    }
    // What is shown is done for good: a run that is killed after it does not send it again.
    await position.write(event.eventId)
    for (const line of lines) terminal.out(line)
    if (++done >= max) return
  }
}

/** What one configured webhook would get, and where on this machine. */
interface Route {
  readonly url: string
  readonly types: readonly string[]
}

/** The active webhooks as they are configured: their types, and their paths at the host of --forward-to. */
async function configuredRoutes(parley: Parley, schema: Schema, target: string): Promise<Route[]> {
  const all = await parley.webhooks.list({ status: 'active', limit: 100 }).toArray()
  if (all.length === 0)
    throw new CliError(
      'There is no active webhook to take types and paths from.',
      'Make one with `parley webhooks create https://…`, or leave out --use-configured-webhooks.',
    )
  return all.map(({ url, eventTypes }) => {
    const { pathname, search } = new URL(url)
    return {
      url: new URL(pathname + search, target).href,
      types: eventTypes.length > 0 ? eventTypes : schema.standardEventTypes,
    }
  })
}

/** Two webhooks with one path are one receiver here. */
const urlsFor = ({ type }: ParleyEvent, target: string, routes: readonly Route[] | undefined): Set<string> =>
  new Set(routes?.filter(({ types }) => types.includes(type)).map(({ url }) => url) ?? [target])

function headersOf(given: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    given.map((one) => {
      const [, name, value = ''] = /^([\w-]+)\s*:\s*([\t -~]*)$/.exec(one) ?? []
      if (name === undefined)
        throw new UsageError(`--headers ${one} is not of the form name: value.`, 'For example: -H "X-Branch: mine"')
      return [name.toLowerCase(), value]
    }),
  )
}

function targetOf(text: string | undefined): string {
  if (text === undefined)
    throw new UsageError(
      'Where to? --forward-to <url> is needed.',
      'For example: --forward-to http://localhost:4000/hooks',
    )
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

/** One line for each event that was forwarded: for people, or as JSON with the event in it. */
function lineFor({ terminal, isJson }: Session, format = isJson ? 'json' : 'text') {
  if (format !== 'text' && format !== 'json')
    throw new UsageError(`--format ${format} is neither text nor json.`, 'For example: --format json')
  return (event: ParleyEvent, { url, status, ms, attempt }: Forwarded): string => {
    const { eventId, type, occurredAt } = event
    if (format === 'json') return JSON.stringify({ eventId, type, status, ms, attempt, url, event })
    const isGood = status >= 200 && status < 300
    const shownStatus = terminal.paint(isGood ? 'green' : 'red', String(status))
    const shownId = terminal.width < 80 ? '' : `  ${eventId}`
    return `${occurredAt.slice(11, 23)}  ${type.padEnd(21)}  ${shownStatus}  ${String(ms).padStart(5)} ms${shownId}`
  }
}
