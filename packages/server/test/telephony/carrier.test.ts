import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Carriers, OutgoingText, SendResult } from '../../src/telephony/carrier.js'
import { magicNumbers, sandboxCarrier, simulatedSenders } from '../../src/telephony/sandbox.js'
import { judgeFollowUp, judgeSend } from '../../src/telephony/sms-verdict.js'
import { eventsOf } from '../support/events.js'
import { type Client, type Service, startService } from '../support/service.js'
import { until } from '../support/until.js'

const start = new Date('2026-03-01T10:00:00Z')
let now = start
let service: Service

interface Asked extends OutgoingText {
  readonly config: Readonly<Record<string, unknown>>
  readonly credentials: Readonly<Record<string, unknown>>
}
const asked: Asked[] = []
/** What the carrier answers next; it accepts everything unless a test says otherwise. */
let answer: (text: OutgoingText) => Promise<SendResult> = async ({ idempotencyKey }) => ({
  kind: 'accepted',
  providerMessageId: `P-${idempotencyKey}`,
})

const carriers: Carriers = {
  pigeon: {
    open: ({ config, credentials }) => ({
      send(text) {
        asked.push({ ...text, config, credentials })
        return answer(text)
      },
    }),
  },
}

beforeAll(async () => {
  service = await startService({}, { clock: () => now, carriers })
})
afterAll(() => service.stop())

async function liveSide(): Promise<Client> {
  const { live } = await service.organization('Live')
  await live.post('/integration-connections', {
    provider: 'pigeon',
    name: 'Loft',
    kind: 'telephony',
    status: 'active',
    config: { loft: 1 },
    credentials: { token: 'grain and water' },
  })
  await live.post('/phone-numbers', { e164: '+15550109001', isDefault: true })
  return live
}

const settled = (api: Client, id: string, status: string) =>
  until(
    async () => (await api.get(`/sms/${id}`)).body,
    (sms) => sms.status === status,
  )
const askedFor = (id: string) => asked.filter(({ idempotencyKey }) => idempotencyKey === id)

