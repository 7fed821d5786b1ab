// Idempotency keys: what was answered under a key is kept in the commit of its effect, and told again to whoever asks
// the same.
import { createHash } from 'node:crypto'
import type { Database } from '../database/pool.js'
import { raw, sql } from '../database/sql.js'
import type { ApiError } from './api-error.js'
import type { Context, Part } from './commit-rows.js'
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

/** Also what was kept before keys had days. */
export async function remember(
  database: Database,
  sealer: Sealer,
  tenantId: string,
  claim: Claim,
  now: Date,
): Promise<Remembered> {
  const [row] = await database.read<[Buffer, number, Buffer, boolean, Record<string, string>]>(sql`
    select fingerprint, status, body, sealed, headers from (
      select fingerprint, status, body, sealed, headers, created_at from answered_keys
      where tenant_id = ${tenantId} and key = ${claim.key} and day >= ${today} - 1
      union all select fingerprint, status, body, sealed, headers, created_at from idempotency_keys
      where tenant_id = ${tenantId} and key = ${claim.key}
    ) k where created_at >= ${now}::timestamptz - interval '24 hours' limit 1`)
  if (row === undefined) return { kind: 'unknown' }
  const [stored, status, body, sealed, headers] = row
  if (!stored.equals(claim.fingerprint)) return { kind: 'conflict' }
  const text = sealed ? sealer.open(body) : body.toString('utf8')
  return { kind: 'answered', answer: { status, body: text === '' ? null : text, headers, secret: sealed } }
}

const today = raw(`(key_clock() at time zone 'utc')::date`)

/** Long enough that whoever began on the day before has ended, whatever it waited for. */
const isDayYoung = raw(`(key_clock() at time zone 'utc')::time < '00:05'`)

/**
 * Claims the key with the answer in the commit of its effect. Twins on one day meet in the primary key of that day. So
 * do twins on both sides of midnight: while a day is young, a claim is made in the day before as well, and there first.
 * Later whoever began on the day before has ended, and is seen.
 */
export function claimPart(sealer: Sealer, { tenantId, now }: Context, claim: Claim, answer: Answer<unknown>): Part {
  const body = answer.body ?? ''
  const kept = answer.secret ? sealer.seal(body) : Buffer.from(body)
  const isNew = sql`not exists (select from answered_keys where tenant_id = ${tenantId}::uuid and key = ${claim.key}
    and day = ${today} - 1 and created_at >= ${now}::timestamptz - interval '24 hours')`
  return {
    name: 'claimed_key',
    body: sql`insert into answered_keys (tenant_id, key, day, fingerprint, status, body, sealed, headers, created_at)
      select ${tenantId}::uuid, ${claim.key}::text, d.day, ${claim.fingerprint}::bytea, ${answer.status}::smallint,
        ${kept}::bytea, ${answer.secret === true}::boolean, ${JSON.stringify(answer.headers ?? {})}::json,
        ${now}::timestamptz
      from (select ${today} - 1 where ${isDayYoung} union all select ${today} where ${isNew}) d (day) order by d.day
      on conflict (tenant_id, key, day) do update set fingerprint = excluded.fingerprint, status = excluded.status,
        body = excluded.body, sealed = excluded.sealed, headers = excluded.headers, created_at = excluded.created_at
        where answered_keys.created_at < excluded.created_at - interval '24 hours'
      returning 1`,
  }
}

/** A claim that was made in one of two days would answer for something that was not done. */
export const claimedWhole = sql`,
  must((select count(*) from claimed_key) <> case when ${isDayYoung} then 1 else -1 end, 'claimed_key')`

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? ''
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`
}
