// docs/reference/events.md: every event that Parley sends, with its data and an example.
import {
  events,
  eventTypes,
  limits,
  sampleEvent,
  standardEventTypes,
  webhookHeaders,
} from '../../packages/contract/dist/index.js'
import { code, json, link, page, table } from './markdown.mjs'
import { noteWords, typeWords } from './schema-words.mjs'

export const eventsPage = () =>
  page(
    '# Events',
    `Parley posts an event to every subscription that asked for its type. A subscription without types gets the ${standardEventTypes.length} standard ones; opt-in types go only to those that name them. The same events can be read from \`GET /events\` and followed at \`GET /events/stream\`.`,
    `Answer 2xx within ${limits.webhookTimeoutSeconds} seconds. Anything else is tried again, ${limits.webhookAttempts} times in all. An event can arrive twice and in any order: keep \`eventId\` to tell repeats, and ignore fields that you do not know. One that would be larger than ${limits.eventBytes / 1024} KiB comes without its largest parts, and names them in \`omitted\`.`,
    table(
      ['Header', 'What it says'],
      Object.entries(headerMeanings).map(([key, meaning]) => [code(webhookHeaders[key]), meaning]),
    ),
    table(
      ['Event', 'When', ''],
      eventTypes.map((type) => [link(type), events[type].when, events[type].optIn ? 'opt-in' : '']),
    ),
    eventTypes.map(section),
  )

const headerMeanings = {
  signature:
    '`t=<Unix seconds>,v1=<hex>`: HMAC-SHA-256 over `<t>.<raw body>`, keyed with the whole secret; two `v1` while the secret is rotated',
  event: 'The type of the event',
  eventId: 'The id of the event',
  deliveryId: 'The id of this delivery',
  attempt: 'Which attempt this is, from 1',
  standardId: 'The id of the event, for [Standard Webhooks](https://www.standardwebhooks.com) libraries',
  standardTimestamp: 'When this attempt was signed',
  standardSignature: '`v1,<base64>`, keyed with the base64-decoded part of the secret after `whsec_`',
}

function section(type) {
  const { when, optIn, data } = events[type]
  const required = new Set(data.required)
  return [
    `## ${type}`,
    optIn ? `${when} *Opt-in.*` : when,
    table(
      ['`data`', 'Type', 'Notes'],
      Object.entries(data.properties).map(([name, schema]) => [
        code(name),
        dataType(schema),
        notes(name, schema, required),
      ]),
    ),
    `<details><summary>Example</summary>\n\n${json(sampleEvent(type))}\n\n</details>`,
  ].join('\n\n')
}

/** A whole record is described on its own page. */
const isRecord = (schema) =>
  ['id', 'organizationId', 'version'].every((name) => name in ((schema.items ?? schema).properties ?? {}))

const dataType = (schema) =>
  isRecord(schema) ? typeWords(schema).replace('objects', 'records').replace('object', 'record') : typeWords(schema)

function notes(name, schema, required) {
  const words = isRecord(schema) ? 'As the API returns it, at that moment.' : noteWords(schema)
  return required.has(name) ? words : `May be missing. ${words}`
}
