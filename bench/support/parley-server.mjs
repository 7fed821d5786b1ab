// Parley itself in a process of its own, on the database it is given, with limits on but out of the way.
import { pino } from 'pino'
import { readConfig } from '../../packages/server/dist/config/config.js'
import { openDatabase } from '../../packages/server/dist/database/pool.js'
import { startServer } from '../../packages/server/dist/server/server.js'

const secret = 'a secret for benchmarks only'
const url = process.argv[2]
const config = readConfig({
  PORT: '0',
  DATABASE_URL: url,
  PARLEY_SECRET: secret,
  PARLEY_RATE_LIMIT_READ: '1000000:1000000',
  PARLEY_RATE_LIMIT_WRITE: '1000000:1000000',
  ...JSON.parse(process.argv[3] ?? '{}'),
})
const database = openDatabase({ url, connections: config.dbPool, statementTimeoutMs: 2_000 })
const server = await startServer({ config: { ...config, secret }, database, log: pino({ level: 'warn' }) })
console.log(JSON.stringify({ ready: { url: server.url } }))
process.on('SIGTERM', async () => {
  await server.stop()
  await database.close()
  process.exit(0)
})
