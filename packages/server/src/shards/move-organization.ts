// Moves an organization to another server while it is used: copy, catch up, compare, close it for a moment, switch,
// clean up. Each phase is written down before it begins and can be begun again, so that a move that was killed goes on
// when the same command is given once more.
import { setTimeout as sleep } from 'node:timers/promises'
import { backgroundProgress } from '../database/background-migrations.js'
import { compile, sql } from '../database/sql.js'
import { StartupError } from '../database/startup-error.js'
import type { BroughtFanOut } from './brought-events.js'
import { carryAnswers } from './carry-doors.js'
import type { RowKeys } from './changed-rows.js'
import { startLooking, stopLooking } from './changed-rows.js'
import { cleanUp, openAgain, removeRows } from './clean-up.js'
import { closeAndSwitch, DRAINING_MS, finishSwitch } from './close-and-switch.js'
import { passMovedEvents, placeOnArrival, planPositions } from './feed-positions.js'
import { raiseFence } from './fence.js'
import { catchUp } from './follow-events.js'
import { homeOf } from './homes.js'
import { enterPhase, findMove, type Phase, phases, registerMove } from './move-register.js'
import { movedTables } from './moved-tables.js'
import { ask, asMover, type Move, setState } from './moving.js'
import { overOpenConnections } from './open-connections.js'
import { isSubscribed, learnTables, publish, requireLogicalWal, subscribe, untilCopied } from './replicate.js'
import type { Shards } from './shards.js'
import { readShell, shellStatement } from './shells.js'
import { compareAll, compareChanged, countOf } from './verify-rows.js'

export interface Wanted {
  readonly organizationId: string
  readonly target: string
  /** How one server reaches another, by its name. */
  readonly urlOf: (shard: string) => string
  readonly say: (line: string) => void
  readonly fanOut: BroughtFanOut
}

/** Goes on with the move of the organization, or begins it. Returns how long nobody could write. */
export async function moveOrganization(shards: Shards, wanted: Wanted): Promise<number | null> {
  const { organizationId } = wanted
  const directory = shards.main.database
  const known = await findMove(directory, organizationId)
  if (known === undefined || known.phase === 'done') await begin(shards, wanted)
  else if (known.target !== wanted.target)
    throw new StartupError(
      `Organization ${organizationId} is on its way to ${known.target}. Let that move end (--to ${known.target}), or ` +
        'cancel it with --cancel.',
    )
  else wanted.say(`Going on with ${known.phase}`)
  const registered = await findMove(directory, organizationId)
  if (registered === undefined) throw new Error('The move is not in the register')
  const move = await describeMove(shards, wanted, registered.source)
  for (const phase of phases.slice(phases.indexOf(registered.phase))) {
    if (phase !== 'done') wanted.say(`${move.source.name} → ${move.target.name}: ${phase}`)
    await enterPhase(directory, organizationId, phase)
    await run[phase](move)
  }
  return (await findMove(directory, organizationId))?.pausedMs ?? null
}

const run: Record<Phase, (move: Move) => Promise<void>> = {
  preparing: prepareMove,
  async copying(move) {
    await subscribe(move)
    await untilCopied(move)
    await learnTables(move)
  },
  verifying: closeOnceVerified,
  async closing(move) {
    await closeOnceVerified(move)
    if ((await homeOf(move.directory.database, move.organizationId)) !== move.target.name) await finishSwitch(move)
  },
  cleaning: cleanUp,
  done: async () => undefined,
}

/** What is known of rows that may differ is not kept, so whoever comes after a crash compares from the beginning. */
async function closeOnceVerified(move: Move): Promise<void> {
  if (await isGone(move)) return
  const suspects = await verify(move)
  await enterPhase(move.directory.database, move.organizationId, 'closing')
  move.say('Comparing is done; workers are asked to leave it alone')
  await fence(move, suspects)
}

async function begin(shards: Shards, { organizationId, target }: Wanted): Promise<void> {
  const source = await homeOf(shards.main.database, organizationId)
  await requireTenants(shards, organizationId)
  if (source === target) throw new StartupError(`Organization ${organizationId} lives on ${target} already.`)
  await registerMove(shards.main.database, { organizationId, source, target })
}

export async function describeMove(shards: Shards, wanted: Wanted, sourceName: string): Promise<Move> {
  const source = shards.named(sourceName)
  const target = shards.named(wanted.target)
  return {
    organizationId: wanted.organizationId,
    tenantIds: await requireTenants(shards, wanted.organizationId),
    source,
    target,
    directory: shards.main,
    sourceUrl: wanted.urlOf(source.name),
    tables: await movedTables(source.database),
    say: wanted.say,
    fanOut: wanted.fanOut,
  }
}

async function requireTenants({ main }: Shards, organizationId: string): Promise<string[]> {
  const tenants = await main.database.query<{ id: string }>(
    sql`select id from tenants where organization_id = ${organizationId} order by id`,
  )
  if (tenants.length > 0) return tenants.map(({ id }) => id)
  throw new StartupError(`There is no organization ${organizationId}. List them with: parley-server org list`)
}

