// A demo organization with something on every screen, and the addresses of all of them.
import { vi } from 'vitest'
import type { Service } from '../../../server/test/support/service.js'

const scripts = ['leaking_sink', 'legal_matter', 'tow', 'clinic_appointment'] as const

/** Calls, drafts, texts, a voicemail, work, an appointment, a webhook; the screens that show them. */
export async function furnish({ api }: Service): Promise<readonly string[]> {
  const connection = await connect(api)
  for (const script of scripts) await api.post('/sandbox/simulate', { scenario: 'full_intake', script, speed: 1_000 })
  for (const scenario of ['voicemail', 'inbound_sms', 'missed_call'])
    await api.post('/sandbox/simulate', { scenario, speed: 1_000 })
  const firstOf = async (path: string) => (await api.get(path)).body.data[0]?.id as string | undefined
  const waiting = async () => (await api.get('/drafts?status=pending_review&sort=createdAt')).body.data
  await vi.waitUntil(async () => (await waiting()).length === scripts.length, { timeout: 120_000 })
  await vi.waitUntil(() => firstOf('/voicemails'), { timeout: 120_000 })
  await vi.waitUntil(() => firstOf('/calls?status=missed'), { timeout: 120_000 })
  const [oldest] = await waiting()
  const work = (await api.post(`/drafts/${oldest.id}/approve`, {})).body.workRecordId
  await api.patch(`/work-records/${work}`, { priority: 'urgent' })
  await api.post('/appointments', { title: 'Repair kitchen sink', startAt: new Date().toISOString() })
  await api.post('/tasks', { title: 'Ring Maria back', dueAt: new Date().toISOString() })
  const hook = await api.post('/webhooks', { url: 'https://hooks.example.com/parley', eventTypes: ['draft.approved'] })
  const number = await setUp(api, connection)
  const [call, thread, voicemail, missed, person] = await Promise.all([
    firstOf('/calls?status=completed'),
    firstOf('/conversations?channel=sms'),
    firstOf('/voicemails'),
    firstOf('/calls?status=missed'),
    firstOf('/people'),
  ])
  const [type, fact, entry] = await Promise.all([
    firstOf('/work-type-definitions?canonicalKind=job'),
    firstOf('/fact-definitions'),
    firstOf(`/integration-connections/${connection}/inbound`),
  ])
  const [event] = (await api.get('/events?limit=1')).body.data
  return [
    'live',
    `live/${call}`,
    'review',
    `inbox/texts/${thread}`,
    `inbox/voicemails/${voicemail}`,
    `inbox/missed/${missed}`,
    `people/${person}`,
    `work/table/${work}`,
    'work/board',
    'work/calendar',
    'work/tasks',
    'overview',
    'developers/simulator',
    'developers/webhooks',
    `developers/webhooks/${hook.body.id}`,
    'developers/events',
    `developers/events/${event.eventId}`,
    'developers/connections',
    `developers/connections/${connection}`,
    `developers/connections/${connection}/${entry}`,
    'developers/requests',
    'developers/keys',
    `developers/examples?path=/people/${person}`,
    'settings/organization',
    'settings/numbers',
    `settings/numbers/${number}`,
    'settings/types',
    `settings/types/${type}`,
    'settings/definitions',
    `settings/definitions/facts/${fact}`,
    'settings/definitions/signals/new',
    'settings/members',
    'settings/retention',
    'settings/account',
  ]
}

/** A carrier that has sent something. Nobody has checked it, so nothing goes out through it. */
async function connect(api: Service['api']): Promise<string> {
  const made = await api.post('/integration-connections', {
    provider: 'twilio',
    name: 'Front desk',
    config: { accountSid: `AC${'0a'.repeat(16)}` },
    credentials: { authToken: 'the token of the account' },
  })
  const { id } = made.body
  const text = 'MessageSid=SM1&From=%2B12025550143&To=%2B12025550100&Body=Is+tomorrow+still+fine%3F&NumMedia=0'
  await api.post(`/integration-connections/${id}/inbound/simulate`, { kind: 'sms', body: text })
  return id
}

/** A number that is routed, a kind of work with a form, and a fact. */
async function setUp(api: Service['api'], integrationConnectionId: string): Promise<string> {
  const weekly = ['mon', 'tue', 'wed', 'thu', 'fri'].map((day) => ({ day, from: '08:00', to: '17:30' }))
  const hours = { timeZone: 'America/New_York', weekly, closed: ['2026-12-25'] }
  const routing = { forwardTo: ['+12125550101'], hours, consentMessage: 'This call may be recorded.', record: true }
  const line = { e164: '+12025550199', label: 'Front desk', integrationConnectionId, routing }
  const number = (await api.post('/phone-numbers', line)).body.id
  const [type] = (await api.get('/work-type-definitions?canonicalKind=job')).body.data
  const properties = {
    problem: { type: 'string' },
    fuel: { type: 'string', enum: ['gas', 'oil'] },
    built_in: { type: 'integer', title: 'Year of the house' },
  }
  const form = { fieldSchema: { type: 'object', properties }, requiredFields: ['service_address', 'problem'] }
  await api.patch(`/work-type-definitions/${type.id}`, form)
  const definition = { key: 'roof_age', label: 'Age of the roof', valueType: 'number', subjectScope: 'work_record' }
  await api.post('/fact-definitions', { ...definition, hints: ['years old'] })
  return number
}
