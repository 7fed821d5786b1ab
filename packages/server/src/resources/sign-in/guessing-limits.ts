// How often a password may be guessed: counted in the database, before the guess is looked at, so that neither a crowd
// of guesses at once nor a restart nor another node gives more. Addresses that have no user are counted alike.
import { hash } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import type { Database } from '../../database/pool.js'
import { sql } from '../../database/sql.js'
import { ApiError } from '../../store/api-error.js'

/** Where guesses go: whose password, and from which address they come. */
export interface Guess {
  /** An e-mail address, or whatever else names the secret that is guessed. */
  readonly target: string
  readonly address: string
}

const windowMs = 15 * 60_000
/** Few for one address at one target; more in all, so that strangers can hardly lock a user out. */
const guessesMax = { pair: 10, target: 100, address: 200 } as const

/** Counts a guess, and refuses one too many. */
export async function countGuess(database: Database, guess: Guess, now: Date): Promise<void> {
  const since = new Date(now.getTime() - windowMs)
  const subjects = subjectsOf(guess)
  const rows = await database.query<{ subject: Buffer; attempts: number; began_at: Date }>(sql`
    insert into sign_in_attempts as a (subject, attempts, began_at)
    select s.subject, 1, ${now}::timestamptz from unnest(${subjects.map((one) => one.subject)}::bytea[]) s (subject)
    order by s.subject
    on conflict (subject) do update set
      attempts = case when a.began_at <= ${since}::timestamptz then 1 else a.attempts + 1 end,
      began_at = case when a.began_at <= ${since}::timestamptz then ${now}::timestamptz else a.began_at end
    returning subject, attempts, began_at`)
  const over = rows.filter((row) =>
    subjects.some(({ subject, max }) => subject.equals(row.subject) && row.attempts > max),
  )
  if (over.length === 0) return
  const untilMs = Math.max(...over.map(({ began_at }) => began_at.getTime())) + windowMs
  const seconds = Math.max(1, Math.ceil((untilMs - now.getTime()) / 1_000))
  throw new ApiError('rate_limited', `Too many attempts; wait ${seconds} s, or ask for a sign-in link`, undefined, {
    'retry-after': String(seconds),
  })
}

/** The guess was right: it does not count, and neither do those before it from the same address. */
export async function forgiveGuesses(database: Database, guess: Guess): Promise<void> {
  const [pair, ...others] = subjectsOf(guess).map(({ subject }) => subject)
  await database.query(sql`with pair as (delete from sign_in_attempts where subject = ${pair})
    update sign_in_attempts a set attempts = a.attempts - 1 from (
      select subject from sign_in_attempts where subject = any (${others}::bytea[]) order by subject for update) o
    where a.subject = o.subject and a.attempts > 0`)
}

function subjectsOf({ target, address }: Guess): { subject: Buffer; max: number }[] {
  const network = networkOf(address)
  const subject = (...parts: string[]) => hash('sha256', JSON.stringify(parts), 'buffer')
  return [
    { subject: subject('pair', target, network), max: guessesMax.pair },
    { subject: subject('target', target), max: guessesMax.target },
    { subject: subject('address', network), max: guessesMax.address },
  ]
}

/** Whoever has an IPv6 address has a /64 full of them. */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const read = ipaddr.process(address)
  return read.kind() === 'ipv4' ? read.toString() : read.toByteArray().slice(0, 8).join('.')
}
