// A node that only works, in a process of its own, so that a test can kill it at any moment. Says `ready` when it does.
import { pino } from 'pino'
import { readConfig } from '../../../dist/config/config.js'
import { openDatabase } from '../../../dist/database/pool.js'
import { startServer } from '../../../dist/server/server.js'

const [secret] = process.argv.slice(2)
const config = readConfig({
  ...process.env,
  PORT: '0',
  PARLEY_ROLE: 'worker',
  PARLEY_SECRET: secret,
  LOG_LEVEL: 'silent',
})
const database = openDatabase({ url: config.databaseUrl, connections: 5, statementTimeoutMs: 30_000 })
await startServer({ config: { ...config, secret }, database, log: pino({ level: process.env.TEST_LOG ?? 'silent' }) })
process.stdout.write('ready\n')
