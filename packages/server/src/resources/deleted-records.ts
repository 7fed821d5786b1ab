// What was deleted, so that a client that keeps a copy learns of it.
import { instant, object, text, uuid } from '@parley/contract'
import { raw, type Sql, sql } from '../database/sql.js'
import { type Endpoint, endpoint } from '../http/endpoint.js'
import { firstIdAt } from '../store/id.js'
import type { Reader } from '../store/records.js'
import { searchPage } from '../store/search.js'
import { tsqueryOf } from '../store/words.js'
import { pageParameters, pageSchema, searchOf, searchParameter, typedPage } from './list.js'

interface Deleted extends Record<string, unknown> {
  id: string
  entity_type: string
  record_id: string
  deleted_at: Date
}

const columns = 'entity_type, record_id, deleted_at'

const newest = ({ database, tenantId }: Reader, conditions: Sql, beforeId: string | undefined, limit: number): Promise<Deleted[]> =>
  database.query(
    sql`select id, ${raw(columns)} from deleted_records
      where tenant_id = ${tenantId}${beforeId ? sql` and id < ${beforeId}` : raw('')}${conditions} order by id desc limit ${raw(String(limit))}`,
    { prepared: true },
  )

export const deletedRecordEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/deleted-records',
    scope: 'READ',
    operationId: 'listDeletedRecords',
    summary: 'List deletions, newest first',
    tag: 'Deleted records',
    query: {
      ...pageParameters,
      ...searchParameter('the entity type, the id, and what the record was found by'),
      since: { schema: instant(), description: 'Only deletions at or after this time' },
    },
    returns: { status: 200, schema: pageSchema(object({ entityType: text(), id: uuid(), deletedAt: instant() }) as never) },
    async handle(input) {
      const { query, read } = input
      const since = query['since'] as string | undefined
      const tsquery = tsqueryOf(searchOf(query) ?? '')
      const conditions = since ? sql` and deleted_at >= ${since} and id >= ${firstIdAt(new Date(since))}` : raw('')
      const find = async (beforeId: string | undefined, limit: number): Promise<Deleted[]> => {
        if (searchOf(query) === undefined) return newest(read, conditions, beforeId, limit)
        if (tsquery === undefined) return []
        return read.database.query(searchPage({ table: 'deleted_records', tenantId: read.tenantId, tsquery, conditions, beforeId, limit, columns }))
      }
      const present = ({ entity_type, record_id, deleted_at }: Deleted) => ({ entityType: entity_type, id: record_id, deletedAt: deleted_at.toISOString() })
      return typedPage(input, 'deleted-records', find, ({ id }) => id, present)
    },
  }),
]
