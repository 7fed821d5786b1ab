// Whether a thread was read: told by the API, shared by everybody in the organization, unread again with each text.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, type Service, startService } from '../../support/service.js'

let service: Service
let api: Client
beforeAll(async () => {
  service = await startService()
  api = (await service.organization('Threads')).sandbox
  await api.post('/phone-numbers', { e164: '+15550100100', isDefault: true })
})
afterAll(() => service.stop())

const text = async (from: string, body: string): Promise<string> =>
  (await api.post('/sms/inbound', { from, to: '+15550100100', body })).body.threadId
const thread = async (id: string) => (await api.get(`/conversations/${id}`)).body
const unread = async (): Promise<string[]> =>
  (await api.get('/conversations?isUnread=true&sort=-lastMessageAt')).body.data.map(({ id }: { id: string }) => id)

test('a text makes its thread unread, reading it ends that, and the next text begins it anew', async () => {
  const id = await text('+15550109001', 'Hello')
  await text('+15550109001', 'Are you there?')
  expect(await thread(id)).toMatchObject({ unreadCount: 2, isUnread: true, lastReadAt: null })
  const other = await text('+15550109002', 'Me too')
  expect(await unread()).toEqual([other, id])

  const read = await api.patch(`/conversations/${id}`, { unreadCount: 0 })
  expect(read.body).toMatchObject({ unreadCount: 0, isUnread: false, lastReadAt: read.body.updatedAt })
  expect(await unread()).toEqual([other])
  expect((await api.get('/conversations?isUnread=false')).body.data).toMatchObject([{ id }])

  // An answer of ours is not to be read.
  expect((await api.post('/sms', { to: '+15550109001', body: 'Yes' })).body).toMatchObject({ threadId: id })
  expect(await thread(id)).toMatchObject({ unreadCount: 0, messageCount: 3 })
  await text('+15550109001', 'At last')
  expect(await thread(id)).toMatchObject({ unreadCount: 1, isUnread: true, lastReadAt: read.body.lastReadAt })
})

test('who has read the beginning has not read what came meanwhile; what was read can be made unread', async () => {
  const id = await text('+15550109003', 'One')
  const { version } = await thread(id)
  await text('+15550109003', 'Two')
  const late = await api.patch(`/conversations/${id}`, { unreadCount: 0 }, { 'if-match': `"${version}"` })
  expect(late.status).toBe(409)
  expect(await thread(id)).toMatchObject({ unreadCount: 2 })
  await api.patch(`/conversations/${id}`, { unreadCount: 0 })
  expect((await api.patch(`/conversations/${id}`, { unreadCount: 1 })).body).toMatchObject({ isUnread: true })
  // Who replaces the thread has not read it.
  const put = await api.put(`/conversations/${id}`, { channel: 'sms', participantAddress: '+15550109003' })
  expect(put.body).toMatchObject({ unreadCount: 1, isUnread: true })
})

test('calls are not to be read, and what is wrong is named', async () => {
  const call = await api.post('/calls', { direction: 'inbound', from: '+15550109004', to: '+15550100100' })
  await api.post(`/calls/${call.body.id}/end`, { outcome: 'missed' })
  const { data } = (await api.get('/conversations?channel=voice')).body
  expect(data).toMatchObject([{ unreadCount: 0, isUnread: false, messageCount: 1 }])
  const wrong = await api.patch(`/conversations/${data[0].id}`, { unreadCount: -1 })
  expect([wrong.status, wrong.body.error.details[0].path]).toEqual([400, 'unreadCount'])
  const stranger = (await service.organization('Others')).sandbox
  expect((await stranger.get('/conversations?isUnread=true')).body.data).toEqual([])
})
