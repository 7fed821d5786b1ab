// The moment of a move in which nobody writes: close, wait for the last row, compare what is left, switch. The closing
// has an end of its own, so that a mover that dies here keeps nobody out for long.
import { sql } from '../database/sql.js'
import { carryAnswers, carryDoors, removeDoors } from './carry-doors.js'
import type { RowKeys } from './changed-rows.js'
import { passMovedEvents } from './feed-positions.js'
import { bringRest } from './follow-events.js'
import { settleIn } from './homes.js'
import { asMover, type Move } from './moving.js'
import { untilArrived } from './replicate.js'
import { compareChanged, countOf, keylessDiffer } from './verify-rows.js'

type Outcome = { kind: 'switched' } | { kind: 'open'; why: string; suspects: RowKeys }

const CLOSED_MS = 5_000
/** Workers leave the organization alone for so long, if nobody goes on with the move. */
export const DRAINING_MS = 120_000

/** Closes the organization, and opens it on the other server; or here again, when something was in the way. */
export async function closeAndSwitch(move: Move, suspects: RowKeys, answeredAt: Date): Promise<Outcome> {
  const watch = stopwatch()
  const deadline = Date.now() + CLOSED_MS - 1_000
  const mark = await watch.time('closing', closeFence(move))
  move.say('Closed')
  const open = async (why: string, left: RowKeys): Promise<Outcome> => {
    await reopen(move)
    return { kind: 'open', why, suspects: left }
  }
  if (!(await watch.time('last rows', untilArrived(move, mark, deadline))))
    return open('the other server is behind', suspects)
  const comparing = Promise.all([compareChanged(move, suspects), keylessDiffer(move)])
  const [last, keyless] = await watch.time('comparing', comparing)
  if (last.suspects.size > 0) {
    const names = [...last.suspects.keys()].join(', ')
    return open(`${countOf(last.suspects)} rows of ${names} differ`, last.suspects)
  }
  if (keyless !== undefined) return open(`rows of ${keyless} differ`, suspects)
  await watch.time('events', Promise.all([passMovedEvents(move, 0), bringRest(move)]))
  await watch.time('keys', carryDoors(move))
  await watch.time('answers of the platform', carryAnswers(move, answeredAt))
  if (!(await watch.time('leaving', leaveForGood(move)))) return open('it took too long', suspects)
  await watch.time('opening', finishSwitch(move))
  move.say(`Closed for ${watch.passedMs()} ms: ${watch.told()}`)
  await move.directory.database.query(sql`update organization_moves set paused_ms = ${watch.passedMs()}
      where organization_id = ${move.organizationId}`)
  return { kind: 'switched' }
}

/** What the time went by with. */
function stopwatch() {
  const startedAt = Date.now()
  const steps: string[] = []
  return {
    async time<T>(name: string, step: Promise<T>): Promise<T> {
      const begunAt = Date.now()
      const result = await step
      steps.push(`${name} ${Date.now() - begunAt}`)
      return result
    },
    passedMs: () => Date.now() - startedAt,
    told: () => steps.join(', '),
  }
}

/** What follows once nothing can be written on the source any more; done again by whoever comes after a crash. */
export async function finishSwitch(move: Move): Promise<void> {
  const { source, target, directory, organizationId } = move
  await asMover(target, (client) =>
    client.query('delete from moving_organizations where organization_id = $1', [organizationId]),
  )
  await directory.database.query(sql`insert into key_homes (hash, organization_id)
      select hash, ${organizationId}::uuid from unnest(${await keysOf(move)}::bytea[]) hash
      on conflict (hash) do update set organization_id = excluded.organization_id`)
  await settleIn(directory.database, organizationId, target.name)
  await removeDoors(move)
  move.say(`Switched: ${organizationId} lives on ${target.name}; nothing leads to ${source.name} any more`)
}

async function keysOf({ target, tenantIds }: Move): Promise<Buffer[]> {
  const rows = await target.database.query<{ hash: Buffer }>(
    sql`select hash from api_keys where tenant_id = any (${tenantIds}::uuid[])`,
  )
  return rows.map(({ hash }) => hash)
}

const lock = `select pg_advisory_xact_lock(hashtextextended('moving ' || $1, 0))`

/** Waits for those who are writing, and lets nobody write after them. Returns the mark that is written last. */
const closeFence = ({ source, organizationId }: Move): Promise<number> =>
  asMover(source, async (client) => {
    await client.query(lock, [organizationId])
    await client.query(
      `update moving_organizations set state = 'closed', lapses_at = clock_timestamp() + $2 * interval '1 ms'
        where organization_id = $1`,
      [organizationId, CLOSED_MS],
    )
    const { rows } = await client.query<{ mark: string }>(
      `insert into move_marks (organization_id, mark) values ($1, 1)
        on conflict (organization_id) do update set mark = move_marks.mark + 1 returning mark::text`,
      [organizationId],
    )
    return Number(rows[0]?.mark)
  })

async function reopen({ source, organizationId }: Move): Promise<void> {
  await source.database.query(sql`update moving_organizations
    set state = 'draining', lapses_at = clock_timestamp() + ${DRAINING_MS} * interval '1 ms'
    where organization_id = ${organizationId} and state = 'closed'`)
}

/** False: the time was over, so somebody may have written again. */
const leaveForGood = ({ source, organizationId }: Move): Promise<boolean> =>
  asMover(source, async (client) => {
    await client.query(lock, [organizationId])
    const { rowCount } = await client.query(
      `update moving_organizations set state = 'gone'
        where organization_id = $1 and state = 'closed' and lapses_at > clock_timestamp()`,
      [organizationId],
    )
    return rowCount === 1
  })
