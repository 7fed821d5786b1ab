// What was deleted, so that a client that keeps a copy learns of it.
import { instant, object, text, uuid } from '@parley/contract'
import { raw, sql } from '../database/sql.js'
import { type Endpoint, endpoint } from '../http/endpoint.js'
import { firstIdAt } from '../store/id.js'
import { tsqueryOf } from '../store/words.js'
import { pageParameters, pageSchema, searchOf, searchParameter, typedPage } from './list.js'

interface Deleted extends Record<string, unknown> {
  id: string
  entity_type: string
  record_id: string
  deleted_at: Date
}

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
      const q = searchOf(query)
      const find = (below: string | undefined, rows: number) =>
        // Words differ in how much they leave, so this is planned for its own values.
        read.database.query<Deleted>(
          sql`select id, entity_type, record_id, deleted_at from deleted_records
          where tenant_id = ${read.tenantId}${below ? sql` and id < ${below}` : raw('')}${since ? sql` and deleted_at >= ${since} and id >= ${firstIdAt(new Date(since))}` : raw('')}
          ${q ? sql` and search @@ ${tsqueryOf(q) ?? ''}::tsquery` : raw('')} order by id desc limit ${raw(String(rows))}`,
          { prepared: q === undefined },
        )
      const present = ({ entity_type, record_id, deleted_at }: Deleted) => ({ entityType: entity_type, id: record_id, deletedAt: deleted_at.toISOString() })
      return typedPage(input, 'deleted-records', find, ({ id }) => id, present)
    },
  }),
]
