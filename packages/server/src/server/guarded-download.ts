// Downloads audio and attachments from an address that a client named: through the same address check as webhooks, dialled to a judged
// address only, redirects judged anew, within one deadline. It keeps nothing; whoever takes the bytes counts them.

import type { IncomingMessage } from 'node:http'
import { get } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { bareHost, judgeUrl, type Network } from '../delivery/transport/address-policy.js'
import type { Lookup } from '../delivery/transport/dns-lookup.js'
import { createResolver, type Resolve } from '../delivery/transport/resolve.js'
import { FetchFailure, refusedWith } from '../recordings/fetch-failure.js'
import { isMalformed, unpacked } from '../recordings/unpack.js'
import type { Wanted } from '../resources/calls/fetched-files.js'
import type { Bytes } from '../store/blobs.js'

export interface DownloadOptions {
  /** Goes into `User-Agent`. */
  readonly version: string
  /** Networks that may be reached besides public addresses. */
  readonly opened: readonly Network[]
  readonly lookup: Lookup
  /** Trusted instead of the authorities that Node knows. */
  readonly ca?: string | undefined
  /** Covers everything from the first name look-up to the last byte. */
  readonly timeoutMs: number
}

export interface Audio {
  readonly mediaType: string
  readonly bytes: Bytes
}

/** Rejects with a FetchFailure for whatever the other side does, and with what `take` throws. */
export type Download = <T>(
  address: string,
  stopping: AbortSignal,
  take: (audio: Audio) => Promise<T>,
  wanted: Wanted,
) => Promise<T>

const REDIRECTS_MAX = 5
const ADDRESSES_MAX = 16
const DNS_CACHE_MS = 1_000

export function createDownload({ opened, lookup, timeoutMs, ...request }: DownloadOptions): Download {
  const resolve = createResolver({ lookup, opened, cacheMs: DNS_CACHE_MS, timeoutMs })
  return async (address, stopping, take, wanted) => {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(timeoutMs)])
    const response = await follow({ ...request, opened, resolve, timeoutMs, signal, wanted }, address)
    try {
      return await take(audioOf(response, signal, wanted, new URL(address).pathname))
    } finally {
      response.destroy()
    }
  }
}

interface Trip extends Pick<DownloadOptions, 'version' | 'opened' | 'ca' | 'timeoutMs'> {
  readonly resolve: Resolve
  readonly signal: AbortSignal
  readonly wanted: Wanted
}

/** The first answer that is no redirect. */
async function follow(trip: Trip, address: string): Promise<IncomingMessage> {
  let next = address
  for (let hop = 0; hop <= REDIRECTS_MAX; hop++) {
    const judged = judgeUrl(next, trip.opened)
    if (judged.kind === 'refused') throw new FetchFailure('blocked_address', true)
    // What opens a file at its provider is shown to nobody whom that one sends us on to.
    const authorization = judged.url.host === new URL(address).host ? trip.wanted.authorization : undefined
    const response = await ask(trip, judged.url, authorization)
    const target = redirectTarget(response, judged.url)
    if (target === undefined) return response
    response.destroy()
    next = target
  }
  throw new FetchFailure('too_many_redirects', true)
}

function redirectTarget({ statusCode = 0, headers: { location } }: IncomingMessage, from: URL): string | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode) || location === undefined) return undefined
  try {
    const target = new URL(location, from)
    target.hash = ''
    return target.href
  } catch {
    throw new FetchFailure('blocked_address', true)
  }
}

async function ask(
  { resolve, timeoutMs, signal, version, ca, wanted }: Trip,
  url: URL,
  authorization: string | undefined,
): Promise<IncomingMessage> {
  const host = bareHost(url)
  const resolution = await resolve(host, timeoutMs)
  if (resolution.kind === 'failed') throw new FetchFailure(resolution.error, resolution.error === 'blocked_address')
  const options = {
    host,
    port: url.port === '' ? 443 : Number(url.port),
    path: url.pathname + url.search,
    servername: isIP(host) === 0 ? host : '',
    lookup: pinnedTo(resolution.addresses.slice(0, ADDRESSES_MAX)),
    // A connection of its own: nothing of one tenant's address is used for another's.
    agent: false as const,
    signal,
    ...(ca !== undefined && { ca }),
    headers: {
      host: url.host,
      accept: wanted.accept,
      'accept-encoding': 'identity',
      'user-agent': `Parley/${version}`,
      ...(authorization !== undefined && { authorization }),
    },
  }
  return new Promise((found, failed) => {
    get(options, found).on('error', (error) => failed(failureOf(error, signal)))
  })
}

/** Whatever the name says meanwhile, the socket goes where it was judged to go. */
function pinnedTo(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_host, options, callback) => {
    const [first] = all
    if (options.all || first === undefined) callback(null, all)
    else callback(null, first.address, first.family)
  }
}

function audioOf(
  response: IncomingMessage,
  signal: AbortSignal,
  { typeOf, bytesMax, otherType }: Wanted,
  path: string,
): Audio {
  const { statusCode = 0, headers } = response
  if (statusCode !== 200) throw refusedWith(statusCode)
  const mediaType = typeOf(headers['content-type'], path)
  if (mediaType === undefined) throw new FetchFailure(otherType, true)
  if (Number(headers['content-length'] ?? 0) > bytesMax) throw new FetchFailure('too_large', true)
  const bytes = unpacked(response, headers['content-encoding'])
  if (bytes === undefined) throw new FetchFailure('bad_encoding', true)
  return { mediaType, bytes: guarded(bytes, signal) }
}

/** What breaks on the way is the other side's failure, and not of whoever keeps the bytes. */
async function* guarded(bytes: AsyncIterable<Buffer>, signal: AbortSignal): AsyncIterable<Buffer> {
  try {
    yield* bytes
  } catch (error) {
    throw isMalformed(error) ? new FetchFailure('bad_encoding', true) : failureOf(error, signal)
  }
}

function failureOf(error: unknown, signal: AbortSignal): FetchFailure {
  if (signal.aborted) return new FetchFailure('timeout', false)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const isTls = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|EPROTO|HOSTNAME_)/.test(code)
  return new FetchFailure(isTls ? 'tls_error' : 'connection_failed', false)
}
