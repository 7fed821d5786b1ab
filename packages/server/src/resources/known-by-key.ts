// Records that are known by a key or by an external reference: sending one again updates it instead of making a twin, also when both are sent at once.
import type { Endpoint } from '../http/endpoint.js'
import { ApiError } from '../store/api-error.js'

/** A twin may come to be after this request looked for it and before it asks whether its key is free. Looked for again, it is there. */
export function updatingTwin(create: Endpoint): Endpoint {
  return {
    ...create,
    handle: (input) => create.handle(input).catch((error: unknown) => (isTaken(error) ? create.handle(input) : Promise.reject(error))),
  }
}

const takenReasons: readonly unknown[] = ['unique', 'external_ref_taken']
const isTaken = (error: unknown): boolean => error instanceof ApiError && takenReasons.includes((error.details as { reason?: unknown } | undefined)?.reason)
