// The story with openapi-fetch over the types of openapi-typescript.
import createClient from 'openapi-fetch'
import type { components, paths } from './generated.js'
import { baseUrl, expect, headers, isSigned, silence, told } from './story.js'

const parley = createClient<paths>({ baseUrl, headers })

const person: components['schemas']['PersonCreate'] = { displayName: 'Dana Reyes', primaryPhone: '+12025550143' }
const made = await parley.POST('/people', { body: person })
expect(made.response.status === 201 && made.data !== undefined, 'a person was made')

const listed = await parley.GET('/people', { params: { query: { limit: 1, q: 'Dana' } } })
expect(listed.data?.data[0]?.id === made.data.id, 'the person is listed')

const voicemail = await parley.POST('/voicemails', { body: { callerNumber: '+12025550143' } })
expect(voicemail.data !== undefined, 'a voicemail was reported')
const uploaded = await parley.PUT('/voicemails/{id}/recording', {
  params: { path: { id: voicemail.data.id } },
  body: silence() as never,
  bodySerializer: (body: unknown) => body as Blob,
  headers: { 'content-type': 'application/octet-stream' },
})
expect(uploaded.data?.recordingStatus === 'available', 'its recording is there')

const url = `${told('INBOX_URL')}/openapi-typescript`
const webhook = await parley.POST('/webhooks', { body: { url, eventTypes: ['call.ended'] } })
expect(webhook.data !== undefined, 'a webhook was made')
await parley.POST('/webhooks/{id}/test', { params: { path: { id: webhook.data.id } } })
expect(await isSigned(url, webhook.data.secret), 'its delivery is signed')

const refused = await parley.POST('/tasks', { body: { title: '' } })
expect(refused.error?.error.code === 'bad_request', 'an error has its code')
