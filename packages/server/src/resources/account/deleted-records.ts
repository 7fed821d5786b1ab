// What was deleted, so that a client that keeps a copy learns of it.
import { deletedRecord, deletedRecordParameters } from '@parley/contract'
import { raw, sql } from '../../database/sql.js'
import { type Endpoint, endpoint } from '../../http/endpoint.js'
import { firstIdAt } from '../../store/id.js'
import { countRows } from '../../store/list-reader.js'
import { searchPage } from '../../store/search-query.js'
import { tsqueryOf } from '../../store/search-words.js'
import { askedFor, pageSchema, typedPage } from '../generic/list.js'

interface Deleted extends Record<string, unknown> {
  id: string
  entity_type: string
  record_id: string
  deleted_at: Date
  merged_into_id: string | null
}

const columns = 'entity_type, record_id, deleted_at, merged_into_id'

export const deletedRecordEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/deleted-records',
    scope: 'READ',
    operationId: 'listDeletedRecords',
    summary: 'List deletions, newest first',
    tag: 'Deleted records',
    query: deletedRecordParameters,
    returns: { status: 200, schema: pageSchema(deletedRecord) },
    async handle(input) {
      const { query, read } = input
      const { since } = query
      const { q, number } = askedFor(input)
      const tsquery = q === undefined ? undefined : tsqueryOf(q, number)
      const isHopeless = q !== undefined && tsquery === undefined
      const conditions = since ? sql` and deleted_at >= ${since} and id >= ${firstIdAt(new Date(since))}` : raw('')
      const rows = sql`from deleted_records where tenant_id = ${read.tenantId}${conditions}`
      const find = async (beforeId: string | undefined, limit: number): Promise<Deleted[]> => {
        if (isHopeless) return []
        if (tsquery)
          return read.database.query(
            searchPage({
              table: 'deleted_records',
              tenantId: read.tenantId,
              tsquery,
              conditions,
              beforeId,
              limit,
              columns,
            }),
          )
        const below = beforeId ? sql` and id < ${beforeId}` : raw('')
        return read.database.query(
          sql`select id, ${raw(columns)} ${rows}${below} order by id desc limit ${limit}::int`,
          { prepared: true },
        )
      }
      const count = async () =>
        isHopeless ? 0 : countRows(read.database, tsquery ? sql`${rows} and search @@ ${tsquery}::tsquery` : rows)
      const present = ({ entity_type, record_id, deleted_at, merged_into_id }: Deleted) => ({
        entityType: entity_type,
        id: record_id,
        deletedAt: deleted_at.toISOString(),
        mergedIntoId: merged_into_id,
      })
      return typedPage(input, 'deleted-records', { find, count, idOf: ({ id }) => id }, present)
    },
  }),
]
