// A worker in a process of its own, to be killed: it fetches recordings until it dies. It trusts NODE_EXTRA_CA_CERTS.
// Usage: node fetching-worker.mjs SECRET, with the settings in the environment
import { join } from 'node:path'
import { readConfig } from '../../dist/config/config.js'
import { openDatabase } from '../../dist/database/pool.js'
import { fanOutToSubscriptions as fanOut } from '../../dist/delivery/queue/fan-out.js'
import { folderBlobs } from '../../dist/recordings/folder-blobs.js'
import { createRecordings } from '../../dist/server/recording-worker.js'
import { createSealer } from '../../dist/store/secret-box.js'

const config = readConfig()
const database = openDatabase({ url: config.databaseUrl, connections: 5, statementTimeoutMs: 30_000 })
const services = {
  publicUrl: () => 'https://parley.example.com',
  blobs: folderBlobs(join(config.dataDir, 'recordings')),
}
const sealer = createSealer(process.argv[2])
const onTrouble = (error) => console.error(error)
const apis = () => undefined
const onCommit = () => {}
createRecordings({
  config,
  database,
  sealer,
  fanOut,
  clock: () => new Date(),
  onCommit,
  services,
  onTrouble,
  apis,
}).start()
setInterval(() => {}, 1_000)
console.log('working')
