// A worker node in a process of its own, from the built server, with a lease that suits a test. Prints where it serves
// its numbers.
import { pino } from 'pino'
import { readConfig } from '../../../dist/config/config.js'
import { openDatabase } from '../../../dist/database/pool.js'
import { startServer } from '../../../dist/server/server.js'

const { url, leaseMs, env } = JSON.parse(process.argv[2])
const secret = 'a secret for tests only'
const config = readConfig({
  PORT: '0',
  DATABASE_URL: url,
  PARLEY_SECRET: secret,
  PARLEY_ROLE: 'worker',
  PARLEY_WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8',
  PARLEY_WEBHOOK_TIMEOUT: '60s',
  ...env,
})
const log = pino({ level: process.env['TEST_LOG'] ?? 'silent' }, pino.destination(2))
const database = openDatabase({ url, connections: 4, statementTimeoutMs: 30_000, onError: () => undefined })
const server = await startServer({ config: { ...config, secret }, database, log, delivery: { leaseMs } })
process.on('SIGTERM', async () => {
  await server.stop()
  await database.close()
  process.exit(0)
})
console.log(`ready ${server.url}`)
