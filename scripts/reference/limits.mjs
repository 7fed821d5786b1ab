// docs/reference/limits.md: every size and count that a caller can run into. A limit without a sentence here is an
// error.
import { limits } from '../../packages/contract/dist/index.js'
import { settings } from '../../packages/server/dist/config/config.js'
import { code, page, table } from './markdown.mjs'

export const limitsPage = () =>
  page(
    '# Limits',
    'What is over a limit is refused with a message that says so; nothing is cut off silently. `GET /schema` shows the same numbers.',
    '## Requests per second',
    `Each environment of an organization has a bucket for reads (GET, HEAD) and one for writes. As delivered they hold ${burst('PARLEY_RATE_LIMIT_READ')} reads and ${burst('PARLEY_RATE_LIMIT_WRITE')} writes, and refill at ${sustained('PARLEY_RATE_LIMIT_READ')} and ${sustained('PARLEY_RATE_LIMIT_WRITE')} a second; the operator can change both. \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` come with every answer, \`Retry-After\` with a 429.`,
    '## Sizes and counts',
    table(
      ['Limit', 'Value', 'What it holds for'],
      Object.entries({
        ...limits,
        retentionDays: Number(defaultOf('PARLEY_RETENTION_DAYS')),
        batchItemsPerSecond: Number(sustained('PARLEY_RATE_LIMIT_BATCH')),
        batchItemsBurst: Number(burst('PARLEY_RATE_LIMIT_BATCH')),
      }).map(([name, value]) => [code(name), worded(name, value), meaningOf(name)]),
    ),
  )

const defaultOf = (name) => settings.find((setting) => setting.name === name).default
const sustained = (name) => defaultOf(name).split(':')[0]
const burst = (name) => defaultOf(name).split(':')[1]

function worded(name, value) {
  if (!/Bytes/.test(name)) return value.toLocaleString('en')
  return value % (1024 * 1024) === 0 ? `${value / 1024 / 1024} MiB` : `${value / 1024} KiB`
}

function meaningOf(name) {
  if (!(name in meanings)) throw new Error(`scripts/reference/limits.mjs does not say what ${name} means`)
  return meanings[name]
}

const meanings = {
  passwordLengthMin: 'Characters of a password, at least',
  passwordLength: 'Characters of a password, at most',
  members: 'Users of an organization',
  invitations: 'Open invitations of an organization',
  userSessions: 'Sessions of a user; a further one ends the one that was not used for longest',
  requestLogDays: 'Days that requests stay in the request log',
  importErrors: 'Refused rows of an import that are kept with their reasons',
  openImports: 'Imports of a tenant that have not ended',
  batchItems: 'Items of a batch',
  batchBytes: 'The body of a batch',
  batchValues: 'Keys and items in the body of a batch, at all levels together',
  batchItemsPerSecond: 'Items of batches that come back to a tenant per second; the operator sets it',
  batchItemsBurst: 'Items of batches that a tenant may send at once; the operator sets it',
  bodyBytes: 'The body of a request',
  bodyValues: 'Keys and items in the body of a request, at all levels together',
  recordingBytes: 'A recording',
  inboundBytes: 'What a provider sends, where it is no audio',
  inboundAudioBytes: 'What a provider sends, where it holds audio',
  smsMediaBytes: 'A picture or other file that came with a text',
  announcementLength: 'Characters of what a caller hears',
  pageDefault: 'Records of a page when `limit` is not given',
  pageMax: 'The highest `limit`',
  pageBytes: 'The size at which a page ends, with the record that reaches it',
  countMax: 'How far `count=true` counts',
  searchDefault: 'Results of a ranked search when `limit` is not given',
  queryLength: 'Characters of `q`',
  nameLength: 'Characters of names, titles and labels',
  textLength: 'Characters of descriptions, notes and messages',
  smsLength: 'Characters of a text message',
  smsMediaItems: 'Pictures or other files that an inbound text may tell of',
  wordLength: 'Characters of short words such as `status`, `stage` and tags',
  urlLength: 'Characters of a URL',
  freeFormBytes: 'A free-form object, as JSON, with everything that PATCH has merged into it',
  freeFormDepth: 'Levels that a free-form object may be nested',
  freeFormKeys: 'Keys of a free-form object and of the objects in it',
  fieldSchemaBytes: 'The `fieldSchema` of a work-type definition, as JSON',
  listItems: 'Items of a list within a record',
  previewSegments: 'Segments of a preview of extraction',
  previewCharacters: 'Characters of a preview of extraction, in all segments together',
  qualityFacts: 'Newest facts that the quality of extraction is counted over',
  hints: 'Hints of a fact definition, or phrases of a signal definition',
  externalRefs: 'External references of a record',
  mergeAtOnce: 'Records that move at once when what they name is merged; more move in the background',
  unmergeDays: 'Days for which a merge can be undone',
  segmentLength: 'Characters of a segment of a transcript',
  segmentsPerRequest: 'Segments in one request',
  factsPerRequest: 'Facts in one request',
  webhookSubscriptions: 'Webhook subscriptions of one environment of an organization',
  openStreams: 'Open event streams of one environment of an organization',
  calendarFeeds: 'Calendar feeds of one environment of an organization',
  calendarEvents: 'Events of a calendar feed: those nearest to now',
  calendarDaysBack: 'Days that a calendar feed looks back',
  calendarDaysAhead: 'Days that a calendar feed looks ahead',
  idempotencyKeyLength: 'Characters of an `Idempotency-Key`',
  idempotencyHours: 'Hours that the answer to an `Idempotency-Key` is kept',
  requestIdLength: 'Characters of an `x-request-id` of your own',
  webhookAttempts: 'Attempts of a webhook delivery',
  webhookTimeoutSeconds: 'Seconds that one attempt may take',
  webhookToleranceSeconds: 'Seconds that the time of a signature may be off',
  recordingUrlSeconds: 'Seconds that a signed recording URL is good for',
  secretPreviewLength: 'Characters shown of a signing secret',
  gracePeriodSecondsMax: 'The longest grace period when a key or secret is rotated, in seconds',
  gracePeriodSecondsDefault: 'The grace period when none is given, in seconds',
  observedAheadSeconds: 'Seconds that `observedAt` may lie in the future',
  callSilenceHours: 'Hours without a report after which a call is ended',
  embeddedItems: 'Segments, facts, drafts and signals each that a call is shown with',
  embeddedTranscriptBytes: 'Transcript that a call is shown with',
  eventTranscriptBytes: 'Transcript in `call.ended`',
  eventBytes: 'An event; one that would be larger leaves out its largest parts and names them in `omitted`',
  historyValueBytes:
    'A value in the field history or in `changes` of an event; a larger one is told in part, with `$omitted`',
  retentionDays: 'Days that events, finished deliveries and deleted records are kept; the operator sets it',
}
