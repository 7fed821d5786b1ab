// Twilio's signature: an HMAC of the address and the sorted fields of the form, or of the address alone where a hash of
// the body is part of it. Twilio is not consistent about ports and escapes, so every form of the address is tried.
import { createHash, createHmac } from 'node:crypto'
import { parse, stringify } from 'node:querystring'
import type { InboundRequest } from '../provider.js'
import { isAnyOf, isSame } from '../signatures.js'

export function isSignedByTwilio({ url, headers, body }: InboundRequest, tokens: readonly string[]): boolean {
  const bodyHash = new URL(url).searchParams.get('bodySHA256')
  if (bodyHash !== null && !isSame(createHash('sha256').update(body).digest('hex'), bodyHash.toLowerCase()))
    return false
  const fields = bodyHash === null ? signedFields(body) : ''
  const expected = tokens.flatMap((token) => spellings(url).map((spelling) => signature(token, spelling + fields)))
  return isAnyOf(headers['x-twilio-signature'], expected)
}

const signature = (token: string, text: string): string =>
  createHmac('sha1', token).update(text, 'utf8').digest('base64')

/** Names in order, each with its different values in order. */
function signedFields(body: Buffer): string {
  const fields = new Map<string, Set<string>>()
  for (const [name, value] of new URLSearchParams(body.toString('utf8')))
    fields.set(name, (fields.get(name) ?? new Set<string>()).add(value))
  const names = [...fields.keys()].sort()
  return names
    .map((name) =>
      [...(fields.get(name) ?? [])]
        .sort()
        .map((value) => name + value)
        .join(''),
    )
    .join('')
}

/** As it was called and as a parser writes it, each with and without its port. */
function spellings(url: string): string[] {
  const written = [url, new URL(url).href, withEscapedQuery(url), withEscapedQuery(new URL(url).href)]
  return [...new Set(written.flatMap((one) => [one, withPort(one), withoutPort(one)]))]
}

const AUTHORITY = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*?)(:\d+)?(?=[/?#]|$)/i

const withPort = (url: string): string =>
  url.replace(AUTHORITY, (_, scheme: string, host: string, port?: string) => {
    const standard = scheme.toLowerCase() === 'https://' ? ':443' : ':80'
    return scheme + host + (port ?? standard)
  })

const withoutPort = (url: string): string => url.replace(AUTHORITY, (_, scheme: string, host: string) => scheme + host)

function withEscapedQuery(url: string): string {
  const at = url.indexOf('?')
  return at < 0 ? url : `${url.slice(0, at)}?${stringify(parse(url.slice(at + 1)))}`
}
