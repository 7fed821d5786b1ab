import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from './support/service.js'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

test('smoke', async () => {
  const { api } = service
  const made = await api.post('/calls', { direction: 'inbound', from: '+15550100200', to: '+15550100999', callerName: 'Ann', providerCallId: 'x1' })
  console.log(made.status, made.text)
  const path = `/calls/${made.body.id}`
  console.log((await api.get(path)).text === made.text)
  const segs = await api.post(`${path}/segments`, { segments: [{ sequence: 0, speaker: 'caller', text: 'Hello', startMs: 0 }, { sequence: 1, speaker: 'agent', text: 'Hi', startMs: 900, isFinal: false }] })
  console.log(segs.status, segs.text)
  console.log((await api.patch(path, { status: 'in_progress' })).text)
  const facts = await api.post(`${path}/facts`, { facts: [{ key: 'issue', value: 'leak', confidence: 0.9 }] })
  console.log(facts.status, facts.text)
  const end = await api.post(`${path}/end`, { summary: 'A leak', draft: { title: 'Fix sink', payload: {} }, signals: [{ kind: 'urgent', confidence: 0.95 }] })
  console.log(end.status, end.text)
  console.log((await api.get('/calls')).body.data[0])
  console.log((await api.get(`${path}/transcript?format=vtt`)).text, (await api.get(`${path}/transcript?format=text`)).text, (await api.get(`${path}/transcript`)).text)
  console.log((await service.database.query({ parts: ['select type, call_id is not null as c from events order by xact, id'], values: [] })))
  console.log((await service.database.query({ parts: ['select * from call_activity'], values: [] })))
})
