// pg-boss doing the same sends on the same Postgres: batches are fetched and completed by its own calls, without the
// pauses of its polling.
import { createRequire } from 'node:module'
import { createPool } from './sending-pool.mjs'

const { url, sinkUrl, folder, loops = 4, batchSize = 200 } = JSON.parse(process.argv[2])
const PgBoss = createRequire(`${folder}/package.json`)('pg-boss')
const boss = new PgBoss({ connectionString: url, max: 10, schedule: false })
boss.on('error', (error) => console.error(error))
await boss.start()
const send = createPool(sinkUrl)
console.log(JSON.stringify({ ready: {} }))
const loop = async () => {
  for (;;) {
    const jobs = await boss.fetch('webhooks', { batchSize })
    if (jobs.length === 0) return
    await Promise.all(jobs.map(({ id, data }) => send({ id, ...data })))
    await boss.complete(
      'webhooks',
      jobs.map(({ id }) => id),
    )
  }
}
await Promise.all(Array.from({ length: loops }, loop))
process.exit(0)
