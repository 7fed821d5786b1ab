// The embedded database dies under a running server: it comes back by itself, and until then callers hear "not now".
// Only one that does not come back takes the server along.
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { endPrograms, newDataDir, type Program, serveProgram } from '../support/program.js'
import { postgresPid } from '../support/servers/embedded-server.js'
import type { Answer } from '../support/service.js'
import { until } from '../support/until.js'
import { authority, ok, subscriber } from '../support/webhooks/sending.js'

afterAll(endPrograms)

const generous = { PARLEY_RATE_LIMIT_READ: '100000:100000', PARLEY_RATE_LIMIT_WRITE: '100000:100000' }

const clusterOf = async ({ dataDir }: Program): Promise<string> =>
  JSON.parse(await readFile(join(dataDir, 'database.json'), 'utf8')).folder

async function killDatabase(program: Program): Promise<void> {
  process.kill(await postgresPid(await clusterOf(program)), 'SIGKILL')
}

const KILLS = 2

/** The server that the second test starts again, for the third. */
let restarted: Program

test('killed under load, it is back soon; what was acknowledged is there, the rest heard 503, and every webhook arrives', async () => {
  const ca = join(await newDataDir(), '..', 'test-authority.pem')
  await writeFile(ca, authority.ca)
  const program = await serveProgram({
    ...generous,
    NODE_EXTRA_CA_CERTS: ca,
    PARLEY_WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8',
    PARLEY_WEBHOOK_TIMEOUT: '60s',
  })
  const api = await program.client()
  const hooks = await subscriber(ok)
  expect((await api.post('/webhooks', { url: hooks.url, eventTypes: ['task.created'] })).status).toBe(201)

  const acknowledged = new Set<string>()
  const refusals: Answer[] = []
  let isOver = false
  const write = async () => {
    for (let index = 0; !isOver; index++) {
      const answer = await api.post('/tasks', { title: `Task ${index}` })
      if (answer.status === 201) acknowledged.add(answer.body.id)
      else refusals.push(answer)
      await sleep(20)
    }
  }
  const writers = Promise.all([write(), write(), write()])
  // Once more where no request came while it was away.
  for (let kill = 1; kill <= KILLS || (refusals.length === 0 && kill <= 10); kill++) {
    const before = acknowledged.size
    await until(
      async () => acknowledged.size,
      (size) => size > before + 20,
    )
    await killDatabase(program)
    await until(
      async () => program.output().split('The database is back').length - 1,
      (times) => times === kill,
    )
  }
  const before = acknowledged.size
  await until(
    async () => acknowledged.size,
    (size) => size > before + 20,
  )
  isOver = true
  await writers

  expect(refusals.length).toBeGreaterThan(0)
  for (const { status, headers, body } of refusals) {
    expect([status, body.error.code, Number(headers.get('retry-after')) > 0, typeof body.meta.requestId]).toEqual([
      503,
      'unavailable',
      true,
      'string',
    ])
  }
  for (const id of acknowledged) expect((await api.get(`/tasks/${id}`)).status).toBe(200)
  const told = () => new Set(hooks.received.map(({ body }) => JSON.parse(body.toString()).data.taskId as string))
  await until(
    async () => [...acknowledged].filter((id) => !told().has(id)).length,
    (missing) => missing === 0,
    120_000,
  )
  const { stdout } = await program.stop()
  // Nothing of it is a fault of the program, so no line shows where in the code it was noticed.
  expect(stdout).not.toMatch(/"stack"|\\n {4}at /)
})

test('one that does not come back in time ends the server with 1, and readiness says so before', async () => {
  const program = await serveProgram({ PARLEY_DB_RESTART_TIMEOUT: '10s' })
  const control = join(await clusterOf(program), 'global', 'pg_control')
  await rename(control, `${control}.away`)
  await killDatabase(program)
  const reason = async () =>
    (await fetch(`${program.url}/readyz`).then(
      (answer) => answer.json(),
      () => ({}),
    )) as { reason?: string }
  await until(reason, (seen) => seen.reason === 'database away')
  const { code, stdout } = await program.finished
  expect(code).toBe(1)
  expect(stdout).toMatch(/The database did not start again: .*pg_control/)
  expect(stdout).toContain('Stopping: the embedded database died and did not start again')
  await rename(`${control}.away`, control)
  restarted = await serveProgram({ PARLEY_DATA_DIR: program.dataDir })
  expect((await (await restarted.client()).get('/schema')).status).toBe(200)
})

test('a server that is told to stop while it brings its database back stops, and leaves none behind', async () => {
  const program = restarted
  const cluster = await clusterOf(program)
  const control = join(cluster, 'global', 'pg_control')
  await rename(control, `${control}.away`)
  await killDatabase(program)
  await until(
    async () => program.output(),
    (output) => output.includes('did not start again'),
  )
  expect(await program.stop()).toMatchObject({ code: 0 })
  await rename(`${control}.away`, control)
  const again = await serveProgram({ PARLEY_DATA_DIR: program.dataDir })
  expect(again.output()).not.toContain('left running')
  await again.stop()
})
