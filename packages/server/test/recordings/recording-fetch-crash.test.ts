// Workers that fetch recordings are killed at any moment, and several share the work: every recording is there, told of
// once, and on disk once.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/database/sql.js'
import { folderBlobs } from '../../src/recordings/folder-blobs.js'
import { sweepBlobs } from '../../src/recordings/unnamed-blobs.js'
import { carrierFiles } from '../support/carrier-files.js'
import { eventsOf, tenantOf } from '../support/events.js'
import { programFile } from '../support/run/bundled-programs.js'
import { type Service, secret, startService } from '../support/service.js'
import { until } from '../support/until.js'
import { authority } from '../support/webhooks/sending.js'

// The node serves the API only; the test runs the workers it needs.
let service: Service
let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-fetch-crash-'))
  service = await startService({
    PARLEY_ROLE: 'api',
    PARLEY_DATA_DIR: dataDir,
    PARLEY_RECORDING_ALLOW_NETWORKS: '127.0.0.0/8',
  })
  await writeFile(join(dataDir, 'ca.pem'), authority.ca)
})
afterAll(async () => {
  await service.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const COUNT = 24
const KILLS = 3

async function startWorker() {
  const script = await programFile('fetching-worker')
  const settings = {
    DATABASE_URL: service.databaseUrl,
    PARLEY_SECRET: secret,
    PARLEY_DATA_DIR: dataDir,
    PARLEY_RECORDING_ALLOW_NETWORKS: '127.0.0.0/8',
    // What a dead worker held is free when the test says so.
    PARLEY_RECORDING_TIMEOUT: '60s',
    NODE_EXTRA_CA_CERTS: join(dataDir, 'ca.pem'),
  }
  const child = spawn(process.execPath, [script, secret], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return child
}

const waiting = async (): Promise<number> =>
  (
    await service.database.read<[number]>(sql`select count(*) from recording_fetches where due_at is not null`)
  )[0]?.[0] ?? -1

test('kill -9 in the middle of fetching loses nothing, doubles nothing and leaves no bytes behind', async () => {
  const { sandbox: api } = service.demo
  const carrier = await carrierFiles((path, response) => {
    response.writeHead(200, { 'content-type': 'audio/mpeg' }).write('sound of ')
    setTimeout(() => response.end(path), 20)
  })
  const ids: string[] = []
  for (let index = 0; index < COUNT; index++) {
    ids.push(
      (await api.post('/voicemails', { callerNumber: '+15550107401', recordingUrl: `${carrier.url}/${index}` })).body
        .id,
    )
  }
  for (let kill = 0; kill < KILLS; kill++) {
    const child = await startWorker()
    const enough = carrier.asked.length + 4
    await until(
      async () => carrier.asked.length,
      (count) => count >= enough,
    )
    child.kill('SIGKILL')
    await once(child, 'close')
    // As if the leases of the dead had lapsed.
    await service.database.query(sql`update recording_fetches set due_at = now() where due_at is not null`)
  }
  const workers = [await startWorker(), await startWorker()]
  await until(waiting, (count) => count === 0, 120_000)
  for (const worker of workers) {
    worker.kill('SIGKILL')
    await once(worker, 'close')
  }
  const blobs = folderBlobs(join(dataDir, 'recordings'))
  while (await sweepBlobs(service.database, blobs, new Date(Date.now() + 2 * 3_600_000)));
  const tenantId = await tenantOf(service, api)
  for (const [index, id] of ids.entries()) {
    const { body } = await api.get(`/voicemails/${id}`)
    expect(body).toMatchObject({ recordingStatus: 'available', recordingError: null, version: 2 })
    expect(await (await fetch(body.recordingUrl)).text()).toBe(`sound of /${index}`)
    expect(await readdir(join(dataDir, 'recordings', tenantId, id))).toHaveLength(1)
  }
  const updates = (await eventsOf(service, api)).filter(({ type }) => type === 'voicemail.updated')
  expect(updates.map(({ data }) => data.voicemailId).sort()).toEqual([...ids].sort())
  expect(await service.database.query(sql`select 1 from unnamed_blobs`)).toEqual([])
})
