// Every blob that something names: recordings, what came with texts, and files of imports that are not done. Read in
// pages, so that a million of them take no room.
import type { Database } from '../database/pool.js'
import { type Sql, sql } from '../database/sql.js'
import { folderOf } from './unnamed-blobs.js'

export interface NamedBlob {
  readonly tenantId: string
  /** The voicemail, call, attachment or import that it belongs to. */
  readonly ownerId: string
  readonly folder: string
  readonly name: string
  readonly bytes: number
}

interface Row extends Record<string, unknown> {
  readonly tenant_id: string
  readonly id: string
  readonly blob: string
  readonly bytes: number
}

const PAGE = 500
const first = '00000000-0000-0000-0000-000000000000'

const recordings = sql`select tenant_id, voicemail_id as id, blob, bytes::float8 from voicemail_recordings`
const imports = sql`select p.tenant_id, p.import_id as id, p.blob, p.bytes::float8 from import_parts p
  join imports i on i.tenant_id = p.tenant_id and i.id = p.import_id
  where p.bytes is not null and i.status not in ('completed', 'failed', 'canceled')`

export async function* namedBlobs(database: Pick<Database, 'query'>): AsyncGenerator<NamedBlob> {
  for await (const { tenant_id: tenantId, id: ownerId, blob: name, bytes } of pagesOf(database, recordings))
    yield { tenantId, ownerId, folder: folderOf({ tenantId, voicemailId: ownerId }), name, bytes }
  for await (const { tenant_id: tenantId, id: ownerId, blob: name, bytes } of pagesOf(database, imports))
    yield { tenantId, ownerId, folder: `${tenantId}/import-${ownerId}`, name, bytes }
}

async function* pagesOf(database: Pick<Database, 'query'>, from: Sql): AsyncGenerator<Row> {
  let after = [first, first, '']
  for (;;) {
    const [tenantId, id, blob] = after
    const rows = await database.query<Row>(
      sql`select * from (${from}) b where (b.tenant_id, b.id, b.blob) > (${tenantId}::uuid, ${id}::uuid, ${blob})
        order by b.tenant_id, b.id, b.blob limit ${PAGE}`,
    )
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    after = [last.tenant_id, last.id, last.blob]
  }
}

/** What there is to do, for progress. */
export async function countNamedBlobs(database: Database): Promise<{ blobs: number; bytes: number }> {
  const [row] = await database.query<{ blobs: number; bytes: number }>(
    sql`select count(*)::float8 as blobs, coalesce(sum(bytes), 0)::float8 as bytes
      from (select bytes from (${recordings}) r union all select bytes from (${imports}) i) b`,
  )
  return row ?? { blobs: 0, bytes: 0 }
}

/** False for one that was replaced or removed meanwhile. */
export async function isStillNamed(database: Database, { tenantId, ownerId, name }: NamedBlob): Promise<boolean> {
  const rows = await database.query(
    sql`select 1 from voicemail_recordings
        where tenant_id = ${tenantId}::uuid and voicemail_id = ${ownerId}::uuid and blob = ${name}
      union all select 1 from import_parts
        where tenant_id = ${tenantId}::uuid and import_id = ${ownerId}::uuid and blob = ${name}`,
  )
  return rows.length > 0
}
