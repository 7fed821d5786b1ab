// A carrier's recordingUrl is fetched into our store: through the address guard, within bounds, until it is there or
// given up.
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/database/sql.js'
import { claimFetches } from '../../src/recordings/fetch-queue.js'
import { audio, carrierFiles } from '../support/carrier-files.js'
import { eventsOf, tenantOf } from '../support/events.js'
import { type Client, clientOf, type Service, startService } from '../support/service.js'
import { until } from '../support/until.js'
import { authority } from '../support/webhooks/sending.js'

let service: Service
let dataDir: string
const names: Record<string, readonly string[]> = {
  'hooks.example.com': ['127.0.0.1'],
  'uncertified.example.com': ['127.0.0.1'],
  'inside.example.com': ['10.1.2.3'],
  'mixed.example.com': ['127.0.0.1', '169.254.169.254'],
}
const lookup = async (name: string) => names[name] ?? Promise.reject(new Error('no such name'))
const env = () => ({
  PARLEY_DATA_DIR: dataDir,
  PARLEY_RECORDING_ALLOW_NETWORKS: '127.0.0.0/8',
  PARLEY_RECORDING_RETRY_DELAYS: '10ms,10ms,10ms,10ms,10ms,10ms',
  PARLEY_RECORDING_TIMEOUT: '30s',
})
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-fetch-'))
  service = await startService(env(), { delivery: { ca: authority.ca, lookup } })
})
afterAll(async () => {
  await service.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const callerNumber = '+15550107301'
const report = async (api: Client, recordingUrl: string, more: object = {}) => {
  const answer = await api.post('/voicemails', { callerNumber, recordingUrl, ...more })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}
const read = async (api: Client, id: string) => (await api.get(`/voicemails/${id}`)).body
/** Read once more when it is settled: the record is read before the state of its audio, and may be a version older. */
const settled = async (api: Client, id: string) => {
  await until(
    () => read(api, id),
    ({ recordingStatus }) => recordingStatus !== 'pending',
  )
  return read(api, id)
}
const play = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer())
const updatesOf = async (api: Client) =>
  (await eventsOf(service, api)).filter(({ type }) => type === 'voicemail.updated').map(({ data }) => data)

describe('a recording that a carrier keeps', () => {
  test('is fetched, told of once, and the voicemail, its message and its call are right', async () => {
    const { sandbox: api } = await service.organization('Fetched')
    const sound = Buffer.alloc(200_000, 7)
    const carrier = await carrierFiles((_path, response) =>
      audio(response, sound, { 'content-type': 'audio/x-wav; rate=8000' }),
    )
    const call = (await api.post('/calls', { direction: 'inbound', from: callerNumber, to: '+15559999999' })).body
    const made = await report(api, `${carrier.url}/1.wav?token=secret`, {
      callSessionId: call.id,
      transcript: 'Call me',
    })
    expect(made).toMatchObject({
      recordingUrl: null,
      recordingApiUrl: null,
      recordingStatus: 'pending',
      recordingError: null,
      version: 1,
    })
    const got = await settled(api, made.id)
    expect(got).toMatchObject({ recordingStatus: 'available', recordingError: null, version: 2, transcript: 'Call me' })
    expect((await play(got.recordingUrl)).equals(sound)).toBe(true)
    expect((await fetch(got.recordingUrl)).headers.get('content-type')).toBe('audio/x-wav')
    expect((await api.get(`/calls/${call.id}`)).body).toMatchObject({ status: 'voicemail', voicemailId: made.id })
    expect((await api.get('/messages')).body.data).toMatchObject([
      { voicemailId: made.id, body: 'Call me', callSessionId: call.id },
    ])
    const [update, ...others] = await updatesOf(api)
    expect(others).toEqual([])
    expect(update).toMatchObject({
      voicemailId: made.id,
      changedFields: ['recordingUrl', 'recordingApiUrl', 'recordingStatus'],
      voicemail: { version: 2 },
    })
    expect((await play(update.recordingUrl)).equals(sound)).toBe(true)
    expect(carrier.asked).toEqual(['/1.wav?token=secret'])
    // Such an address is often good without a key, so it is nowhere in the clear.
    const [row] = await service.database.query<{ address: Buffer }>(
      sql`select address from recording_fetches where voicemail_id = ${made.id}`,
    )
    expect(row?.address.includes('secret')).toBe(false)
  })

  test('is fetched once however often it is reported; another address, or one that failed, is fetched anew', async () => {
    const { sandbox: api } = await service.organization('Repeated')
    let isThere = false
    const carrier = await carrierFiles((path, response) =>
      path === '/gone' && !isThere ? void response.writeHead(410).end() : audio(response, path),
    )
    const refs = { externalRefs: [{ system: 'pbx', externalId: '1' }] }
    const { id } = await report(api, `${carrier.url}/1`, refs)
    await settled(api, id)
    const again = await report(api, `${carrier.url}/1`, refs)
    expect(again).toMatchObject({ id, version: 2, recordingStatus: 'available' })
    // What was read is sent back whole: our own address is not fetched.
    expect((await api.post('/voicemails', again)).body.version).toBe(2)
    expect((await api.patch(`/voicemails/${id}`, again)).body.version).toBe(2)
    await api.patch(`/voicemails/${id}`, { recordingUrl: `${carrier.url}/2` })
    expect((await play((await settled(api, id)).recordingUrl)).toString()).toBe('/2')
    await report(api, `${carrier.url}/gone`, refs)
    // The audio that is there stays, and what went wrong can be read.
    const failed = await settled(api, id)
    expect(failed).toMatchObject({ recordingStatus: 'available', recordingError: 'http_410' })
    expect((await play(failed.recordingUrl)).toString()).toBe('/2')
    isThere = true
    await report(api, `${carrier.url}/gone`, refs)
    expect((await play((await settled(api, id)).recordingUrl)).toString()).toBe('/gone')
    expect(carrier.asked).toEqual(['/1', '/2', '/gone', '/gone'])
    const tenantId = await tenantOf(service, api)
    await expect.poll(() => readdir(join(dataDir, 'recordings', tenantId, id))).toHaveLength(1)
  })

  test('is tried again while it is not ready, and redirects are followed', async () => {
    const { sandbox: api } = await service.organization('Later')
    let tries = 0
    const carrier = await carrierFiles((path, response) => {
      if (path === '/start') return void response.writeHead(307, { location: '/next#part' }).end()
      tries++
      if (tries === 1) return void response.writeHead(404).end()
      if (tries === 2) return void response.writeHead(503).end()
      if (tries === 3) return void response.socket?.destroy()
      if (tries === 4)
        return void response
          .writeHead(200, { 'content-type': 'audio/mpeg', 'content-length': '100' })
          .write('half', () => response.socket?.destroy())
      if (tries === 5) return void response.writeHead(200, { 'content-type': 'audio/mpeg' }).end()
      audio(response, gzipSync('whole'), { 'content-encoding': 'gzip' })
    })
    const { id } = await report(api, `https://hooks.example.com:${carrier.port}/start`)
    const got = await settled(api, id)
    expect(got).toMatchObject({ recordingStatus: 'available', recordingError: null, version: 2 })
    expect((await play(got.recordingUrl)).toString()).toBe('whole')
    expect(tries).toBe(6)
    expect(await updatesOf(api)).toHaveLength(1)
  })

  test('that cannot be had says why, once, and nothing of it stays', async () => {
    const { sandbox: api } = await service.organization('Failing')
    const huge = Buffer.alloc(1024 * 1024)
    const carrier = await carrierFiles((path, response) => {
      if (path === '/html') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>')
      if (path === '/403') return void response.writeHead(403).end()
      if (path === '/500') return void response.writeHead(500).end()
      if (path === '/loop') return void response.writeHead(302, { location: '/loop' }).end()
      if (path === '/inside') return void response.writeHead(302, { location: 'https://10.0.0.1/a.mp3' }).end()
      if (path === '/plain')
        return void response.writeHead(302, { location: `http://127.0.0.1:${carrier.port}/a.mp3` }).end()
      if (path === '/packed') return audio(response, 'no', { 'content-encoding': 'deflate' })
      if (path === '/broken') return audio(response, 'this is no gzip', { 'content-encoding': 'gzip' })
      if (path === '/bomb')
        return audio(response, gzipSync(Buffer.alloc(60 * 1024 * 1024)), { 'content-encoding': 'gzip' })
      if (path === '/announced') return audio(response, 'x', { 'content-length': String(51 * 1024 * 1024) })
      if (path === '/endless') {
        response.writeHead(200, { 'content-type': 'audio/mpeg' })
        const more = () => void (response.destroyed || response.write(huge, () => more()))
        return more()
      }
      response.writeHead(200, { 'content-type': 'audio/mpeg' }).write('drip')
    })
    const here = (path: string) => `${carrier.url}${path}`
    const expected: readonly [string, string][] = [
      [here('/html'), 'not_audio'],
      [here('/403'), 'http_403'],
      [here('/500'), 'http_500'],
      [here('/loop'), 'too_many_redirects'],
      [here('/inside'), 'blocked_address'],
      [here('/plain'), 'blocked_address'],
      [here('/packed'), 'bad_encoding'],
      [here('/broken'), 'bad_encoding'],
      [here('/bomb'), 'too_large'],
      [here('/announced'), 'too_large'],
      [here('/endless'), 'too_large'],
      [`https://inside.example.com:${carrier.port}/a`, 'blocked_address'],
      [`https://mixed.example.com:${carrier.port}/a`, 'blocked_address'],
      [`https://uncertified.example.com:${carrier.port}/a`, 'tls_error'],
      [`https://nowhere.example.com:${carrier.port}/a`, 'dns_error'],
      [`https://127.0.0.3:${carrier.port}/a`, 'connection_failed'],
    ]
    const ids = await Promise.all(expected.map(async ([url]) => (await report(api, url)).id))
    for (const [index, [url, error]] of expected.entries()) {
      expect(await settled(api, ids[index]), url).toMatchObject({
        recordingStatus: 'failed',
        recordingError: error,
        recordingUrl: null,
        recordingApiUrl: null,
      })
    }
    const updates = await updatesOf(api)
    expect(updates.map(({ voicemailId }) => voicemailId).sort()).toEqual([...ids].sort())
    for (const { changedFields } of updates) expect(changedFields).toEqual(['recordingStatus', 'recordingError'])
    expect(carrier.asked.filter((path) => path === '/500')).toHaveLength(7)
    expect(carrier.asked.filter((path) => path === '/403')).toHaveLength(1)
    const tenantId = await tenantOf(service, api)
    const files = await readdir(join(dataDir, 'recordings', tenantId), { recursive: true, withFileTypes: true })
    expect(files.filter((entry) => entry.isFile())).toEqual([])
    expect(await service.database.query(sql`select 1 from unnamed_blobs where tenant_id = ${tenantId}`)).toEqual([])
  })

  test('from an address that is not public, or no https, is refused when it is named', async () => {
    for (const recordingUrl of [
      'http://example.com/a',
      'https://10.0.0.1/a',
      'https://169.254.169.254/latest',
      'https://[::1]/a',
      'https://u:p@example.com/a',
      'ftp://x/a',
      'a',
    ]) {
      const refused = await service.api.post('/voicemails', { callerNumber, recordingUrl })
      expect(refused.status, recordingUrl).toBe(400)
      expect(refused.body.error.details[0].path).toBe('recordingUrl')
    }
  })

  test('gives way to audio that is sent by hand meanwhile', async () => {
    const { sandbox: api } = await service.organization('By hand')
    let answer = () => {}
    const carrier = await carrierFiles((_path, response) => {
      answer = () => audio(response, 'from the carrier')
    })
    const { id } = await report(api, `${carrier.url}/slow`)
    await expect.poll(() => carrier.asked.length).toBe(1)
    const put = await fetch(`${service.url}/api/v1/voicemails/${id}/recording`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${api.key}`, 'content-type': 'audio/wav' },
      body: 'by hand',
    })
    expect(await put.json()).toMatchObject({ recordingStatus: 'available', version: 2 })
    answer()
    // What the carrier sent was kept for a moment, and is gone when its worker has seen that nobody waits for it.
    const tenantId = await tenantOf(service, api)
    await expect
      .poll(
        async () =>
          (await service.database.query(sql`select 1 from unnamed_blobs where tenant_id = ${tenantId}`)).length,
      )
      .toBe(0)
    expect(await readdir(join(dataDir, 'recordings', tenantId, id))).toHaveLength(1)
    const got = await read(api, id)
    expect(got.version).toBe(2)
    expect((await play(got.recordingUrl)).toString()).toBe('by hand')
  })

  test('that hangs takes its own slots only: another tenant gets its audio meanwhile', async () => {
    const [slow, quick] = [(await service.organization('Slow')).sandbox, (await service.organization('Quick')).sandbox]
    const carrier = await carrierFiles((path, response) => (path === '/quick' ? audio(response, 'quick') : undefined))
    await Promise.all(Array.from({ length: 20 }, () => report(slow, `${carrier.url}/hangs`)))
    await expect.poll(() => carrier.asked.length).toBe(2)
    const { id } = await report(quick, `${carrier.url}/quick`)
    expect(await settled(quick, id)).toMatchObject({ recordingStatus: 'available' })
    await service.database.query(
      sql`update recording_fetches set due_at = null where tenant_id = ${await tenantOf(service, slow)}`,
    )
  })
})

test('a carrier that drips is given up when its time is over', async () => {
  const carrier = await carrierFiles(
    (_path, response) => void response.writeHead(200, { 'content-type': 'audio/mpeg' }).write('drip'),
  )
  const other = await startService(
    { ...env(), PARLEY_RECORDING_TIMEOUT: '100ms' },
    { delivery: { ca: authority.ca, lookup } },
  )
  const { id } = await report(other.api, `${carrier.url}/1`)
  expect(await settled(other.api, id)).toMatchObject({ recordingStatus: 'failed', recordingError: 'timeout' })
  await other.stop()
})

test('stopping a node ends its downloads, and another node goes on with them', async () => {
  let isSilent = true
  const carrier = await carrierFiles((_path, response) => (isSilent ? undefined : audio(response, 'in the end')))
  const other = await startService(
    { ...env(), PARLEY_RECORDING_TIMEOUT: '10m' },
    { delivery: { ca: authority.ca, lookup } },
  )
  const { id } = await report(other.api, `${carrier.url}/1`)
  await expect.poll(() => carrier.asked.length).toBe(1)
  await other.server.stop()
  isSilent = false
  const successor = clientOf((await other.node()).url, other.api.key)
  expect(await settled(successor, id)).toMatchObject({ recordingStatus: 'available', version: 2 })
  await other.stop()
})

test('a claim takes one of each tenant, passes over those that are busy, and is taken over when its lease lapses', async () => {
  const quiet = await startService({ PARLEY_ROLE: 'api', PARLEY_DATA_DIR: dataDir })
  const sides = [(await quiet.organization('One')).sandbox, (await quiet.organization('Two')).sandbox]
  for (const api of [...sides, ...sides]) await report(api, 'https://example.com/a.mp3')
  const tenants = await Promise.all(sides.map((api) => tenantOf(quiet, api)))
  const later = (ms: number) => new Date(Date.now() + ms)
  const claim = (at: Date, limit: number, busy: string[] = []) => claimFetches(quiet.database, at, 60_000, limit, busy)
  const first = await claim(later(100), 8)
  expect(first.map(({ tenantId }) => tenantId).sort()).toEqual([...tenants].sort())
  expect((await claim(later(100), 8, [tenants[0] ?? ''])).map(({ tenantId }) => tenantId)).toEqual([tenants[1]])
  expect(await claim(later(100), 8, [tenants[0] ?? ''])).toEqual([])
  expect(await claim(later(100), 0)).toEqual([])
  expect(await claim(later(100), 8)).toHaveLength(1)
  expect((await claim(later(120_000), 8)).map(({ attempts }) => attempts)).toEqual([2, 2])
  await quiet.stop()
})
