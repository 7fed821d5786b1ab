// Plausible values by the name of a field, all of one story: on a Monday Dana Reyes rings Northside Plumbing about a leaking water heater.
// A name may be qualified by what holds it (`location.label`). Null stands where usually nothing is known.

/** When the story happens; records are made at this moment. */
export const storyTime = '2026-03-02T15:04:05.000Z'

const caller = '+12025550143'
const ours = '+12025550100'
const address = '1420 Larch Street, Portland, OR 97205'
const ask = 'The water heater in the basement leaks since this morning.'

const people = {
  displayName: 'Dana Reyes',
  legalName: 'Dana M. Reyes',
  firstName: 'Dana',
  lastName: 'Reyes',
  callerName: 'Dana Reyes',
  orgName: 'Larch Street Housing Cooperative',
  primaryEmail: 'dana.reyes@example.com',
  primaryPhone: caller,
  callerNumber: caller,
  participantAddress: caller,
  ourAddress: ours,
  from: caller,
  to: ours,
  e164: ours,
  customerNumber: 'C-1042',
  'company.name': 'Larch Street Housing Cooperative',
  'company.legalName': 'Larch Street Housing Cooperative, Inc.',
  domain: 'example.com',
  industry: 'Housing',
  website: 'https://example.com',
  'contactMethod.value': caller,
  normalizedValue: caller,
  'contactMethod.label': 'Mobile',
}

const places = {
  'location.label': 'Home',
  formattedAddress: address,
  addressLine1: '1420 Larch Street',
  addressLine2: 'Basement',
  city: 'Portland',
  region: 'OR',
  postalCode: '97205',
  country: 'US',
  lat: 45.5202,
  lng: -122.6742,
  timezone: 'America/Los_Angeles',
  accessNotes: 'Ring twice; the gate code is 4411.',
}

const work = {
  number: 'WR-000123',
  title: 'Repair the water heater',
  'task.title': 'Call Dana back with a price',
  'appointment.title': 'Visit to repair the water heater',
  description: ask,
  status: 'new',
  stage: 'intake',
  defaultStatus: 'new',
  defaultStage: 'intake',
  statuses: ['new', 'scheduled', 'done'],
  stages: ['intake', 'visit', 'invoice'],
  requiredFields: ['unit_age'],
  missingFields: ['unit_age'],
  'workTypeDefinition.label': 'Job',
  body: 'Prefers a visit after 3 pm.',
  'sms.body': 'We can come on Wednesday at 2 pm. Does that work?',
  tags: ['plumbing'],
  subjectType: 'work_record',
  entityType: 'work_record',
  structuredFieldsJson: { unit_age: 12, brand: 'Rheem' },
  customFields: { gate_code: '4411' },
  capturedFields: { preferred_time: 'Wednesday afternoon' },
  payload: { title: 'Repair the water heater', priority: 'high' },
  edits: { title: { proposed: 'Water heater', approved: 'Repair the water heater' } },
  changedFields: ['stage'],
  changes: { stage: { from: 'intake', to: 'visit' } },
  workflowKey: 'after_hours_intake',
  amountCents: 18_500,
  unitAmountCents: 18_500,
  quantity: 1,
  currency: 'USD',
  'moneyRecord.number': 'INV-2041',
  'lineItem.description': 'Replace the pressure valve',
  field: 'stage',
  previousValue: 'intake',
  newValue: 'visit',
  fieldSchema: { type: 'object', properties: { unit_age: { type: 'number', minimum: 0 } } },
}

const talk = {
  subject: 'Water heater',
  summary: 'Dana reports a leaking water heater and asks for a visit on Wednesday.',
  transcript: `Agent: Northside Plumbing, how can I help?\nCaller: ${ask}`,
  text: ask,
  quote: ask,
  lastMessagePreview: 'Does Wednesday at 2 pm work?',
  messageCount: 2,
  duration: 184,
  durationSeconds: 42,
  sequence: 1,
  startMs: 3_200,
  endMs: 7_900,
  transcriptSegmentCount: 2,
  language: 'en',
  sentiment: 'neutral',
  outcome: 'booked',
  endReason: 'caller_hangup',
  reason: 'no_answer',
  speaker: 'caller',
  agentName: 'Front desk',
  'message.channel': 'email',
  'message.from': 'dana.reyes@example.com',
  'message.to': 'office@northside.example.com',
  'message.body': ask,
  'phoneNumber.label': 'Main line',
  recordingUrl: 'https://example.com/recordings/0042',
  providerCallId: 'CA-000042',
  providerMessageId: 'SM-000042',
  providerSid: 'PN-000042',
}

