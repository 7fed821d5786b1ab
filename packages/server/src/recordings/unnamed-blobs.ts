// Blobs that no recording names: those being written, and those that were replaced. Each is listed before its first
// byte is written, and leaves the list in the commit that names it; so a crash anywhere leaves a row that leads to its
// bytes, and a blob that is named is never removed.
import { randomUUID } from 'node:crypto'
import type { Database } from '../database/pool.js'
import { type Sql, sql } from '../database/sql.js'
import { noBackupRuns } from '../store/backup-hold.js'
import type { Blobs } from '../store/blobs.js'

export interface BlobPlace {
  readonly tenantId: string
  readonly voicemailId: string
  readonly blob: string
}

/** What a commit that replaces a blob announces, so that the old one leaves the disk at once. */
export const BLOB_DROPPED = 'blob dropped'

/** Longer than anybody may take to send a recording, or we to fetch one. */
const WRITING_MS = 60 * 60_000
const BATCH = 100

export const folderOf = ({ tenantId, voicemailId }: Omit<BlobPlace, 'blob'>): string => `${tenantId}/${voicemailId}`

/** A new name, listed as one that nothing names yet. */
export async function listBlob(database: Database, owner: Omit<BlobPlace, 'blob'>, now: Date): Promise<BlobPlace> {
  const blob = randomUUID()
  const dueAt = new Date(now.getTime() + WRITING_MS)
  await database.query(
    sql`insert into unnamed_blobs (tenant_id, voicemail_id, blob, due_at)
      values (${owner.tenantId}::uuid, ${owner.voicemailId}::uuid, ${blob}, ${dueAt}::timestamptz)`,
    { prepared: true },
  )
  return { ...owner, blob }
}

/** Removes a blob that nothing will name. If this fails, the sweep does it later. */
export async function discardBlob(database: Database, blobs: Blobs, place: BlobPlace): Promise<void> {
  await blobs.remove(folderOf(place), place.blob)
  await database.query(sql`delete from unnamed_blobs u where ${isAt(place)}`, { prepared: true })
}

const isAt = ({ tenantId, voicemailId, blob }: BlobPlace): Sql =>
  sql`u.tenant_id = ${tenantId}::uuid and u.voicemail_id = ${voicemailId}::uuid and u.blob = ${blob}`

/** Part of the commit that names a blob; it must touch one row, or the blob is being removed. */
export const takeBlob = (place: BlobPlace): Sql =>
  sql`delete from unnamed_blobs u using not_a_replay where ${isAt(place)} and not u.is_doomed returning 1`

/** Part of a commit that finds a blob superfluous before anything has named it. */
export const dropBlob = (place: BlobPlace, now: Date): Sql =>
  sql`update unnamed_blobs u set due_at = ${now}::timestamptz from not_a_replay where ${isAt(place)} returning 1`

/** Part of the commit that names a blob: whatever was named until now is listed as due. */
export const dropReplaced = ({ tenantId, voicemailId, blob }: BlobPlace, now: Date): Sql =>
  sql`insert into unnamed_blobs (tenant_id, voicemail_id, blob, due_at)
    select r.tenant_id, r.voicemail_id, r.blob, ${now}::timestamptz from voicemail_recordings r, not_a_replay
    where r.tenant_id = ${tenantId}::uuid and r.voicemail_id = ${voicemailId}::uuid and r.blob <> ${blob} returning 1`

/**
 * One bounded round: what is due is doomed first, so that no commit can name it any more, then removed from the disk,
 * then from the list. True when more may be due.
 */
export async function sweepBlobs(database: Database, blobs: Blobs, now: Date): Promise<boolean> {
  const due = await database.query<{ tenant_id: string; voicemail_id: string; blob: string }>(
    sql`with due as (
        select tenant_id, voicemail_id, blob from unnamed_blobs where due_at <= ${now}::timestamptz and ${noBackupRuns}
          order by due_at limit ${BATCH} for update skip locked
      )
      update unnamed_blobs u set is_doomed = true from due
      where u.tenant_id = due.tenant_id and u.voicemail_id = due.voicemail_id and u.blob = due.blob
        and not exists (
          select from voicemail_recordings r where r.tenant_id = u.tenant_id and r.voicemail_id = u.voicemail_id
            and r.blob = u.blob
        )
      returning u.tenant_id, u.voicemail_id, u.blob`,
    { prepared: true },
  )
  for (const { tenant_id: tenantId, voicemail_id: voicemailId, blob } of due)
    await discardBlob(database, blobs, { tenantId, voicemailId, blob })
  return due.length === BATCH
}
