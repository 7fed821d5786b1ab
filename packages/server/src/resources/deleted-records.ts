// What was deleted, so that a client that keeps a copy learns of it.
import { deletedRecord, deletedRecordParameters } from '@parley/contract'
import { raw, sql } from '../database/sql.js'
import { type Endpoint, endpoint } from '../http/endpoint.js'
import { firstIdAt } from '../store/id.js'
import { countRows } from '../store/records.js'
import { pageSchema, typedPage } from './list.js'

export const deletedRecordEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/deleted-records',
    scope: 'READ',
    operationId: 'listDeletedRecords',
    summary: 'List deletions, newest first',
    tag: 'Deleted records',
    query: deletedRecordParameters,
    returns: { status: 200, schema: pageSchema(deletedRecord as never) },
    async handle(input) {
      const { query, read } = input
      const since = query['since'] as string | undefined
      const rows = sql`from deleted_records
        where tenant_id = ${read.tenantId}${since ? sql` and deleted_at >= ${since} and id >= ${firstIdAt(new Date(since))}` : raw('')}`
      const find = (below: string | undefined, limit: number) =>
        read.database.read<[string, string, string, Date]>(sql`select id, entity_type, record_id, deleted_at ${rows}
          ${below ? sql` and id < ${below}` : raw('')} order by id desc limit ${limit}::int`)
      const present = ([, entityType, id, deletedAt]: [string, string, string, Date]) => ({ entityType, id, deletedAt: deletedAt.toISOString() })
      return typedPage(input, 'deleted-records', { find, count: () => countRows(read.database, rows), idOf: ([id]) => id }, present)
    },
  }),
]
