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
  /** When the key was looked for and not found, where that is enough to claim it. */
  readonly unused?: Unused | undefined
}

/** A key that nobody had used, neither on this day nor on the one before, and at what hour of the process that was. */
interface Unused {
  readonly day: string
  readonly seenAt: number
}

export type Remembered =
  | { kind: 'answered'; answer: Answer }
  | { kind: 'conflict' }
  | { kind: 'unknown'; unused?: Unused | undefined }

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
  const seenAt = performance.now()
  const rows = await database.read<[number, boolean, Buffer, number, Buffer, boolean, Record<string, string>]>(
    sql`select extract(epoch from key_clock())::float8, created_at >= ${now}::timestamptz - ${lifetime}, fingerprint,
        status, body, sealed, headers
      from (select 1) always left join answered_keys on tenant_id = ${tenantId} and key = ${claim.key}`,
  )
  const row = rows.find(([, isFresh]) => isFresh)
  if (row === undefined) return { kind: 'unknown', unused: unusedIn(rows, seenAt) }
  const [, , stored, status, body, sealed, headers] = row
  if (!stored.equals(claim.fingerprint)) return { kind: 'conflict' }
  const text = sealed ? sealer.open(body) : body.toString('utf8')
  return { kind: 'answered', answer: { status, body: text === '' ? null : text, headers, secret: sealed } }
}

/**
 * No row but that of the clock, and far from midnight: whoever claimed on the day before has ended, and whoever claims
 * by this ends on the same day.
 */
function unusedIn([row]: readonly (readonly [number, boolean | null, ...unknown[]])[], seenAt: number) {
  if (row === undefined || row[1] !== null) return undefined
  const clock = new Date(row[0] * 1_000).toISOString()
  const time = clock.slice(11, 16)
  return time >= DAY_IS_SETTLED && time < DAY_IS_LATE ? { day: clock.slice(0, 10), seenAt } : undefined
}

/** Long enough after midnight that whoever began on the day before has ended, whatever it waited for. */
const DAY_IS_SETTLED = '00:05'
const DAY_IS_LATE = '23:55'

const lifetime = raw(`interval '24 hours'`)
const today = raw(`(key_clock() at time zone 'utc')::date`)
const isDayYoung = raw(`(key_clock() at time zone 'utc')::time < '${DAY_IS_SETTLED}'`)

/** How long after it was seen to be unused a key may be claimed by that. */
const UNUSED_MS = 60_000

/**
 * Claims the key with the answer in the commit of its effect: `not_a_replay` is empty where another request has it.
 * Usually the key was just seen to be unused, and only twins of the same day are left to meet, in its primary key.
 */
export function claimParts(sealer: Sealer, { tenantId, now }: Context, claim: Claim, answer: Answer<unknown>): Part[] {
  const body = answer.body ?? ''
  const kept = answer.secret ? sealer.seal(body) : Buffer.from(body)
  const insert = (day: Sql) =>
    sql`insert into answered_keys (tenant_id, key, day, fingerprint, status, body, sealed, headers, created_at)
      select ${tenantId}::uuid, ${claim.key}::text, ${day}, ${claim.fingerprint}::bytea, ${answer.status}::smallint,
        ${kept}::bytea, ${answer.secret === true}::boolean, ${JSON.stringify(answer.headers ?? {})}::json,
        ${now}::timestamptz`
  const { unused } = claim
  if (unused && performance.now() - unused.seenAt < UNUSED_MS)
    return [{ name: 'not_a_replay', body: sql`${insert(sql`${unused.day}::date`)} on conflict do nothing returning 1` }]
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
 * Twins on both sides of midnight meet as well: while a day is young, a claim is made in the day before too, and there
 * first. Later whoever began on the day before has ended, and is seen.
 */
function claimOfAnyHour(insert: Sql, tenantId: string, now: Date, key: string): Sql {
  const isNew = sql`not exists (select from answered_keys where tenant_id = ${tenantId}::uuid and key = ${key}
    and day = ${today} - 1 and created_at >= ${now}::timestamptz - ${lifetime})`
  return sql`${insert}
    from (select ${today} - 1 where ${isDayYoung} union all select ${today} where ${isNew}) d (day) order by d.day
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
