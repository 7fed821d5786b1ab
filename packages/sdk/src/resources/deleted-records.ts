// What was deleted, for clients that keep a copy.
import { type Listing, listing } from '../page.js'
import type { RequestOptions, Send } from '../transport.js'

export interface DeletedRecord {
  /** Singular snake case: `work_record`. */
  entityType: string
  id: string
  deletedAt: string
}

export const deletedRecords = (send: Send) => ({
  list: (
    query: { q?: string; since?: string | Date; limit?: number; cursor?: string; count?: boolean } = {},
    options?: RequestOptions,
  ): Listing<DeletedRecord> => listing(send, '/deleted-records', query, options),
})
