// Work records: the six verbs, and a search with the best matches first.
import { type Listing, listing } from '../page.js'
import type { WorkRecord, WorkRecordQuery } from '../records.js'
import type { RequestOptions, Send } from '../transport.js'
import { records } from './records.js'

export type WorkRecordSearch = Pick<WorkRecordQuery, 'q' | 'customerId' | 'kind' | 'limit'>

export const workRecords = (send: Send) => ({
  ...records(send, 'work-records'),
  /** Best matches first, without `q` the newest; one page of at most `limit`. */
  search: (query: WorkRecordSearch = {}, options?: RequestOptions): Listing<WorkRecord> => listing(send, '/work-records/search', query, options),
})
