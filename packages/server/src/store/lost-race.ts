// Which failures of a write are lost races, worth another run of the handler on fresh data, and what the others really
// are.
import { storedEntities } from '@parley/contract'
import { errorCode } from '../database/error-code.js'
import { LostTransaction } from '../database/transaction.js'
import { ApiError, conflict, unavailable } from './api-error.js'
import { LIVES_HERE } from './commit.js'
import { tableIndexes } from './entity-ddl.js'

export interface LostRace {
  /** The part of the change that lost, for metrics and logs. It names code, never data. */
  readonly part: string
  /** Meeting this again on fresh data means that it is no race. Absent for what may be lost any number of times. */
  readonly onlyOnce?: string
}

/** The part of a handler's own refusal that another request may have caused meanwhile. */
export const REFUSED = 'refused'

interface DatabaseError extends Error {
  readonly code?: unknown
  readonly constraint?: string
  readonly detail?: string
}

export function lostRace(error: unknown): LostRace | undefined {
  if (error instanceof ApiError) return error.isRaceable ? { part: REFUSED, onlyOnce: REFUSED } : undefined
  if (error instanceof LostTransaction) return { part: 'connection', onlyOnce: 'connection' }
  if (!(error instanceof Error)) return undefined
  const { code, constraint, detail, message }: DatabaseError = error
  if (hasLeft(error)) return undefined
  if (code === 'PA001') return { part: message.replace(/_\d+$/, '') }
  if (code === '40001') return { part: 'serialization' }
  if (code === '40P01') return { part: 'deadlock' }
  if (code === '55P03') return { part: 'lock' }
  return code === '23505' ? { part: `unique ${constraint}`, onlyOnce: `${constraint} ${detail}` } : undefined
}

/** The organization leaves for another server, or has left: whoever asks again is led there. */
export const hasLeft = (error: unknown): boolean =>
  errorCode(error) === 'PA002' ||
  (errorCode(error) === 'PA001' && error instanceof Error && error.message === LIVES_HERE)

/** What a race that is none is answered with: its own refusal, the conflict that it is, or the bug that it is. */
export function permanent(error: unknown): Error {
  if (error instanceof ApiError || error instanceof LostTransaction) return error
  const { constraint = 'an unnamed constraint' }: DatabaseError =
    error instanceof Error ? error : new Error(String(error))
  const fields = uniqueFields.get(constraint)
  if (fields)
    return Object.assign(conflict('unique', `Another record has the same ${fields.join(', ')}`, { fields }), {
      cause: error,
    })
  return new Error(`The unique constraint ${constraint} is violated, and no handler checks it`, { cause: error })
}

export function tooManyWriters({ part }: LostRace, cause: unknown): ApiError {
  return Object.assign(unavailable('Too many writers at once; try again'), {
    cause: new Error(`Races lost until the deadline, the last in ${part}`, { cause }),
  })
}

/** The fields of each unique index of the registry, by the index's name. */
const uniqueFields: ReadonlyMap<string, readonly string[]> = new Map(
  storedEntities.flatMap((entity) => {
    const names = tableIndexes(entity).filter(({ definition }) => definition.startsWith('unique'))
    return entity.unique.map((fields, index): [string, readonly string[]] => [names[index]?.name ?? '', fields])
  }),
)
