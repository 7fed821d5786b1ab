// The story with the client that hey-api writes.
import { client } from './generated/client.gen.js'
import {
  createPerson,
  createVoicemail,
  createWebhook,
  listPeople,
  putVoicemailRecording,
  testWebhook,
} from './generated/sdk.gen.js'
import { baseUrl, expect, headers, isSigned, silence, told } from './story.js'

client.setConfig({ baseUrl, headers })

const made = await createPerson({ body: { displayName: 'Sam Okafor', primaryPhone: '+12025550144' } })
expect(made.response?.status === 201 && made.data !== undefined, 'a person was made')

const listed = await listPeople({ query: { limit: 1, q: 'Okafor' } })
expect(listed.data?.data[0]?.id === made.data.id, 'the person is listed')

const voicemail = await createVoicemail({ body: { callerNumber: '+12025550144' } })
expect(voicemail.data !== undefined, 'a voicemail was reported')
const uploaded = await putVoicemailRecording({ path: { id: voicemail.data.id }, body: silence() })
expect(uploaded.data?.recordingStatus === 'available', 'its recording is there')

const url = `${told('INBOX_URL')}/hey-api`
const webhook = await createWebhook({ body: { url, eventTypes: ['call.ended'] } })
expect(webhook.data !== undefined, 'a webhook was made')
await testWebhook({ path: { id: webhook.data.id } })
expect(await isSigned(url, webhook.data.secret), 'its delivery is signed')
