// Asks for the addresses of a name: the hosts file first, then DNS, both families. It judges nothing.

import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'

/** All addresses of a name, in the order in which they should be tried. Rejects, or is empty, when there are none. */
export type Lookup = (hostname: string) => Promise<readonly string[]>

export interface LookupOptions {
  /** `address:port` of the DNS servers; those of the system when not given. */
  servers?: readonly string[]
  hostsFile?: string
  timeoutMs?: number
}

/**
 * `dns.lookup` is not used on purpose: it runs in libuv's thread pool, which gives name look-ups two of its four
 * threads, so two names whose servers do not answer would hold up every other delivery of the process. These queries
 * hold nothing but a socket. The price is that search domains and other sources of the system's resolver are not asked:
 * a subscriber's name is a full one.
 */
export function createLookup({ servers, hostsFile = '/etc/hosts', timeoutMs = 2_000 }: LookupOptions = {}): Lookup {
  const currentResolver = createCurrentResolver(servers, timeoutMs)
  return async (hostname) => {
    const local = await readHostsFile(hostsFile, hostname)
    return local.length > 0 ? local : await queryBothFamilies(currentResolver(), hostname)
  }
}

/**
 * A resolver reads the system's servers once, when it is made. A new one now and then lets a server that runs for
 * months follow a change of network.
 */
function createCurrentResolver(servers: readonly string[] | undefined, timeoutMs: number): () => Resolver {
  const renewedAfterMs = 30_000
  let resolver: Resolver | undefined
  let madeAt = 0
  return () => {
    if (resolver !== undefined && performance.now() - madeAt < renewedAfterMs) return resolver
    resolver = new Resolver({ timeout: timeoutMs, tries: 2 })
    if (servers !== undefined) resolver.setServers(servers)
    madeAt = performance.now()
    return resolver
  }
}

/**
 * One family is enough: plenty of names have no AAAA record, and some name servers do not answer when asked for one.
 */
async function queryBothFamilies(resolver: Resolver, hostname: string): Promise<readonly string[]> {
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason
  return [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}

async function readHostsFile(file: string, hostname: string): Promise<readonly string[]> {
  const text = await readFile(file, 'utf8').catch(() => '') // A machine without the file has no local names.
  const wanted = hostname.toLowerCase()
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    return isIP(address) !== 0 && names.some((name) => name.toLowerCase() === wanted) ? [address] : []
  })
}
