// The register of moves, in the directory: which organization goes from where to where, and how far it has come.
import type { Database } from '../database/pool.js'
import { sql } from '../database/sql.js'

/** In their order. What a phase does may be done again, so that a move goes on from the beginning of one. */
export const phases = ['preparing', 'copying', 'verifying', 'closing', 'cleaning', 'done'] as const
export type Phase = (typeof phases)[number]

export interface RegisteredMove {
  readonly organizationId: string
  readonly source: string
  readonly target: string
  readonly phase: Phase
  readonly startedAt: Date
  readonly changedAt: Date
  readonly pausedMs: number | null
}

const shown = sql`organization_id as "organizationId", source, target, phase, started_at as "startedAt",
  changed_at as "changedAt", paused_ms as "pausedMs"`

const LISTED_MAX = 1_000

/** The latest first. */
export const listMoves = (directory: Database): Promise<RegisteredMove[]> =>
  directory.query<RegisteredMove & Record<string, unknown>>(
    sql`select ${shown} from organization_moves order by changed_at desc limit ${LISTED_MAX}`,
  )

export async function findMove(directory: Database, organizationId: string): Promise<RegisteredMove | undefined> {
  const [found] = await directory.query<RegisteredMove & Record<string, unknown>>(
    sql`select ${shown} from organization_moves where organization_id = ${organizationId}`,
  )
  return found
}

export async function registerMove(
  directory: Database,
  { organizationId, source, target }: Pick<RegisteredMove, 'organizationId' | 'source' | 'target'>,
): Promise<void> {
  await directory.query(sql`insert into organization_moves (organization_id, source, target, phase)
    values (${organizationId}, ${source}, ${target}, 'preparing')
    on conflict (organization_id) do update set source = excluded.source, target = excluded.target,
      phase = excluded.phase, started_at = now(), changed_at = now(), paused_ms = null`)
}

export async function enterPhase(directory: Database, organizationId: string, phase: Phase): Promise<void> {
  await directory.query(sql`update organization_moves set phase = ${phase}, changed_at = now()
    where organization_id = ${organizationId}`)
}

export async function forgetMove(directory: Database, organizationId: string): Promise<void> {
  await directory.query(sql`delete from organization_moves where organization_id = ${organizationId}`)
}
