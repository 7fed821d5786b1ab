// Idempotency keys: what was answered under a key is kept in the commit of its effect, and told again to whoever asks
// the same.
import { createHash } from 'node:crypto'
import type { Database } from '../database/pool.js'
import { sql } from '../database/sql.js'
import type { ApiError } from './api-error.js'
import type { Answer } from './response.js'
import type { Sealer } from './secret-box.js'

export interface Claim {
  readonly key: string
  readonly fingerprint: Buffer
  /** The stored response of a request that is refused. */
  readonly refusal: (error: ApiError) => Answer
}

export type Remembered = { kind: 'answered'; answer: Answer } | { kind: 'conflict' } | { kind: 'unknown' }

/** Method, path with query, and the parsed body with sorted keys: the same request however it is written. */
export function fingerprint(method: string, path: string, body: unknown): Buffer {
  return createHash('sha256')
    .update(`${method} ${path}\n${canonical(body)}`)
    .digest()
}

export async function remember(
  database: Database,
  sealer: Sealer,
  tenantId: string,
  claim: Claim,
  now: Date,
): Promise<Remembered> {
  const [row] = await database.read<[Buffer, number, Buffer, boolean, Record<string, string>]>(sql`
    select fingerprint, status, body, sealed, headers from idempotency_keys
    where tenant_id = ${tenantId} and key = ${claim.key} and created_at >= ${now}::timestamptz - interval '24 hours'`)
  if (row === undefined) return { kind: 'unknown' }
  const [stored, status, body, sealed, headers] = row
  if (!stored.equals(claim.fingerprint)) return { kind: 'conflict' }
  const text = sealed ? sealer.open(body) : body.toString('utf8')
  return { kind: 'answered', answer: { status, body: text === '' ? null : text, headers, secret: sealed } }
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? ''
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`
}
