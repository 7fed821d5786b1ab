// Where a GET reads: at a standby that shows all that was written before the request came, else at the primary. What a
// standby cannot answer the primary does.
import type { Database } from '../database/pool.js'
import type { Standbys } from '../database/standbys.js'
import { ApiError } from '../store/api-error.js'

export interface StandbyReads {
  readonly standbys: Standbys
  /** Told where each read went. */
  readonly onRead: (from: 'standby' | 'late' | 'away') => void
}

/**
 * `read` is run again at the primary when the standby fails before anything was answered; what it refuses is refused.
 */
export async function readAtStandby<T>(
  reads: StandbyReads,
  primary: Database,
  read: (database: Database) => Promise<T>,
  isAnswered: () => boolean,
): Promise<T> {
  const choice = await reads.standbys.choose()
  if (typeof choice === 'string') {
    reads.onRead(choice)
    return read(primary)
  }
  try {
    const answer = await read(choice)
    reads.onRead('standby')
    return answer
  } catch (error) {
    if (isAnswered() || (error instanceof ApiError && error.status < 500)) throw error
    reads.standbys.leave(choice)
    reads.onRead('away')
    return read(primary)
  }
}