const knowledge = {
  key: 'preferred_time',
  label: 'Preferred time',
  value: 'Wednesday afternoon',
  confidence: 0.92,
  rationale: 'The caller said so twice.',
  extractor: 'intake-model',
  corroborationCount: 1,
  confirmedVia: 'human',
  fireThreshold: 0.8,
  autoConfirmThreshold: 0.95,
  kind: 'upsell_opportunity',
  signalKey: 'upsell_opportunity',
  'signalDefinition.key': 'upsell_opportunity',
  'signalDefinition.label': 'Upsell opportunity',
  details: { product: 'maintenance plan' },
  enumValues: null,
}

const systems = {
  name: 'Northside Plumbing',
  'webhookSubscription.name': 'CRM sync',
  'integrationConnection.name': 'HubSpot',
  'apiKey.name': 'Nightly sync',
  provider: 'hubspot',
  system: 'hubspot',
  externalId: '48151623',
  url: 'https://example.com/records/48151623',
  config: { portalId: '4815162' },
  credentials: { accessToken: 'pat-na1-0000-0000' },
  credentialsPreview: 'accessToken: …0000',
  metadata: { campaign: 'spring' },
  eventTypes: ['call.ended', 'work_record.created'],
  signingSecretPreview: 'whsec_3f9c2a',
  throttlePerSecond: 10,
  requestId: 'f6c1d7d2-5f0e-4c0b-9a55-0d7f3c1b2a10',
  type: 'user',
  version: 1,
  gracePeriodSeconds: 86_400,
  prefix: 'ak_test_9PX4',
  last4: 'K7QD',
  'apiKey.key': 'ak_test_9PX4T1M0C8B2W6ZJ5RYF3VN7HDGSK7QD',
}

const times = {
  createdAt: storyTime,
  updatedAt: storyTime,
  occurredAt: storyTime,
  startedAt: storyTime,
  answeredAt: '2026-03-02T15:04:11.000Z',
  endedAt: '2026-03-02T15:07:15.000Z',
  finishedAt: '2026-03-02T15:07:15.000Z',
  dueAt: '2026-03-03T17:00:00.000Z',
  startAt: '2026-03-04T22:00:00.000Z',
  endAt: '2026-03-04T23:30:00.000Z',
  scheduledStart: '2026-03-04T22:00:00.000Z',
  scheduledEnd: '2026-03-04T23:30:00.000Z',
}

/** What is null until something special happens. */
const unknown = Object.fromEntries(
  [
    ...['stateReason', 'completedAt', 'closedAt', 'paidAt', 'errorCode', 'errorMessage', 'lastError', 'deliveredAt', 'expiresAt', 'deletedAt'],
    ...['approvedAt', 'approvedBy', 'confirmedAt', 'confirmedBy', 'confirmedVia', 'rejectedAt', 'rejectedBy', 'rejectedReason', 'nextCursor'],
    ...['promotedAt', 'promotedBy', 'promotedSubjectType', 'promotedSubjectId', 'supersededAt', 'supersededById'],
    ...['disabledAt', 'disabledReason', 'revokedAt', 'previousSecretExpiresAt', 'sourceMessageId', 'companyId', 'primaryCompanyId'],
  ].map((name) => [name, null]),
)

export const sampleValues: Readonly<Record<string, unknown>> = { ...people, ...places, ...work, ...talk, ...knowledge, ...systems, ...times, ...unknown }

/** The optional fields that people usually send when they write something, besides the required ones. */
export const usuallySent: ReadonlySet<string> = new Set([
  ...['title', 'description', 'name', 'displayName', 'firstName', 'lastName', 'primaryEmail', 'primaryPhone', 'callerName', 'label', 'summary', 'subject'],
  ...['body', 'from', 'to', 'dueAt', 'endAt', 'priority', 'addressLine1', 'city', 'region', 'postalCode', 'country', 'timezone', 'domain', 'website'],
  ...['customFields', 'structuredFieldsJson', 'capturedFields', 'tags', 'currency', 'confidence', 'eventTypes', 'config', 'workRecord.customerId'],
])
