// What the caller takes back: the extractor withdraws what it proposed itself, and nothing that anybody else had a part
// in; said again, it is proposed again.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, type Service, startService } from '../../support/service.js'
import { talk } from '../../support/understanding/talk.js'
import { until } from '../../support/until.js'

let service: Service
let api: Client
beforeAll(async () => {
  service = await startService({}, { isUnderstanding: true })
  api = service.api
})
afterAll(() => service.stop())

let calls = 0
interface Talking {
  readonly id: string
  readonly personId: string
  say(text: string): Promise<void>
}

async function newCall(): Promise<Talking> {
  const { body } = await api.post('/calls', {
    direction: 'inbound',
    from: `+1555020${1000 + ++calls}`,
    to: '+15550109999',
    startedAt: '2026-03-02T15:00:00Z',
    status: 'in_progress',
  })
  let said = 0
  async function say(text: string): Promise<void> {
    const marker = `maria${said}@example.com`
    const segments = talk(`${text}\nC: My email is ${marker}.`).map((line) => ({
      ...line,
      sequence: said,
      startMs: said++ * 1_000,
    }))
    expect((await api.post(`/calls/${body.id}/segments`, { segments })).status).toBe(200)
    // What was said last is read last.
    await until(
      async () => (await api.get(`/calls/${body.id}/surface`)).body.draftFields,
      (fields: any[]) => fields.some(({ value }) => value === marker),
    )
  }
  return { id: body.id, personId: body.personId, say }
}

const datesOf = async ({ id }: Talking) =>
  (await api.get(`/facts?sourceCallSessionId=${id}&key=preferred_date`)).body.data
const outcomes = async (call: Talking) => (await datesOf(call)).map(({ value, status }: any) => [value, status])
const draftOf = async ({ id }: Talking) => (await api.get(`/drafts?callSessionId=${id}`)).body.data[0]

const offer = 'C: Could you come on March 13th?'
const denial = 'A: March 13th, is that right?\nC: No.'

test('a value that is denied is rejected by nobody, leaves the draft, and counts as no proposal', async () => {
  const call = await newCall()
  await call.say(offer)
  expect(await outcomes(call)).toEqual([['2026-03-13', 'proposed']])
  await call.say(denial)
  const [date] = await datesOf(call)
  expect(date).toMatchObject({ status: 'rejected', rejectedBy: null, rejectedAt: expect.any(String) })
  const draft = await draftOf(call)
  expect(draft.payload).not.toHaveProperty('preferred_date')
  expect(draft.factIds).not.toContain(date.id)
  const { groups } = (await api.get('/quality/facts?groupBy=key')).body
  expect(groups.find(({ key }: any) => key === 'preferred_date')).toBeUndefined()
})

test('said again it is proposed again, once', async () => {
  const call = await newCall()
  for (const text of [offer, denial, 'C: March 13th is fine after all.', 'C: So March 13th.']) await call.say(text)
  expect(await outcomes(call)).toEqual([
    ['2026-03-13', 'proposed'],
    ['2026-03-13', 'rejected'],
  ])
  expect((await draftOf(call)).payload).toMatchObject({ preferred_date: '2026-03-13' })
})

test('a correction that is itself corrected leaves the last word', async () => {
  const call = await newCall()
  await call.say(offer)
  await call.say('A: March 13th, is that right?\nC: No, the 14th.')
  await call.say('A: March 14th, is that right?\nC: No, the 13th.')
  expect(await outcomes(call)).toEqual([
    ['2026-03-13', 'proposed'],
    ['2026-03-14', 'superseded'],
    ['2026-03-13', 'superseded'],
  ])
})

test('what somebody decided on stays as they left it', async () => {
  const [confirmed, rejected] = [await newCall(), await newCall()]
  for (const [call, action] of [
    [confirmed, 'confirm'],
    [rejected, 'reject'],
  ] as const) {
    await call.say(offer)
    const [date] = await datesOf(call)
    expect((await api.post(`/facts/${date.id}/${action}`)).status).toBe(200)
    await call.say(denial)
    await call.say(offer)
  }
  expect(await outcomes(confirmed)).toEqual([['2026-03-13', 'confirmed']])
  expect(await outcomes(rejected)).toEqual([['2026-03-13', 'rejected']])
})

test('what a client sent stays', async () => {
  const call = await newCall()
  await api.post('/facts', {
    subjectType: 'person',
    subjectId: call.personId,
    sourceCallSessionId: call.id,
    key: 'preferred_date',
    value: '2026-03-13',
  })
  await call.say(offer)
  await call.say(denial)
  expect(await outcomes(call)).toEqual([['2026-03-13', 'proposed']])
})
