// A Zapier integration of Parley. Each event is a trigger by REST hook: turning a Zap on subscribes its address, turning
// it off unsubscribes, and samples come from the event log.
const { isGenuine } = require('./verify.js')
const { version, dependencies } = require('./package.json')

const eventTypes = [
  'appointment.scheduled',
  'call.ended',
  'call.missed',
  'draft.approved',
  'draft.created',
  'fact.confirmed',
  'note.added',
  'person.created',
  'signal.fired',
  'sms.received',
  'task.created',
  'voicemail.received',
  'work_record.created',
  'work_record.updated',
]

const addressOf = ({ authData }, path) => `${authData.baseUrl.replace(/\/+$/, '')}/api/v1${path}`

/** Whatever is refused is said in the words of Parley. */
async function ask(z, bundle, { path, ...request }) {
  const headers = { Authorization: `Bearer ${bundle.authData.apiKey}`, ...request.headers }
  const response = await z.request({ ...request, url: addressOf(bundle, path), headers, skipThrowForStatus: true })
  if (response.status === 401 || response.status === 403) throw new z.errors.RefreshAuthError(messageOf(response))
  if (response.status >= 400) throw new z.errors.Error(messageOf(response), 'ParleyError', response.status)
  return response.data
}

const messageOf = ({ data, status }) => (data && data.error ? data.error.message : `Parley answered ${status}`)

/** Zapier tells events apart by their id. */
const withId = (event) => ({ id: event.eventId, ...event })

const words = (type) => type.split(/[._]/).map((word) => (word === 'sms' ? 'SMS' : word))
const title = (type) =>
  words(type)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')

const triggerFor = (type) => ({
  key: type.replace('.', '_'),
  noun: title(type),
  display: { label: title(type), description: `Triggers when Parley reports ${words(type).join(' ')}.` },
  operation: {
    type: 'hook',
    performSubscribe: (z, bundle) =>
      ask(z, bundle, {
        path: '/webhooks',
        method: 'POST',
        body: { url: bundle.targetUrl, eventTypes: [type], name: `Zapier: ${title(type)}` },
      }),
    performUnsubscribe: (z, bundle) =>
      ask(z, bundle, { path: `/webhooks/${bundle.subscribeData.id}`, method: 'DELETE' }),
    perform: (z, bundle) => {
      const { content, headers } = bundle.rawRequest
      const signature = headers['Http-X-Service-Signature'] || headers['X-Service-Signature']
      if (!isGenuine(bundle.subscribeData.secret, signature, content))
        throw new z.errors.HaltedError('This did not come from Parley')
      return [withId(JSON.parse(content))]
    },
    performList: async (z, bundle) => {
      const { data } = await ask(z, bundle, { path: '/events', method: 'GET', params: { type, limit: 3 } })
      return data.map(withId)
    },
    sample: {
      id: '01JH2M3N4P5Q6R7S8T9V0W1X2Y',
      eventId: '01JH2M3N4P5Q6R7S8T9V0W1X2Y',
      type,
      occurredAt: '2026-01-31T09:30:00.000Z',
      environment: 'sandbox',
      data: {},
    },
  },
})

const createFor = (key, noun, path, inputFields) => ({
  key,
  noun,
  display: { label: key === 'sms' ? 'Send SMS' : `Create ${noun}`, description: `Makes a new ${noun} in Parley.` },
  operation: {
    inputFields,
    perform: (z, bundle) => {
      // Zapier repeats a step that it is not sure of; with the same key it happens once.
      const { id } = bundle.meta || {}
      const headers = id ? { 'Idempotency-Key': `zapier-${id}-${key}` } : {}
      return ask(z, bundle, { path, method: 'POST', body: bundle.inputData, headers })
    },
    sample: { id: '01a1dd5e-5c8f-71ba-a307-13a342da36c2' },
  },
})

const field = (key, label, required = false) => ({ key, label, type: 'string', required })

const byKey = (all) => Object.fromEntries(all.map((one) => [one.key, one]))

module.exports = {
  version,
  platformVersion: dependencies['zapier-platform-core'],
  authentication: {
    type: 'custom',
    fields: [
      { key: 'baseUrl', label: 'Address of Parley', required: true, helpText: 'Such as https://parley.example.com' },
      { key: 'apiKey', label: 'API key', required: true, type: 'password', helpText: 'With scope WRITE.' },
    ],
    test: (z, bundle) => ask(z, bundle, { path: '/schema', method: 'GET' }),
    connectionLabel: '{{organization.name}} ({{key.environment}})',
  },
  triggers: byKey(eventTypes.map(triggerFor)),
  creates: byKey([
    createFor('person', 'Person', '/people/upsert', [
      field('displayName', 'Name'),
      field('primaryPhone', 'Phone'),
      field('primaryEmail', 'Email'),
    ]),
    createFor('task', 'Task', '/tasks', [field('title', 'Title', true), field('dueAt', 'Due')]),
    createFor('sms', 'SMS', '/sms', [field('to', 'To', true), field('body', 'Text', true)]),
  ]),
}
