// graphile-worker doing the same sends on the same Postgres: as it comes, or with its local queue and batched
// completion.
import { createRequire } from 'node:module'
import { connections, createPool } from './sending-pool.mjs'

const { url, sinkUrl, folder, isTuned } = JSON.parse(process.argv[2])
const tuning = { localQueue: { size: 500 }, completeJobBatchDelay: 5, failJobBatchDelay: 5 }
const { run, Logger } = createRequire(`${folder}/package.json`)('graphile-worker')
const send = createPool(sinkUrl)
await run({
  connectionString: url,
  logger: new Logger(() => () => undefined),
  noHandleSignals: true,
  preset: {
    worker: { concurrentJobs: connections, maxPoolSize: 10, pollInterval: 100, ...(isTuned && tuning) },
  },
  taskList: { webhook: (payload) => send(payload) },
})
console.log(JSON.stringify({ ready: {} }))
process.on('SIGTERM', () => process.exit(0))
