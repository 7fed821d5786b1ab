// Removes the files of imports that have ended and parts that were never completed, and ends imports whose file never
// came. True: there may be more.
import { noBackupRuns } from '../../database/backup-lock.js'
import type { Database } from '../../database/pool.js'
import { sql } from '../../database/sql.js'
import type { Services } from '../../http/endpoint.js'
import { importFolder } from './import-upload.js'

/** Longer than anybody may take to send a part. */
const WRITING_HOURS = 1
const AWAITING_HOURS = 24
const BATCH = 50

export async function sweepImports({
  database,
  services,
  clock,
}: {
  readonly database: Database
  readonly services: Services
  readonly clock: () => Date
}): Promise<boolean> {
  const before = (hours: number) => new Date(clock().getTime() - hours * 3_600_000)
  await database.query(
    sql`update imports set status = 'canceled', error = 'Its file did not come', finished_at = ${clock()}::timestamptz
      where status = 'awaiting_file' and touched_at < ${before(AWAITING_HOURS)}::timestamptz`,
    { prepared: true },
  )
  // The rows are written, though nothing in them changes: those of an organization that is on its way to or from this
  // server are passed over then. Here its imports may be missing or old, and its files are where it lives.
  const parts = await database.query<{ tenant_id: string; import_id: string; blob: string }>(
    sql`with due as (
        select p.tenant_id, p.import_id, p.blob from import_parts p
          left join imports i on i.tenant_id = p.tenant_id and i.id = p.import_id
        where ${noBackupRuns} and (i.id is null or i.status in ('completed', 'failed', 'canceled')
          or (p.bytes is null and p.listed_at < ${before(WRITING_HOURS)}::timestamptz)) limit ${BATCH}
      )
      update import_parts p set listed_at = p.listed_at from due
      where p.tenant_id = due.tenant_id and p.import_id = due.import_id and p.blob = due.blob
      returning p.tenant_id, p.import_id, p.blob`,
    { prepared: true },
  )
  for (const { tenant_id, import_id, blob } of parts) {
    await services.blobs.remove(importFolder(tenant_id, import_id), blob)
    await database.query(
      sql`delete from import_parts where tenant_id = ${tenant_id}::uuid and import_id = ${import_id}::uuid
        and blob = ${blob}`,
      { prepared: true },
    )
  }
  return parts.length === BATCH
}
