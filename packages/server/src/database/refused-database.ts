// Databases that no server may serve: one that is being filled by a restore or a move, and one that has moved away.
// Both are marked by a table, which is made and dropped with what it speaks of, and which no migration knows.
import type pg from 'pg'
import { StartupError } from './startup-error.js'

/** A restore or a move into this database has begun and not ended. */
export const UNFINISHED = 'unfinished_restore'
/** Everything in this database is elsewhere now. */
export const MOVED = 'moved_away'

export async function refuseMarked(client: pg.ClientBase): Promise<void> {
  if (await hasTable(client, MOVED)) {
    const { rows } = await client.query<{ address: string; moved_at: Date }>(`select address, moved_at from ${MOVED}`)
    throw new StartupError(
      `This database has moved to ${rows[0]?.address} (${rows[0]?.moved_at.toISOString()}). Set DATABASE_URL to ` +
        'that one, and PARLEY_SECRET to the secret of this one.',
    )
  }
  if (await hasTable(client, UNFINISHED))
    throw new StartupError(
      'A restore or move into this database was begun and has not ended. Run it again, to its end: it begins anew.',
    )
}

export async function hasTable(client: pg.ClientBase, marker: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>('select to_regclass($1) is not null as found', [marker])
  return rows[0]?.found === true
}
