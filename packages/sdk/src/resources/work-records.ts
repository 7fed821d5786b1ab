// Work records: the six verbs, and a search with the best matches first.
import type { WorkRecordVerbs } from '../generated/entities.js'
import type { WorkRecord, WorkRecordQuery } from '../generated/records.js'
import { type Listing, listing } from '../page.js'
import type { RequestOptions, Send } from '../transport.js'
import { type HasTimeline, timeline } from './overview.js'
import { verbs } from './verbs.js'

export type WorkRecordSearch = Pick<WorkRecordQuery, 'q' | 'customerId' | 'kind' | 'limit'>

export interface WorkRecords extends WorkRecordVerbs, HasTimeline {
  /** Best matches first, without `q` the newest; one page of at most `limit`. */
  search(query?: WorkRecordSearch, options?: RequestOptions): Listing<WorkRecord>
}

export function workRecords(send: Send): WorkRecords {
  const plain: WorkRecordVerbs = verbs(send, 'work-records')
  return {
    ...plain,
    ...timeline(send, 'work-records'),
    search: (query = {}, options) => listing(send, '/work-records/search', query, options),
  }
}
