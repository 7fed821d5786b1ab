// Where an S3-compatible store is, as an operator writes it: `s3://bucket/prefix?endpoint=https://…&region=…`. It holds
// no credentials: those come as the AWS tools take them, from the environment, a profile or the role of the machine.
import { readUrl } from '../store/url.js'

export interface S3Address {
  readonly bucket: string
  /** What every key begins with: empty, or ending in a slash. */
  readonly prefix: string
  /** Undefined for AWS itself. */
  readonly endpoint: string | undefined
  /** Undefined: as the environment says. */
  readonly region: string | undefined
  /** Whether the bucket is named in the path, or in front of the host. */
  readonly isPathStyle: boolean
}

/** Completes the sentence "expected …". */
export const s3AddressExpected =
  's3://bucket/prefix with ?endpoint=, &region= and &style=path or virtual as your store needs them; credentials ' +
  'come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'

const known = new Set(['endpoint', 'region', 'style'])

/** Undefined when it is no such address. */
export function readS3Address(text: string): S3Address | undefined {
  const url = text.startsWith('s3://') ? readUrl(text) : undefined
  if (url === undefined || url.username || url.password || url.port || url.hash) return undefined
  const { searchParams: query } = url
  const endpoint = query.get('endpoint') ?? undefined
  const style = query.get('style') ?? (endpoint === undefined ? 'virtual' : 'path')
  const isSound =
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.hostname) &&
    [...query.keys()].every((name) => known.has(name)) &&
    (endpoint === undefined || isHttp(endpoint)) &&
    (style === 'path' || style === 'virtual')
  const path = decoded(url.pathname)?.replace(/^\/+|\/+$/g, '')
  if (!isSound || path === undefined) return undefined
  return {
    bucket: url.hostname,
    prefix: path === '' ? '' : `${path}/`,
    endpoint: endpoint?.replace(/\/+$/, ''),
    // Stores other than AWS mostly do not care, but a signature has to name one.
    region: query.get('region') ?? (endpoint === undefined ? undefined : 'us-east-1'),
    isPathStyle: style === 'path',
  }
}

function isHttp(text: string): boolean {
  const url = readUrl(text)
  return url !== undefined && /^https?:$/.test(url.protocol) && !url.username && !url.search && !url.hash
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

/** The address as messages show it. */
export const showS3Address = ({ bucket, prefix, endpoint }: S3Address): string =>
  `s3://${bucket}/${prefix}${endpoint === undefined ? '' : ` at ${endpoint}`}`
