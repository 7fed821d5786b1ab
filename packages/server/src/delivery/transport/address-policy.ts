// Says which addresses a webhook may be sent to: public unicast ones, and networks the operator has opened. Also judges
// a subscription's URL when it is written, as far as that is possible without asking DNS; the addresses behind a name
// are judged at every attempt.

import { isIP } from 'node:net'
import { limits } from '@parley/contract'
import ipaddr from 'ipaddr.js'
import { readUrl } from '../../store/url.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** A network that is open besides the public ones. */
export type Network = readonly [Address, number]

/** Reads CIDRs and single addresses. It throws on anything else: settings are checked before they come here. */
export function readNetworks(cidrs: readonly string[]): readonly Network[] {
  return cidrs.map((cidr) => {
    if (cidr.includes('/')) return ipaddr.parseCIDR(cidr)
    const address = ipaddr.parse(cidr)
    return [address, address.kind() === 'ipv4' ? 32 : 128]
  })
}

/**
 * `text` is an address in its plain form, as DNS answers and sockets have it. Anything else is refused, a zone id
 * included.
 */
export function isAllowedAddress(text: string, opened: readonly Network[]): boolean {
  if (isIP(text) === 0 || text.includes('%')) return false
  const address = ipaddr.parse(text)
  return isIn(opened, address) || isPublic(address)
}

/**
 * Only 2000::/3 is handed out as global unicast, so everything else of IPv6 is closed: loopback, link-local,
 * site-local, unique local, multicast and the forms that carry an IPv4 address (mapped, compatible, translated, NAT64).
 * The library names the exceptions inside; the list below adds what it leaves out.
 */
function isPublic(address: Address): boolean {
  return (
    address.range() === 'unicast' &&
    !isIn(closed, address) &&
    (address.kind() === 'ipv4' || isIn(globalUnicast, address))
  )
}

const globalUnicast = readNetworks(['2000::/3'])

const closed = readNetworks([
  '168.63.129.16', // The host agent of Azure's machines: a public address that answers from inside with credentials.
  '2001::/23', // Protocol assignments: Teredo, benchmarking, ORCHID and others. None of them is a web server.
  '2001:db8::/32',
  '2002::/16', // 6to4 carries an IPv4 address, which may be a private one.
  '3fff::/20',
])

function isIn(networks: readonly Network[], address: Address): boolean {
  return networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
}

export type UrlJudgement = { kind: 'accepted'; url: URL } | { kind: 'refused'; message: string }

/**
 * Judges the URL of a subscription. The parser of the URL standard turns every spelling of an address (decimal, octal,
 * hexadecimal, short, full-width, percent-encoded, with a dot at the end) into the plain one and refuses zone ids, so a
 * literal address is judged however it was written.
 */
export function judgeUrl(text: string, opened: readonly Network[]): UrlJudgement {
  if (text.length > limits.urlLength) return refused(`The url is longer than ${limits.urlLength} characters.`)
  // The parser would drop or turn these in silence, and what is stored would not be what is called.
  if (/[\s\p{Cc}\\]/u.test(text)) return refused('The url must not contain spaces, control characters or backslashes.')
  const url = readUrl(text)
  if (url === undefined) return refused('The url is not a valid URL.')
  if (url.protocol !== 'https:') return refused('The url must begin with https://.')
  if (hasUserinfo(text)) return refused('The url must not contain a user name or password.')
  if (text.includes('#')) return refused('The url must not contain a fragment.')
  if (url.port === '0') return refused('The url must not name port 0.')
  const host = bareHost(url)
  if (host.split('.').includes('')) return refused('The url has no valid host name.')
  if (!isAllowedLiteral(host, opened)) return refused(`The url points to ${host}, which is not a public address.`)
  return { kind: 'accepted', url }
}

/** The host as a resolver or a socket takes it: without the brackets of IPv6 and dots at the end. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.+$/, '')
}

/** An empty userinfo (`https://@host`) leaves no trace in the parsed URL, so the text is asked. */
function hasUserinfo(text: string): boolean {
  const authority = text.replace(/^[^:]*:\/*/, '').split(/[/?#]/, 1)[0]
  return authority?.includes('@') ?? false
}

/** Names other than localhost pass: they are resolved and judged at every attempt. */
function isAllowedLiteral(host: string, opened: readonly Network[]): boolean {
  if (isIP(host) !== 0) return isAllowedAddress(host, opened)
  const isLocalhost = host === 'localhost' || host.endsWith('.localhost')
  return !isLocalhost || isAllowedAddress('127.0.0.1', opened) || isAllowedAddress('::1', opened)
}

function refused(message: string): UrlJudgement {
  return { kind: 'refused', message }
}
