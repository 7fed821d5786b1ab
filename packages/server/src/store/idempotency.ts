// Idempotency keys: what was answered under a key is kept in the commit of its effect, and told again to whoever asks
// the same.
import { createHash } from 'node:crypto'
import type { Database } from '../database/pool.js'
import { raw, type Sql, sql } from '../database/sql.js'
import type { ApiError } from './api-error.js'
import type { Context, Part } from './commit-rows.js'
import type { Answer } from './response.js'
import type { Sealer } from './secret-box.js'

export interface Claim {
  readonly key: string
  readonly fingerprint: Buffer
  /** The stored response of a request that is refused. */
  readonly refusal: (error: ApiError) => Answer
  /** It is not certain of which day a claim would be: it is made at any hour, at the price of that. */
  readonly atAnyHour?: boolean
}

export type Remembered = { kind: 'answered'; answer: Answer } | { kind: 'conflict' } | { kind: 'unknown' }

/** Method, path with query, and the parsed body with sorted keys: the same request however it is written. */
export function fingerprint(method: string, path: string, body: unknown): Buffer {
  return createHash('sha256')
    .update(`${method} ${path}\n${canonical(body)}`)
    .digest()
}

/** Looks at all days that there are, a handful: to leave some out takes longer. */
export async function remember(
  database: Database,
  sealer: Sealer,
  tenantId: string,
  claim: Claim,
  now: Date,
): Promise<Remembered> {
  const [row] = await database.read<[Buffer, number, Buffer, boolean, Record<string, string>]>(
    sql`select fingerprint, status, body, sealed, headers from answered_keys
      where tenant_id = ${tenantId} and key = ${claim.key} and created_at >= ${now}::timestamptz - ${lifetime}`,
  )
  if (row === undefined) return { kind: 'unknown' }
  const [stored, status, body, sealed, headers] = row
  if (!stored.equals(claim.fingerprint)) return { kind: 'conflict' }
  const text = sealed ? sealer.open(body) : body.toString('utf8')
  return { kind: 'answered', answer: { status, body: text === '' ? null : text, headers, secret: sealed } }
}

/** Long enough after midnight that whoever began on the day before has ended, whatever it waited for. */
const DAY_IS_SETTLED = '00:05'

const lifetime = raw(`interval '24 hours'`)
const today = raw(`(key_clock() at time zone 'utc')::date`)
const isDayYoung = raw(`(key_clock() at time zone 'utc')::time < '${DAY_IS_SETTLED}'`)

/**
 * Claims the key with the answer in the commit of its effect: `not_a_replay` is empty where another request has it, and
 * where the database's clock is not where that of this process is, so that it is not certain.
 */
export function claimParts(sealer: Sealer, { tenantId, now }: Context, claim: Claim, answer: Answer<unknown>): Part[] {
  const body = answer.body ?? ''
  const kept = answer.secret ? sealer.seal(body) : Buffer.from(body)
  const insert = (day: Sql) =>
    sql`insert into answered_keys (tenant_id, key, day, fingerprint, status, body, sealed, headers, created_at)
      select ${tenantId}::uuid, ${claim.key}::text, ${day}, ${claim.fingerprint}::bytea, ${answer.status}::smallint,
        ${kept}::bytea, ${answer.secret === true}::boolean, ${JSON.stringify(answer.headers ?? {})}::json,
        ${now}::timestamptz`
  if (!claim.atAnyHour && now.toISOString().slice(11) >= DAY_IS_SETTLED)
    return [{ name: 'not_a_replay', body: claimOfDay(insert, tenantId, now, claim.key) }]
  return [
    { name: 'claimed_key', body: claimOfAnyHour(insert(raw('d.day')), tenantId, now, claim.key) },
    // All of the claim comes before anything else, and one that was made in one of two days is undone: it would answer
    // for something that was not done.
    {
      name: 'not_a_replay',
      body: sql`select must(count(*) <> case when ${isDayYoung} then 1 else -1 end, 'claimed_key')
        from claimed_key having count(*) > 0`,
    },
  ]
}

/**
 * While the day is settled. Whoever claimed on the day before has ended and is seen; twins of the same day meet in the
 * primary key.
 */
function claimOfDay(insert: (day: Sql) => Sql, tenantId: string, now: Date, key: string): Sql {
  const day = sql`${now.toISOString().slice(0, 10)}::date`
  return sql`${insert(day)}
    where ${today} = ${day} and not ${isDayYoung} and ${isUnused(day, tenantId, now, key)}
    on conflict do nothing returning 1`
}

/** On the day before. */
const isUnused = (day: Sql, tenantId: string, now: Date, key: string): Sql =>
  sql`not exists (select from answered_keys where tenant_id = ${tenantId}::uuid and key = ${key}
    and day = ${day} - 1 and created_at >= ${now}::timestamptz - ${lifetime})`

/**
 * Twins on both sides of midnight meet as well: while a day is young, a claim is made in the day before too, and there
 * first. Later whoever began on the day before has ended, and is seen.
 */
function claimOfAnyHour(insert: Sql, tenantId: string, now: Date, key: string): Sql {
  return sql`${insert}
    from (select ${today} - 1 where ${isDayYoung}
      union all select ${today} where ${isUnused(today, tenantId, now, key)}) d (day) order by d.day
    on conflict (tenant_id, key, day) do update set fingerprint = excluded.fingerprint, status = excluded.status,
      body = excluded.body, sealed = excluded.sealed, headers = excluded.headers, created_at = excluded.created_at
      where answered_keys.created_at < excluded.created_at - ${lifetime}
    returning 1`
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? ''
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`
}
