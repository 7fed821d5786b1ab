// A demo organization with something on every screen, and the addresses of all of them.
import { vi } from 'vitest'
import type { Service } from '../../../server/test/support/service.js'

const scripts = ['leaking_sink', 'legal_matter', 'tow', 'clinic_appointment'] as const

/** Calls, drafts, texts, a voicemail, work, an appointment, a webhook; the screens that show them. */
export async function furnish({ api }: Service): Promise<readonly string[]> {
  for (const script of scripts) await api.post('/sandbox/simulate', { scenario: 'full_intake', script, speed: 1_000 })
  for (const scenario of ['voicemail', 'inbound_sms', 'missed_call'])
    await api.post('/sandbox/simulate', { scenario, speed: 1_000 })
  const firstOf = async (path: string) => (await api.get(path)).body.data[0]?.id as string | undefined
  const waiting = async () => (await api.get('/drafts?status=pending_review&sort=createdAt')).body.data
  await vi.waitUntil(async () => (await waiting()).length === scripts.length, { timeout: 20_000 })
  await vi.waitUntil(() => firstOf('/voicemails'), { timeout: 20_000 })
  await vi.waitUntil(() => firstOf('/calls?status=missed'), { timeout: 20_000 })
  const [oldest] = await waiting()
  const work = (await api.post(`/drafts/${oldest.id}/approve`, {})).body.workRecordId
  await api.patch(`/work-records/${work}`, { priority: 'urgent' })
  await api.post('/appointments', { title: 'Repair kitchen sink', startAt: new Date().toISOString() })
  await api.post('/tasks', { title: 'Ring Maria back', dueAt: new Date().toISOString() })
  const hook = await api.post('/webhooks', { url: 'https://hooks.example.com/parley', eventTypes: ['draft.approved'] })
  const [call, thread, voicemail, missed, person] = await Promise.all([
    firstOf('/calls?status=completed'),
    firstOf('/conversations?channel=sms'),
    firstOf('/voicemails'),
    firstOf('/calls?status=missed'),
    firstOf('/people'),
  ])
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
    'developers/keys',
    'developers/examples',
    'settings/organization',
    'settings/members',
    'settings/types',
    'settings/definitions',
    'settings/numbers',
    'settings/account',
  ]
}
