// Turns a host into addresses that may be connected to, or says why not. All answers of a name are judged, and one
// forbidden answer refuses it: a name that mixes public and private addresses is either a mistake or an attack.

import { isIP } from 'node:net'
import { isAllowedAddress, type Network } from './address-policy.js'
import type { Lookup } from './dns-lookup.js'

type Resolution =
  | { kind: 'allowed'; addresses: readonly string[] }
  | { kind: 'failed'; error: 'blocked_address' | 'dns_error' | 'timeout'; detail: string }

export interface ResolverOptions {
  lookup: Lookup
  opened: readonly Network[]
  /**
   * How long an answer is kept, so that a burst to one name asks once. The socket goes to the judged address whatever
   * the name says later.
   */
  cacheMs: number
  /** A look-up that has not come back after this is given up, also for those who ask later. */
  timeoutMs: number
}

/** Answers at once where the answer is known. */
export type Resolve = (host: string, withinMs: number) => Resolution | Promise<Resolution>

interface Entry {
  answer: Promise<Resolution>
  settled: Resolution | undefined
  expiresAt: number
}

const entriesMax = 10_000

export function createResolver({ lookup, opened, cacheMs, timeoutMs }: ResolverOptions): Resolve {
  const entries = new Map<string, Entry>()

  function begin(host: string): Entry {
    const entry: Entry = {
      answer: judgeAnswers(lookup, host, opened),
      settled: undefined,
      expiresAt: performance.now() + timeoutMs,
    }
    entries.delete(host) // A later insertion moves it to the end, so that the first entry is always the oldest.
    entries.set(host, entry)
    const [oldest] = entries.keys()
    if (entries.size > entriesMax && oldest !== undefined) entries.delete(oldest)
    void entry.answer.then((resolution) => {
      entry.settled = resolution
      entry.expiresAt = performance.now() + cacheMs
    })
    return entry
  }

  /** What was judged of literal addresses holds as long as the settings do. */
  const literals = new Map<string, Resolution>()

  function judgeLiteral(address: string): Resolution {
    const resolution = literals.get(address) ?? judgeAll([address], opened)
    if (literals.size < entriesMax) literals.set(address, resolution)
    return resolution
  }

  return (host, withinMs) => {
    if (isIP(host) !== 0) return judgeLiteral(host)
    const known = entries.get(host)
    const entry = known !== undefined && performance.now() < known.expiresAt ? known : begin(host)
    return entry.settled ?? withTimeout(entry.answer, withinMs)
  }
}

async function judgeAnswers(lookup: Lookup, host: string, opened: readonly Network[]): Promise<Resolution> {
  try {
    return judgeAll(await lookup(host), opened)
  } catch (error) {
    return { kind: 'failed', error: 'dns_error', detail: error instanceof Error ? error.message : String(error) }
  }
}

function judgeAll(addresses: readonly string[], opened: readonly Network[]): Resolution {
  if (addresses.length === 0) return { kind: 'failed', error: 'dns_error', detail: 'the name has no address' }
  const forbidden = addresses.find((address) => !isAllowedAddress(address, opened))
  return forbidden === undefined
    ? { kind: 'allowed', addresses }
    : { kind: 'failed', error: 'blocked_address', detail: `${forbidden} is not allowed` }
}

async function withTimeout(answer: Promise<Resolution>, withinMs: number): Promise<Resolution> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Resolution>((resolve) => {
    timer = setTimeout(
      () => resolve({ kind: 'failed', error: 'timeout', detail: 'the name look-up took too long' }),
      withinMs,
    )
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
