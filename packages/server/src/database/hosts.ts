// A connection URL with several hosts, as libpq reads it: `postgresql://user@one:5432,two:5432/name`, or
// `?host=/socket/one,/socket/two&port=5432,5433`, with `target_session_attrs` and `connect_timeout`. The driver knows
// neither of these, and one host a URL.

export const sessionKinds = ['any', 'read-write', 'primary', 'read-only', 'standby', 'prefer-standby'] as const
export type SessionKind = (typeof sessionKinds)[number]

export interface Hosts {
  /** A URL each, in the order of trying. */
  readonly urls: readonly string[]
  /** What a server must be to be used; undefined when the URL does not say. */
  readonly kind: SessionKind | undefined
  /** How long connecting may take, 0 for as long as it does; undefined when the URL does not say. */
  readonly connectTimeoutMs: number | undefined
}

/** Undefined when it is no such URL. */
export function hostsOf(url: string): Hosts | undefined {
  const parts = /^(postgres(?:ql)?:\/\/)((?:[^/?]*@)?)([^/?]*)(\/[^?]*)?(?:\?(.*))?$/s.exec(url)
  if (parts === null) return undefined
  const [, scheme = '', user = '', authority = '', path = '', queryText = ''] = parts
  const query = queryText.split('&').filter((pair) => pair !== '')
  const valuesOf = (name: string) =>
    query.flatMap((pair) => (pair.startsWith(`${name}=`) ? pair.slice(name.length + 1).split(/,|%2C/i) : []))
  const [kind, ...more] = valuesOf('target_session_attrs')
  const known = sessionKinds.find((one) => one === kind)
  const [seconds = '', ...others] = valuesOf('connect_timeout')
  if (more.length > 0 || (kind !== undefined && known === undefined)) return undefined
  if (others.length > 0 || !/^\d{0,6}$/.test(seconds)) return undefined
  const found = { kind: known, connectTimeoutMs: seconds === '' ? undefined : Number(seconds) * 1_000 }
  const rest = query.filter((pair) => !/^(target_session_attrs|host|port)=/.test(pair))
  const [folders, ports] = [valuesOf('host'), valuesOf('port')]
  if (folders.length === 0) {
    const [onlyPort] = ports
    const kept = onlyPort === undefined ? rest : [...rest, `port=${onlyPort}`]
    return { ...found, urls: authority.split(',').map((host) => joined(scheme + user + host + path, kept)) }
  }
  if (ports.length > 1 && ports.length !== folders.length) return undefined
  const urls = folders.map((folder, index) => {
    const port = ports[index] ?? ports[0]
    const address = [`host=${folder}`, ...(port === undefined ? [] : [`port=${port}`])]
    return joined(scheme + user + authority + path, [...rest, ...address])
  })
  return { ...found, urls }
}

const joined = (address: string, query: readonly string[]): string =>
  query.length === 0 ? address : `${address}?${query.join('&')}`