/** Everything that is there before the first row is copied. */
async function prepareMove(move: Move): Promise<void> {
  const { source, target, organizationId } = move
  await requireLogicalWal(move)
  await requireSameSchema(move)
  await setState(target, organizationId, 'arriving')
  await raiseFence(move, target)
  if (!(await isSubscribed(move))) await removeRows(move, target)
  const shell = await readShell(source.database, organizationId)
  if (shell) await asMover(target, (client) => client.query(compile(shellStatement(shell))), true)
  await publish(move)
  await placeOnArrival(move)
  // Rows that are copied already stand where the first plan put them.
  if (!(await isSubscribed(move))) await planPositions(move)
}

async function requireSameSchema({ source, target }: Move): Promise<void> {
  const names = `select string_agg(name, ',' order by name) as value from migrations`
  const [ours, theirs] = await Promise.all([source, target].map(({ database }) => ask<string>(database, names)))
  if (ours !== theirs)
    throw new StartupError(
      `${source.name} and ${target.name} are not of the same version. Run parley-server migrate first.`,
    )
  // What an upgrade goes through in batches it has done for some rows and not for others; on its way a row would pass
  // it.
  const [pending] = await backgroundProgress(source.database)
  if (pending)
    throw new StartupError(
      `An upgrade of ${source.name} and ${target.name} is still at work (${pending.name}). Move when it is done: ` +
        '/readyz shows how far it is.',
    )
}

/** Compares every row, and those that change meanwhile, until few are left that may differ. */
async function verify(move: Move): Promise<RowKeys> {
  await startLooking(move)
  const all = await compareAll(move)
  move.say(`Compared ${all.rows} rows; ${countOf(all.suspects)} to be looked at again`)
  let { suspects } = all
  for (let round = 0; round < ROUNDS; round++) {
    const again = await compareChanged(move, suspects)
    suspects = again.suspects
    if (again.rows < FEW_ROWS) break
  }
  return suspects
}

const ROUNDS = 20
const FEW_ROWS = 500
/** Longer than a node trusts what it remembers of keys without word from their server. */
const HEARD_MS = 1_500
const DRAIN_MS = 20_000

const fence = (move: Move, suspects: RowKeys): Promise<void> =>
  overOpenConnections(move, (open) => closeWhenQuiet(open, suspects))

async function closeWhenQuiet(move: Move, suspects: RowKeys): Promise<void> {
  const { source, organizationId } = move
  await source.database.query(sql`with heard as (select note_auth_change(${organizationId}, null))
    insert into moving_organizations (organization_id, state) select ${organizationId}, 'leaving' from heard
    on conflict (organization_id) do update set state = 'leaving'`)
  await raiseFence(move, source)
  await sleep(HEARD_MS)
  await source.database.query(sql`update moving_organizations
    set state = 'draining', lapses_at = clock_timestamp() + ${DRAINING_MS} * interval '1 ms'
    where organization_id = ${organizationId}`)
  await untilDrained(move)
  let left = suspects
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    await passMovedEvents(move, SPARE)
    await catchUp(move)
    const answeredAt = await carryAnswers(move)
    left = (await compareChanged(move, left)).suspects
    const outcome = await closeAndSwitch(move, left, answeredAt)
    if (outcome.kind === 'switched') return stopLooking(move)
    left = outcome.suspects
    move.say(`Not switched, because ${outcome.why}; the organization goes on where it is`)
    await sleep(HEARD_MS)
  }
  await openAgain(move)
  throw new StartupError(
    `Organization ${organizationId} was not switched in ${ATTEMPTS} attempts, and goes on where it is. Try again ` +
      'in a quieter hour, or give up with --cancel.',
  )
}

const ATTEMPTS = 10

/** Numbers of transactions that the source may take until it is closed. */
const SPARE = 20_000

/** Until no worker holds anything: what is held when the organization is closed would be done again. */
async function untilDrained(move: Move): Promise<void> {
  const claiming = move.tables.filter(({ hasClaim }) => hasClaim).map(({ name }) => name)
  for (const deadline = Date.now() + DRAIN_MS; Date.now() < deadline; await sleep(50)) {
    const held = await Promise.all(
      claiming.map((name) =>
        ask(
          move.source.database,
          `select 1 as value from ${name} where tenant_id = any ($1::uuid[]) and claim is not null limit 1`,
          [move.tenantIds],
        ),
      ),
    )
    if (held.every((one) => one === undefined)) return
  }
  move.say('Workers still hold something; it is taken up again on the other server')
}

async function isGone({ source, organizationId }: Move): Promise<boolean> {
  const state = await ask<string>(
    source.database,
    'select state as value from moving_organizations where organization_id = $1',
    [organizationId],
  )
  return state === 'gone'
}
