// A further node of a service that can be stopped and started again at the same address.
import { pino } from 'pino'
import { readConfig } from '../../../server/src/config/config.js'
import { openDatabase } from '../../../server/src/database/pool.js'
import { startServer } from '../../../server/src/server/server.js'
import { freePort } from '../../../server/test/support/free-port.js'
import type { Service } from '../../../server/test/support/service.js'

export interface Restartable {
  readonly url: string
  stop(): Promise<void>
  start(): Promise<void>
}

export async function startRestartable(service: Service, env: Record<string, string> = {}): Promise<Restartable> {
  const secret = 'a secret for tests only'
  const generous = { PARLEY_RATE_LIMIT_READ: '100000:100000', PARLEY_RATE_LIMIT_WRITE: '100000:100000' }
  const port = String(await freePort())
  let stopNode: (() => Promise<void>) | undefined
  const node = {
    url: '',
    async start() {
      const database = openDatabase({ url: service.databaseUrl, connections: 5, statementTimeoutMs: 10_000 })
      const config = readConfig({
        PORT: port,
        DATABASE_URL: service.databaseUrl,
        PARLEY_SECRET: secret,
        LOG_LEVEL: 'silent',
        ...generous,
        ...env,
      })
      const server = await startServer({ config: { ...config, secret }, database, log: pino({ level: 'silent' }) })
      stopNode = () => server.stop().then(() => database.close())
      node.url = server.url
    },
    async stop() {
      const stop = stopNode
      stopNode = undefined
      await stop?.()
    },
  }
  await node.start()
  return node
}
