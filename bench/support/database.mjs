// A database for one benchmark: the embedded PostgreSQL in a temporary folder, migrated, with an organization and a
// key.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openDatabase } from '../../packages/server/dist/database/pool.js'
import { startEmbedded } from '../../packages/server/dist/embedded-postgres/embedded.js'
import { mintKey } from '../../packages/server/dist/http/gate/api-keys.js'
import { createOrganization } from '../../packages/server/dist/program/create-organization.js'
import { prepareDatabase } from '../../packages/server/dist/server/server.js'
import { newId } from '../../packages/server/dist/store/id.js'

export async function startDatabase() {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'))
  await chmod(folder, 0o755)
  const embedded = await startEmbedded(join(folder, 'data'), () => {})
  const database = openDatabase({ url: embedded.url, connections: 4, statementTimeoutMs: 0 })
  await prepareDatabase(database)
  const organizationId = newId(new Date())
  const minted = mintKey('sandbox')
  await createOrganization(database, { id: organizationId, name: 'Bench' }, new Date(), [
    { environment: 'sandbox', minted },
  ])
  await database.close()
  const client = new pg.Client({ connectionString: embedded.url })
  await client.connect()
  const { rows } = await client.query("select id from tenants where environment = 'sandbox'")
  return {
    url: embedded.url,
    folder: embedded.folder,
    client,
    organizationId,
    tenantId: rows[0].id,
    key: minted.key,
    async stop() {
      await client.end()
      await embedded.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
