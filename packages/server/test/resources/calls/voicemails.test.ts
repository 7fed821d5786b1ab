import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { byteRange } from '../../../src/recordings/byte-range.js'
import { eventsOf, tenantOf } from '../../support/events.js'
import { clientOf, type Service, startService } from '../../support/service.js'

let service: Service
let dataDir: string
let now = () => new Date()
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-voicemails-'))
  service = await startService({ PARLEY_DATA_DIR: dataDir }, { clock: () => now() })
})
afterAll(async () => {
  await service.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const left = {
  callerNumber: '+15550107001',
  to: '+15559999999',
  transcript: 'Please call me back',
  durationSeconds: 12,
}

async function leave(body: object = {}) {
  const made = await service.api.post('/voicemails', { ...left, ...body })
  expect(made.status).toBe(201)
  return made.body
}

const send = (id: string, bytes: Buffer, headers: Record<string, string> = {}) =>
  fetch(`${service.url}/api/v1/voicemails/${id}/recording`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${service.api.key}`, 'content-type': 'audio/mpeg', ...headers },
    body: new Uint8Array(bytes),
  })

const begin = async (body: object = {}) =>
  (await service.api.post('/calls', { direction: 'inbound', from: left.callerNumber, to: left.to, ...body })).body

describe('a voicemail', () => {
  test('has its caller, its message and its event', async () => {
    const api = (await service.organization('Voicemails')).sandbox
    const made = await api.post('/voicemails', left)
    expect(made).toMatchObject({ status: 201, body: { ...left, callSessionId: null, recordingUrl: null, version: 1 } })
    expect((await api.get(`/voicemails/${made.body.id}`)).body).toEqual(made.body)
    expect((await api.get('/voicemails?q=call%20back')).body.data).toEqual([made.body])
    expect((await api.get(`/people/${made.body.personId}`)).body).toMatchObject({
      primaryPhone: left.callerNumber,
      createdVia: 'voicemail',
    })
    const [message] = (await api.get('/messages')).body.data
    expect(message).toMatchObject({
      channel: 'voice',
      direction: 'inbound',
      body: left.transcript,
      voicemailId: made.body.id,
      personId: made.body.personId,
    })
    const [created, received] = await eventsOf(service, api)
    expect(created?.type).toBe('person.created')
    expect(received).toMatchObject({
      type: 'voicemail.received',
      data: {
        voicemailId: made.body.id,
        callSessionId: null,
        recordingUrl: null,
        recordingApiUrl: null,
        voicemail: made.body,
      },
    })
  })

  test('of a ringing call: the call was not missed, and its end says so', async () => {
    const call = await begin()
    const voicemail = await leave({ callSessionId: call.id, to: undefined })
    expect(voicemail).toMatchObject({ to: call.to, personId: call.personId, callSessionId: call.id })
    expect((await service.api.get(`/calls/${call.id}`)).body).toMatchObject({
      status: 'voicemail',
      voicemailId: voicemail.id,
      endedAt: null,
    })
    const ended = await service.api.post(`/calls/${call.id}/end`, { endReason: 'voicemail' })
    expect(ended.body).toMatchObject({ status: 'voicemail', endReason: 'voicemail', endedAt: expect.any(String) })
    const types = (await eventsOf(service, service.api))
      .filter(({ data }) => [data.callId, data.callSessionId].includes(call.id))
      .map(({ type }) => type)
    expect(types).toEqual(['call.started', 'voicemail.received'])
  })

  test('of a call that was missed: it becomes a voicemail, and both events stand', async () => {
    const call = await begin()
    await service.api.post(`/calls/${call.id}/end`, {})
    const [first, second] = [await leave({ callSessionId: call.id }), await leave({ callSessionId: call.id })]
    expect((await service.api.get(`/calls/${call.id}`)).body).toMatchObject({
      status: 'voicemail',
      voicemailId: first.id,
    })
    const types = (await eventsOf(service, service.api))
      .filter(({ data }) => [data.callId, data.callSessionId].includes(call.id))
      .map(({ type }) => type)
    expect(types).toEqual(['call.started', 'call.missed', 'voicemail.received', 'voicemail.received'])
    expect(second.id).not.toBe(first.id)
  })

  test('of a call that was answered, and at the same time as its end', async () => {
    const answered = await begin({ status: 'in_progress' })
    await leave({ callSessionId: answered.id })
    expect((await service.api.post(`/calls/${answered.id}/end`, {})).body).toMatchObject({
      status: 'completed',
      voicemailId: expect.any(String),
    })
    for (let round = 0; round < 5; round++) {
      const call = await begin()
      const [voicemail] = await Promise.all([
        leave({ callSessionId: call.id }),
        service.api.post(`/calls/${call.id}/end`, {}),
      ])
      expect((await service.api.get(`/calls/${call.id}`)).body).toMatchObject({
        status: 'voicemail',
        voicemailId: voicemail.id,
        endedAt: expect.any(String),
      })
    }
  })

  test('is listed with its calls on request', async () => {
    const api = (await service.organization('Calls with voicemail')).sandbox
    const call = (await api.post('/calls', { direction: 'inbound', from: left.callerNumber, to: left.to })).body
    await api.post('/calls', { direction: 'inbound', from: left.callerNumber, to: left.to })
    const voicemail = (await api.post('/voicemails', { ...left, callSessionId: call.id })).body
    const listed = (await api.get('/voicemails?source=calls')).body
    expect(listed.data).toEqual([(await api.get(`/calls/${call.id}`)).body])
    expect(listed.data[0]).toMatchObject({ voicemailId: voicemail.id, transcriptSegments: [] })
    expect((await api.get('/voicemails?source=voicemails')).body.data).toEqual([voicemail])
    expect((await api.get(`/voicemails?personId=${call.personId}&since=2020-01-01T00:00:00Z`)).body.data).toEqual([
      voicemail,
    ])
    expect((await api.get('/voicemails?source=mars')).status).toBe(400)
  })

  test('that is sent again under its external reference is the same one', async () => {
    const externalRefs = [{ system: 'pbx', externalId: 'vm-1' }]
    const first = await leave({ externalRefs })
    const again = await service.api.post('/voicemails', { ...left, externalRefs, transcript: 'Better' })
    expect(again).toMatchObject({ status: 200, body: { id: first.id, transcript: 'Better', version: 2 } })
  })
})

describe('a recording', () => {
  test('is sent as bytes and served under an address that needs no key', async () => {
    const voicemail = await leave()
    const bytes = randomBytes(300_000)
    const path = `/voicemails/${voicemail.id}/recording`
    expect((await service.api.get(path)).status).toBe(404)
    const put = await send(voicemail.id, bytes, { 'content-type': 'audio/webm; codecs=opus' })
    expect(put.status).toBe(200)
    const shown = (await put.json()) as { recordingUrl: string; version: number }
    expect(shown.version).toBe(2)
    const read = await service.api.get(`/voicemails/${voicemail.id}`)
    const [listed] = (await service.api.get('/voicemails')).body.data
    for (const url of [shown.recordingUrl, read.body.recordingUrl, listed.recordingUrl]) {
      expect(url.startsWith(`${service.url}/api/v1/`)).toBe(true)
      const audio = await fetch(url)
      expect(audio.status).toBe(200)
      expect(Buffer.from(await audio.arrayBuffer()).equals(bytes)).toBe(true)
      expect(Object.fromEntries(audio.headers)).toMatchObject({
        'content-type': 'audio/webm',
        'content-length': '300000',
        'accept-ranges': 'bytes',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'content-disposition': expect.stringContaining('attachment'),
      })
      expect(audio.headers.get('content-encoding')).toBeNull()
    }
    const redirect = await service.api.get(path)
    expect(redirect.status).toBe(302)
    expect((await fetch(redirect.headers.get('location') ?? '')).status).toBe(200)
    expect((await fetch(shown.recordingUrl, { method: 'HEAD' })).headers.get('content-length')).toBe('300000')
  })

  test('is served in parts', async () => {
    const voicemail = await leave()
    const bytes = randomBytes(1_000)
    await send(voicemail.id, bytes)
    const { recordingUrl } = (await service.api.get(`/voicemails/${voicemail.id}`)).body
    const part = (range: string, headers = {}) => fetch(recordingUrl, { headers: { range, ...headers } })
    for (const [range, start, end] of [
      ['bytes=0-0', 0, 0],
      ['bytes=10-19', 10, 19],
      ['bytes=990-', 990, 999],
      ['bytes=-5', 995, 999],
      ['bytes=900-5000', 900, 999],
    ] as const) {
      const answer = await part(range)
      expect(answer.status).toBe(206)
      expect(answer.headers.get('content-range')).toBe(`bytes ${start}-${end}/1000`)
      expect(Buffer.from(await answer.arrayBuffer()).equals(bytes.subarray(start, end + 1))).toBe(true)
    }
    const over = await part('bytes=1000-')
    expect(over.status).toBe(416)
    expect(over.headers.get('content-range')).toBe('bytes */1000')
    for (const range of ['bytes=5-2', 'bytes=0-1,3-4', 'lines=1-2', 'bytes=-'])
      expect((await part(range)).status, range).toBe(200)
    const tag = (await part('bytes=0-0')).headers.get('etag') ?? ''
    expect((await part('bytes=0-0', { 'if-range': tag })).status).toBe(206)
    expect((await part('bytes=0-0', { 'if-range': '"other"' })).status).toBe(200)
  })

  test('the address expires after five minutes, and no part of it can be changed', async () => {
    const voicemail = await leave()
    await send(voicemail.id, Buffer.from('sound'))
    const then = new Date()
    now = () => then
    onTestFinished(() => {
      now = () => new Date()
    })
    const { recordingUrl } = (await service.api.get(`/voicemails/${voicemail.id}`)).body
    const other = await leave()
    const refused = [
      ...[...'0123456789abcdefg']
        .map((character) => recordingUrl.slice(0, -1) + character)
        .filter((url) => url !== recordingUrl),
      recordingUrl
        .toUpperCase()
        .replace(service.url.toUpperCase(), service.url)
        .replace('/API/V1/RECORDINGS', '/api/v1/recordings'),
      recordingUrl.replace(voicemail.id, other.id),
      recordingUrl.replace(/\/(\d{10})\//, (_: string, seconds: string) => `/${Number(seconds) + 60}/`),
      `${recordingUrl}0`,
      recordingUrl.replace(await tenantOf(service, service.api), await tenantOf(service, service.demo.live)),
    ]
    for (const url of refused) {
      const answer = await fetch(url)
      expect(answer.status, url).toBe(403)
      expect(await answer.json()).toMatchObject({ error: { code: 'forbidden', details: { reason: 'signature' } } })
    }
    now = () => new Date(then.getTime() + 299_000)
    expect((await fetch(recordingUrl)).status).toBe(200)
    now = () => new Date(then.getTime() + 301_000)
    const expired = await fetch(recordingUrl)
    expect(expired.status).toBe(403)
    expect(await expired.json()).toMatchObject({ error: { details: { reason: 'expired' } } })
  })

  test('is replaced whole, and what was sent before is not mixed with it', async () => {
    const voicemail = await leave()
    await send(voicemail.id, Buffer.alloc(1_000, 1))
    await Promise.all(
      Array.from({ length: 8 }, (_, index) => send(voicemail.id, Buffer.alloc(200_000 + index, 65 + index))),
    )
    const { recordingUrl } = (await service.api.get(`/voicemails/${voicemail.id}`)).body
    const bytes = Buffer.from(await (await fetch(recordingUrl)).arrayBuffer())
    expect(bytes.every((byte) => byte === bytes[0])).toBe(true)
    expect(bytes.length).toBe(200_000 + (bytes[0] ?? 0) - 65)
  })

  test('an address follows PARLEY_PUBLIC_URL, never the Host header', async () => {
    const behind = await service.node({ PARLEY_PUBLIC_URL: 'https://calls.example.com', PARLEY_DATA_DIR: dataDir })
    const api = clientOf(behind.url, service.api.key)
    const voicemail = await leave()
    await send(voicemail.id, Buffer.from('x'))
    const { recordingUrl } = (await api.get(`/voicemails/${voicemail.id}`, { host: 'evil.example' })).body
    expect(recordingUrl.startsWith('https://calls.example.com/api/v1/recordings/')).toBe(true)
    expect((await fetch(recordingUrl.replace('https://calls.example.com', service.url))).status).toBe(200)
  })

  test('what is no audio, too large or of no voicemail is refused, and nothing of it stays', async () => {
    const voicemail = await leave()
    const kept = async () =>
      (await readdir(join(dataDir, 'recordings'), { recursive: true, withFileTypes: true })).filter((entry) =>
        entry.isFile(),
      ).length
    const before = await kept()
    for (const type of ['text/html', 'application/json', 'audio', 'audio/', 'video/mp4']) {
      const answer = await send(voicemail.id, Buffer.from('x'), { 'content-type': type })
      expect(answer.status, type).toBe(415)
    }
    expect((await send('01900000-0000-7000-8000-000000000000', Buffer.from('x'))).status).toBe(404)
    const announced = await send(voicemail.id, Buffer.alloc(50 * 1024 * 1024 + 1))
    expect(announced.status).toBe(413)
    expect(await announced.json()).toMatchObject({
      error: { code: 'payload_too_large', details: { limitBytes: 50 * 1024 * 1024 } },
    })
    expect(await sendChunks(voicemail.id, 51)).toBe(413)
    expect((await service.api.get(`/voicemails/${voicemail.id}/recording`)).status).toBe(404)
    expect(await kept()).toBe(before)
    const reader = await service.keyOf(service.demo.id, 'sandbox', 'READ')
    expect((await reader.put(`/voicemails/${voicemail.id}/recording`, '{}')).status).toBe(403)
  })

  test('may be bytes of any kind, of which the first tell which audio they are', async () => {
    const kinds = [
      ['RIFF....WAVEfmt ', 'audio/wav'],
      ['ID3.........', 'audio/mpeg'],
      ['OggS........', 'audio/ogg'],
      ['....ftypM4A ', 'audio/mp4'],
    ] as const
    for (const [beginning, kind] of kinds) {
      const { id } = await leave()
      const bytes = Buffer.concat([Buffer.from(beginning), randomBytes(5_000)])
      const put = await send(id, bytes, { 'content-type': 'application/octet-stream' })
      const { recordingUrl } = (await put.json()) as { recordingUrl: string }
      const audio = await fetch(recordingUrl)
      expect(audio.headers.get('content-type')).toBe(kind)
      expect(Buffer.from(await audio.arrayBuffer()).equals(bytes)).toBe(true)
    }
    const { id } = await leave()
    for (const told of ['%PDF-1.7 ........', '<html>', ''])
      expect((await send(id, Buffer.from(told), { 'content-type': 'application/octet-stream' })).status, told).toBe(415)
    const packed = gzipSync(Buffer.from('RIFF....WAVEfmt '))
    const octets = { 'content-type': 'application/octet-stream', 'content-encoding': 'gzip' }
    expect((await send(id, packed, octets)).status).toBe(200)
    expect((await send(id, Buffer.from('no gzip at all'), octets)).status).toBe(400)
  })

  test('that is packed is unpacked, or refused by the name of its header', async () => {
    const sound = randomBytes(5_000)
    for (const [encoding, packed] of [
      ['gzip', gzipSync(sound)],
      ['GZIP', gzipSync(sound)],
      ['br', brotliCompressSync(sound)],
      ['identity', sound],
    ] as const) {
      const voicemail = await leave()
      const put = await send(voicemail.id, packed, { 'content-encoding': encoding })
      expect(put.status, encoding).toBe(200)
      const { recordingUrl } = (await put.json()) as { recordingUrl: string }
      expect(Buffer.from(await (await fetch(recordingUrl)).arrayBuffer()).equals(sound), encoding).toBe(true)
    }
    const voicemail = await leave()
    for (const encoding of ['deflate', 'gzip, br', 'zstd', 'constructor']) {
      const refused = await send(voicemail.id, gzipSync(sound), { 'content-encoding': encoding })
      expect(refused.status, encoding).toBe(415)
      expect(await refused.json()).toMatchObject({ error: { message: expect.stringContaining('Content-Encoding') } })
    }
    // Of random bytes, one beginning in thirty is Brotli for nothing at all.
    const unpacked = Buffer.from('no encoding at all')
    for (const [encoding, bytes] of [
      ['gzip', unpacked],
      ['br', unpacked],
      ['gzip', gzipSync(sound).subarray(0, 2_000)],
    ] as const) {
      const refused = await send(voicemail.id, bytes, { 'content-encoding': encoding })
      expect(refused.status, encoding).toBe(400)
      expect(await refused.json()).toMatchObject({ error: { message: expect.stringContaining('Content-Encoding') } })
    }
    expect(
      (await send(voicemail.id, gzipSync(Buffer.alloc(60 * 1024 * 1024)), { 'content-encoding': 'gzip' })).status,
    ).toBe(413)
    expect((await send(voicemail.id, Buffer.alloc(0))).status).toBe(400)
    expect((await service.api.get(`/voicemails/${voicemail.id}`)).body).toMatchObject({
      recordingUrl: null,
      recordingStatus: 'none',
      version: 1,
    })
  })

  test('of 50 MiB is taken as it comes, without keeping it in memory', async () => {
    const voicemail = await leave()
    const before = bytesInUse()
    let held = Number.NaN
    expect(await sendChunks(voicemail.id, 50, { beforeEnd: () => (held = bytesInUse() - before) })).toBe(200)
    expect(held).toBeLessThan(20 * 1024 * 1024)
    const { recordingUrl } = (await service.api.get(`/voicemails/${voicemail.id}`)).body
    expect((await fetch(recordingUrl, { headers: { range: 'bytes=52428799-' } })).headers.get('content-range')).toBe(
      'bytes 52428799-52428799/52428800',
    )
  })

  test('that breaks off in the middle leaves nothing', async () => {
    const voicemail = await leave()
    await expect(sendChunks(voicemail.id, 5, { breakOff: true })).rejects.toThrow()
    expect((await service.api.get(`/voicemails/${voicemail.id}/recording`)).status).toBe(404)
    const tenantId = await tenantOf(service, service.api)
    await expect.poll(() => readdir(join(dataDir, 'recordings', tenantId, voicemail.id))).toEqual([])
  })
})

/** What buffers hold that somebody still needs: what is rubbish waits for nobody knows when. */
function bytesInUse(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().arrayBuffers
}

/** Sends that many MiB without saying how many they will be. */
function sendChunks(
  id: string,
  mebibytes: number,
  { breakOff = false, beforeEnd = () => {} }: { breakOff?: boolean; beforeEnd?: () => void } = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const url = new URL(`${service.url}/api/v1/voicemails/${id}/recording`)
    const request = httpRequest(
      url,
      { method: 'PUT', headers: { authorization: `Bearer ${service.api.key}`, 'content-type': 'audio/wav' } },
      (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      },
    )
    request.on('error', reject)
    const chunk = Buffer.alloc(1024 * 1024, 7)
    let sent = 0
    const write = () => {
      while (sent < mebibytes) {
        sent++
        if (!request.write(chunk)) return void request.once('drain', write)
      }
      beforeEnd()
      if (breakOff) setTimeout(() => request.destroy(new Error('gone')), 50)
      else request.end()
    }
    write()
  })
}

test('a range is one part of the whole, or none', () => {
  expect(byteRange(undefined, 10)).toBe('whole')
  expect(byteRange('bytes=0-', 0)).toBe('unsatisfiable')
  expect(byteRange('bytes=-0', 10)).toBe('unsatisfiable')
  expect(byteRange('bytes=-50', 10)).toEqual({ start: 0, end: 9 })
})
