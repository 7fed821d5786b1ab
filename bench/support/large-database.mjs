// An embedded PostgreSQL in a temporary folder that holds all that is measured in memory, and reads in the process that
// is asked, so that what a statement costs shows in that process alone. It is not migrated: database.mjs starts one
// that is.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '../../packages/server/dist/embedded-postgres/embedded.js'

const settings = { shared_buffers: '2GB', max_wal_size: '8GB', io_method: 'sync' }

export async function startLargeDatabase() {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'))
  await chmod(folder, 0o755)
  const first = await startEmbedded(join(folder, 'data'), () => {})
  await configure(first.url)
  // These settings are read at the start only.
  await first.stop()
  const embedded = await startEmbedded(join(folder, 'data'), () => {})
  return {
    url: embedded.url,
    async stop() {
      await embedded.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function configure(url) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const [name, value] of Object.entries(settings)) await client.query(`alter system set ${name} = '${value}'`)
  await client.end()
}
