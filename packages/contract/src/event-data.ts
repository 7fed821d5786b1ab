// What events tell of their records: ids flat for routing, the fields that most receivers read, and the whole record as
// the API returns it at that moment.
import { voicemails } from './entities/calls.js'
import { sms } from './entities/conversations.js'
import { drafts } from './entities/drafts.js'
import { facts } from './entities/knowledge.js'
import { customers, people } from './entities/people.js'
import { workRecords } from './entities/work.js'
import { type Entity, pick, recordSchema } from './entity.js'
import { described, describedFields, freeForm, list, nullable, phone, text, uuid, word } from './field.js'

/** The whole record. */
export const recordOf = <E extends Entity>(entity: E) => described(recordSchema(entity), 'The whole record.')

export const smsData = describedFields(
  {
    smsId: uuid('sms'),
    messageId: uuid('message'),
    ...pick(sms.fields, 'threadId', 'from', 'to', 'body', 'sentAt', 'personId'),
    sms: recordOf(sms),
  },
  { smsId: 'The text.', messageId: 'The message in its thread.' },
)

/** What we send is sent from a number of ours. */
export const sentSmsData = describedFields(
  { ...smsData, from: phone() },
  { from: 'The number of yours that it left from.' },
)

/** The address is signed when the event is made, and good for five minutes from then. */
export const voicemailData = describedFields(
  {
    voicemailId: uuid('voicemail'),
    ...pick(voicemails.fields, 'callSessionId', 'callerNumber', 'transcript', 'personId'),
    ...pick(voicemails.embedded, 'recordingUrl', 'recordingApiUrl'),
    voicemail: recordOf(voicemails),
  },
  { voicemailId: 'The voicemail.' },
)

export const workRecordData = describedFields(
  {
    workRecordId: uuid('work_record'),
    ...pick(workRecords.fields, 'canonicalKind', 'title', 'recordState', 'status', 'stage', 'customerId'),
    workRecord: recordOf(workRecords),
  },
  { workRecordId: 'The work record.' },
)

export const personData = describedFields(
  {
    personId: uuid('person'),
    ...pick(people.fields, 'displayName', 'primaryPhone', 'primaryEmail', 'createdVia'),
    person: recordOf(people),
  },
  { personId: 'The person.' },
)

const customerData = describedFields(
  { customerId: uuid('customer'), displayName: text(), customer: recordOf(customers) },
  { customerId: 'The customer.', displayName: 'What it is called.' },
)

export const mergedPersonData = describedFields(
  { ...personData, personId: uuid('person'), mergedPersonId: uuid('person'), mergedPerson: recordOf(people) },
  {
    personId: 'Who stayed.',
    mergedPersonId: 'Who was merged. The id leads to the one who stayed.',
    mergedPerson: 'As it was.',
  },
)

export const unmergedPersonData = describedFields(
  { ...personData, personId: uuid('person'), mergedIntoId: uuid('person') },
  { personId: 'Who is there again.', mergedIntoId: 'Whom they had been merged into.' },
)

export const mergedCustomerData = describedFields(
  {
    ...customerData,
    customerId: uuid('customer'),
    mergedCustomerId: uuid('customer'),
    mergedCustomer: recordOf(customers),
  },
  {
    customerId: 'The customer that stayed.',
    mergedCustomerId: 'The customer that was merged. The id leads to the one that stayed.',
    mergedCustomer: 'As it was.',
  },
)

export const unmergedCustomerData = describedFields(
  { ...customerData, customerId: uuid('customer'), mergedIntoId: uuid('customer') },
  { customerId: 'The customer that is there again.', mergedIntoId: 'The customer that it had been merged into.' },
)

export const factData = describedFields(
  {
    factId: uuid('fact'),
    ...pick(facts.fields, 'subjectType', 'subjectId', 'key', 'value', 'confidence'),
    fact: recordOf(facts),
  },
  { factId: 'The fact.' },
)

export const draftData = describedFields(
  { draftId: uuid('draft'), ...pick(drafts.fields, 'callSessionId'), draft: recordOf(drafts) },
  { draftId: 'The draft.' },
)

export const changedFields = { changedFields: described(list(word()), 'The fields that changed.') }

export const changes = {
  ...changedFields,
  changes: described(
    freeForm(),
    'Each changed field with what it was (`from`) and is (`to`); a large value is told in part, with `$omitted`.',
  ),
}

/** The ids that several events tell alike. */
export const linked = describedFields(
  {
    workRecordId: nullable(uuid('work_record')),
    customerId: nullable(uuid('customer')),
    personId: nullable(uuid('person')),
  },
  {
    workRecordId: 'The work that it is for.',
    customerId: 'The customer that it is with.',
    personId: 'Whom it is with.',
  },
)
