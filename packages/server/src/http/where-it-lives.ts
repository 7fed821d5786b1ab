// Serves a request where its organization lives. One that leaves for another server meanwhile is served again there:
// what was read on the server that was left may be old, and what was refused there may be wrong.
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, BeingMoved } from '../store/api-error.js'
import type { Caller } from '../store/caller.js'
import type { Mounting } from './mount.js'
import { type Place, type Places, placedAt } from './places.js'

/** Whether the organization lives where the request was served. Asked when all is read, and before it is answered. */
export type IsStillHere = () => true | Promise<boolean>

declare module 'fastify' {
  interface FastifyRequest {
    isStillHere?: IsStillHere | undefined
  }
}

/** Longer than a move keeps an organization closed. */
const PATIENCE_MS = 5_000
const PAUSE_MS = 20

export const always: IsStillHere = () => true

/**
 * Runs `serve`, which calls `isStillHere` and throws `BeingMoved` when it is not, before it answers with what it has
 * read. What was committed needs no such look: the commit made sure by itself.
 */
export function whereItLives<T>(
  first: Mounting & Partial<Pick<Place, 'shard'>>,
  caller: Pick<Caller, 'organizationId' | 'aboutOrganizationId'> | undefined,
  serve: Serve<T>,
): Promise<T> {
  const { places, shard } = first
  const organizationId = caller?.aboutOrganizationId ?? caller?.organizationId
  if (places === undefined || shard === undefined || organizationId === undefined) return serve(first, always)
  return untilAtHome({ ...first, shard }, places, organizationId, serve)
}

type Serve<T> = (mounting: Mounting & Partial<Pick<Place, 'shard'>>, isStillHere: IsStillHere) => Promise<T>

async function untilAtHome<T>(
  first: Mounting & Pick<Place, 'shard'>,
  places: Places,
  organizationId: string,
  serve: Serve<T>,
): Promise<T> {
  let mounting = first
  // However long it was held up before that, only what the move costs counts.
  for (let deadline: number | undefined; ; ) {
    const isStillHere = places.watchHome(organizationId, mounting.shard)
    try {
      return await serve(mounting, isStillHere)
    } catch (error) {
      deadline ??= Date.now() + PATIENCE_MS
      if (!(await isOfTheMove(error, isStillHere)) || Date.now() > deadline) throw error
    }
    await sleep(PAUSE_MS)
    mounting = placedAt(mounting, places.of(await places.homeOf(organizationId)))
  }
}

/** Nothing was written: a write that is refused leaves nothing behind. */
const isOfTheMove = async (error: unknown, isStillHere: IsStillHere): Promise<boolean> =>
  error instanceof BeingMoved || (error instanceof ApiError && error.status < 500 && !(await isStillHere()))

/** Undefined where that is known at once. */
export function throwIfMoved(isStillHere: IsStillHere): Promise<void> | undefined {
  const isHere = isStillHere()
  if (isHere === true) return undefined
  return isHere.then((isSo) => {
    if (!isSo) throw new BeingMoved()
  })
}

/** What is read while it is sent breaks off instead of ending as if it were whole, when it was read where nobody is. */
export function untilMoved(payload: Readable, isStillHere: IsStillHere): Readable {
  const read = async function* () {
    yield* payload
    await throwIfMoved(isStillHere)
  }
  return Readable.from(read(), { objectMode: false })
}