describe('a live side with a carrier', () => {
  test('sends through its connection, with its credentials, under the id of the text', async () => {
    const live = await liveSide()
    const { body: sms } = await live.post('/sms', { to: '+15550100200', body: 'Hello' })
    expect(await settled(live, sms.id, 'sent')).toMatchObject({ providerMessageId: `P-${sms.id}` })
    expect(askedFor(sms.id)).toEqual([
      {
        idempotencyKey: sms.id,
        from: '+15550109001',
        to: '+15550100200',
        body: 'Hello',
        queuedAt: new Date(sms.createdAt),
        attempt: 1,
        config: { loft: 1 },
        credentials: { token: 'grain and water' },
      },
    ])
    expect((await eventsOf(service, live)).map(({ type, environment }) => [type, environment])).toEqual([
      ['sms.sent', 'production'],
    ])
    expect((await live.post(`/sms/${sms.id}/status`, { status: 'delivered' })).body.status).toBe('delivered')
  })

  test('without a default number there is nobody to send from', async () => {
    const { live } = await service.organization('No number')
    await live.post('/integration-connections', {
      provider: 'pigeon',
      name: 'Loft',
      kind: 'telephony',
      status: 'active',
    })
    await live.post('/phone-numbers', { e164: '+15550109001' })
    const refused = await live.post('/sms', { to: '+15550100200', body: 'Hello' })
    expect([refused.status, refused.body.error.details.reason]).toEqual([422, 'no_sender_number'])
    expect((await live.get('/phone-numbers')).body.data).toHaveLength(1)
  })

  test('a number’s own connection comes before the oldest', async () => {
    const live = await liveSide()
    const { body: second } = await live.post('/integration-connections', {
      provider: 'pigeon',
      name: 'Tower',
      kind: 'telephony',
      status: 'active',
      config: { loft: 2 },
    })
    const { body: number } = await live.post('/phone-numbers', {
      e164: '+15550109002',
      integrationConnectionId: second.id,
    })
    const { body: sms } = await live.post('/sms', { to: '+15550100200', fromPhoneNumberId: number.id, body: 'Hello' })
    await settled(live, sms.id, 'sent')
    expect(askedFor(sms.id).map(({ config }) => config)).toEqual([{ loft: 2 }])
  })

  test('is asked again on the ladder while it is away, and the text fails at its end', async () => {
    const live = await liveSide()
    const accept = answer
    answer = async () => Promise.reject(new Error('The loft is empty'))
    const { body: sms } = await live.post('/sms', { to: '+15550100200', body: 'Hello' })
    for (const [index, seconds] of [5, 30, 120, 600, 1_800, 3_600].entries()) {
      await until(
        async () => askedFor(sms.id).length,
        (count) => count === index + 1,
      )
      await until(
        () => dueIn(sms.id),
        (due) => due === seconds,
      )
      now = new Date(now.getTime() + seconds * 1_000)
    }
    expect(await settled(live, sms.id, 'failed')).toMatchObject({
      errorCode: 'carrier_unavailable',
      errorMessage: 'The loft is empty',
    })
    expect(askedFor(sms.id).map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect((await eventsOf(service, live)).map(({ type }) => type)).toEqual(['sms.failed'])
    answer = accept
  })

  test('is not asked for what was taken back meanwhile: opted out, or reported already', async () => {
    const live = await liveSide()
    const accept = answer
    answer = async () => ({ kind: 'unavailable', errorMessage: 'Later' })
    const [stopped, reported] = [
      (await live.post('/sms', { to: '+15550100200', body: 'x' })).body,
      (await live.post('/sms', { to: '+15550100201', body: 'x' })).body,
    ]
    await until(
      async () => [await dueIn(stopped.id), await dueIn(reported.id)],
      (due) => due.every((seconds) => seconds === 5),
    )
    expect(askedFor(stopped.id).length + askedFor(reported.id).length).toBe(2)
    await live.post('/sms/inbound', { from: '+15550100200', to: '+15550109001', body: 'STOP' })
    await live.post(`/sms/${reported.id}/status`, { status: 'delivered' })
    answer = accept
    now = new Date(now.getTime() + 10_000)
    expect(await settled(live, stopped.id, 'failed')).toMatchObject({ errorCode: 'recipient_opted_out' })
    await until(
      () => waiting(reported.id),
      (isWaiting) => !isWaiting,
    )
    expect((await live.get(`/sms/${reported.id}`)).body).toMatchObject({ status: 'delivered', providerMessageId: null })
    expect(askedFor(stopped.id).length + askedFor(reported.id).length).toBe(2)
  })

  test('a connection that is paused before the text went out is waited for', async () => {
    const live = await liveSide()
    const accept = answer
    answer = async () => ({ kind: 'unavailable', errorMessage: 'Later' })
    const { body: sms } = await live.post('/sms', { to: '+15550100200', body: 'x' })
    await until(
      () => dueIn(sms.id),
      (due) => due === 5,
    )
    expect(askedFor(sms.id)).toHaveLength(1)
    const [connection] = (await live.get('/integration-connections')).body.data
    await live.patch(`/integration-connections/${connection.id}`, { status: 'paused' })
    answer = accept
    expect((await live.post('/sms', { to: '+15550100200', body: 'x' })).body.error.details.reason).toBe('no_carrier')
    now = new Date(now.getTime() + 6_000)
    await until(
      () => dueIn(sms.id),
      (due) => due === 30,
    )
    await live.patch(`/integration-connections/${connection.id}`, { status: 'active' })
    now = new Date(now.getTime() + 30_000)
    await settled(live, sms.id, 'sent')
    expect(askedFor(sms.id)).toHaveLength(2)
  })
})

async function dueIn(smsId: string): Promise<number | undefined> {
  const [row] = await service.database.read<[Date, string | null]>({
    parts: ['select due_at, claim from sms_outbox where sms_id = ', ''],
    values: [smsId],
  })
  return row && row[1] === null ? (row[0].getTime() - now.getTime()) / 1_000 : undefined
}

async function waiting(smsId: string): Promise<boolean> {
  return (
    (await service.database.read({ parts: ['select 1 from sms_outbox where sms_id = ', ''], values: [smsId] })).length >
    0
  )
}

describe('the sandbox carrier', () => {
  const text = (to: string, attempt = 1): OutgoingText => ({
    idempotencyKey: 'k',
    from: '+15005550006',
    to,
    body: 'Hello',
    queuedAt: new Date(),
    attempt,
  })
  const signal = new AbortController().signal

  test('gives the same text the same id however often it is asked', async () => {
    const [first, second] = [
      await sandboxCarrier.send(text('+15550100200'), signal),
      await sandboxCarrier.send(text('+15550100200', 2), signal),
    ]
    expect(first).toEqual({ kind: 'accepted', providerMessageId: 'sandbox-k', followAfterMs: 1_000 })
    expect(second).toEqual(first)
  })

  test('every magic number is one of +1500555xxxx and does what the guide says', async () => {
    const kinds = Object.fromEntries(
      await Promise.all(
        Object.entries(magicNumbers).map(async ([name, to]) => [
          name,
          (await sandboxCarrier.send(text(to), signal)).kind,
        ]),
      ),
    )
    expect(kinds).toEqual({
      invalid: 'refused',
      unreachable: 'accepted',
      slow: 'accepted',
      blocked: 'refused',
      busy: 'unavailable',
      replies: 'accepted',
      stops: 'accepted',
    })
    const followed = async (to: string) =>
      sandboxCarrier.follow?.({ ...text(to), providerMessageId: 'sandbox-k' }, signal)
    expect(await followed(magicNumbers.unreachable)).toMatchObject({ kind: 'undelivered' })
    expect(await followed(magicNumbers.stops)).toEqual({ kind: 'delivered', reply: 'STOP' })
    const guide = await readFile(new URL('../../../../docs/guides/sms.md', import.meta.url), 'utf8')
    for (const number of [...Object.values(magicNumbers), ...simulatedSenders]) {
      expect(number).toMatch(/^\+1500555\d{4}$/)
      expect(guide).toContain(`\`${number}\``)
    }
  })
})

describe('the verdict on a carrier’s answer', () => {
  const at = (seconds: number) => new Date(start.getTime() + seconds * 1_000)

  test.each([
    [
      'accepted, with receipts of its own',
      { kind: 'accepted', providerMessageId: 'p' } as const,
      { report: { status: 'sent', providerMessageId: 'p' }, next: { kind: 'done' } },
    ],
    [
      'accepted, to be asked again',
      { kind: 'accepted', providerMessageId: 'p', followAfterMs: 2_000 } as const,
      {
        report: { status: 'sent', providerMessageId: 'p' },
        next: { kind: 'again', step: 'follow', dueAt: at(2), isNewStep: true },
      },
    ],
    [
      'refused',
      { kind: 'refused', errorCode: 'e', errorMessage: 'm' } as const,
      { report: { status: 'failed', errorCode: 'e', errorMessage: 'm' }, next: { kind: 'done' } },
    ],
    [
      'away',
      { kind: 'unavailable', errorMessage: 'm' } as const,
      { report: {}, next: { kind: 'again', step: 'send', dueAt: at(5), isNewStep: false } },
    ],
  ])('%s', (_what, result, verdict) => {
    expect(judgeSend({ attempts: 1 }, result, start)).toEqual(verdict)
  })

  test('a carrier that never tells what became of a text is let go, and the text stays sent', () => {
    const waits = { kind: 'waiting', followAfterMs: 1_000 } as const
    expect(judgeFollowUp({ attempts: 19 }, waits, start)).toEqual({
      report: {},
      next: { kind: 'again', step: 'follow', dueAt: at(1), isNewStep: false },
    })
    expect(judgeFollowUp({ attempts: 20 }, waits, start)).toEqual({ report: {}, next: { kind: 'done' } })
  })
})
