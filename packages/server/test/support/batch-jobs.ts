// Runs batch jobs of the real migrations again, as beside serving nodes, on rows that a test made look old.
import { runBatches } from '../../src/database/background-migrations.js'
import { migrationFolder, readMigrations } from '../../src/database/migration-files.js'
import type { Database } from '../../src/database/pool.js'

/** The jobs whose names begin so. */
export async function runBatchJobs(database: Database, prefix: string): Promise<number> {
  const jobs = (await readMigrations(migrationFolder)).filter(
    ({ name, kind }) => kind === 'batch' && name.startsWith(prefix),
  )
  await database.withClient(async (client) => {
    for (const job of jobs) await runBatches(client, job)
  })
  return jobs.length
}
