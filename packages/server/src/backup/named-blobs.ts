// The blobs that rows name, as of the moment that the client sees, and where each lies in the store. What is being
// written or has been replaced is named by nobody and left out.
import type pg from 'pg'

export interface NamedBlob {
  readonly folder: string
  readonly name: string
}

/** The tables that name blobs, and the folder that a row's blob lies in. */
export const blobOwners: Readonly<Record<string, string>> = {
  voicemail_recordings: `tenant_id || '/' || voicemail_id`,
  import_parts: `tenant_id || '/import-' || import_id`,
}

const PAGE = 10_000

export async function* namedBlobs(client: pg.ClientBase): AsyncGenerator<NamedBlob> {
  for (const [table, folder] of Object.entries(blobOwners)) {
    // A cursor lives as long as the transaction of the backup.
    await client.query(`declare blobs_of_${table} cursor for select ${folder} as folder, blob as name from ${table}`)
    for (;;) {
      const { rows } = await client.query<NamedBlob>(`fetch ${PAGE} from blobs_of_${table}`)
      if (rows.length === 0) break
      yield* rows
    }
    await client.query(`close blobs_of_${table}`)
  }
}
