// What makes each event happen: what is done in the sandbox as it would be done in life. What `--override` says goes
// into the body of the record that the event is about.
import type { Parley } from '../../client.js'
import type { EventType } from '../../generated/events.js'
import type { Body } from '../body-options.js'

/** Does what fires the event, and says which record the event is about. */
export type Doing = (parley: Parley, override: Body) => Promise<string>

const theirs = '+12025550143'
const ours = '+12025550100'
const inTwoDays = () => new Date(Date.now() + 2 * 86_400_000).toISOString()

const newPerson = (parley: Parley, override: Body = {}) =>
  parley.people.create({ displayName: 'Trigger Person', ...override })

const newCustomer = (parley: Parley, override: Body = {}) =>
  parley.customers.create({ displayName: 'Trigger Customer', ...override })

const newCall = (parley: Parley, status: string, override: Body = {}) =>
  parley.calls.create({ direction: 'inbound', from: theirs, to: ours, status, ...override })

const newSms = (parley: Parley, override: Body) =>
  parley.sms.send({ to: theirs, body: 'We are on our way.', ...override })

const newVoicemail = (parley: Parley, override: Body = {}) =>
  parley.voicemails.create({ callerNumber: theirs, to: ours, transcript: 'Please call me back.', ...override })

async function newWorkRecord(parley: Parley, override: Body = {}) {
  const { id: customerId } = await newCustomer(parley)
  return parley.workRecords.create({
    title: 'Trigger work',
    canonicalKind: 'service_request',
    customerId,
    ...override,
  })
}

async function newFact(parley: Parley, override: Body, subjectId?: string) {
  return parley.facts.create({
    subjectType: 'person',
    subjectId: subjectId ?? (await newPerson(parley)).id,
    key: 'preferred_window',
    value: 'mornings',
    confidence: 0.9,
    ...override,
  })
}

async function newDraft(parley: Parley, override: Body) {
  const { id: callSessionId } = await newCall(parley, 'in_progress')
  const draft = await parley.drafts.create({
    callSessionId,
    title: 'Leaking boiler',
    canonicalKind: 'service_request',
    ...override,
  })
  await parley.calls.end(callSessionId, { summary: 'The boiler leaks.' })
  return draft
}

/** Two that turn out to be one: who stays, and who was merged. */
async function mergedPeople(parley: Parley, override: Body) {
  const [stays, merged] = [await newPerson(parley), await newPerson(parley, override)]
  await parley.people.merge(merged.id, stays.id)
  return { stays: stays.id, merged: merged.id }
}

async function mergedCustomers(parley: Parley, override: Body) {
  const [stays, merged] = [await newCustomer(parley), await newCustomer(parley, override)]
  await parley.customers.merge(merged.id, stays.id)
  return { stays: stays.id, merged: merged.id }
}

/** What is said of a call when it ends; everything else is said when it begins. */
const ofEnd = ['summary', 'endReason', 'outcome', 'duration', 'endedAt', 'recordingUrl', 'facts', 'draft']
const part = (override: Body, isOfEnd: boolean): Body =>
  Object.fromEntries(Object.entries(override).filter(([name]) => ofEnd.includes(name) === isOfEnd))

export const triggers: Readonly<Record<EventType, Doing>> = {
  'call.ended': async (parley, override) => {
    const { id } = await newCall(parley, 'in_progress', part(override, false))
    await parley.calls.addSegments(id, [
      { sequence: 0, speaker: 'caller', text: 'My boiler leaks, can you come tomorrow?', startMs: 0, endMs: 2_400 },
    ])
    await parley.calls.end(id, {
      summary: 'The boiler leaks; a visit is wanted tomorrow.',
      draft: { title: 'Leaking boiler', canonicalKind: 'service_request' },
      ...part(override, true),
    })
    return id
  },
  'sms.received': async (parley, override) => {
    const body = 'Is tomorrow at nine still fine?'
    return (await parley.sms.receive({ from: theirs, to: ours, body, ...override })).id
  },
  'sms.sent': async (parley, override) => (await newSms(parley, override)).id,
  'voicemail.received': async (parley, override) => (await newVoicemail(parley, override)).id,
  'call.missed': async (parley, override) => {
    const { id } = await newCall(parley, 'ringing', part(override, false))
    await parley.calls.end(id, { endReason: 'no_answer', ...part(override, true) })
    return id
  },
  'person.created': async (parley, override) => (await newPerson(parley, override)).id,
  'work_record.created': async (parley, override) => (await newWorkRecord(parley, override)).id,
  'work_record.updated': async (parley, override) => {
    const { id } = await newWorkRecord(parley)
    await parley.workRecords.update(id, { priority: 'high', ...override })
    return id
  },
  'fact.confirmed': async (parley, override) => {
    const { id } = await newFact(parley, override)
    await parley.facts.confirm(id)
    return id
  },
  'fact.promoted': async (parley, override) => {
    const { id } = await newFact(parley, override)
    await parley.facts.confirm(id)
    await parley.facts.promote(id)
    return id
  },
  'draft.approved': async (parley, override) => {
    const { id } = await newDraft(parley, override)
    await parley.drafts.approve(id)
    return id
  },
  'signal.fired': async (parley, override) => {
    const { id: callSessionId } = await newCall(parley, 'in_progress')
    const details = { quote: 'This is the third time I call.' }
    await parley.signalEvents.create({ kind: 'complaint', confidence: 1, callSessionId, details, ...override })
    const [signal] = (await parley.signals.list({ callSessionId })).data
    return signal?.id ?? ''
  },
  'workflow.finished': async (parley, override) => {
    const run = { workflowKey: 'intake', status: 'completed', capturedFields: { zip: '20001' }, ...override }
    return (await parley.workflowRuns.create(run)).id
  },
  'appointment.scheduled': async (parley, override) =>
    (await parley.appointments.create({ title: 'Boiler visit', startAt: inTwoDays(), ...override })).id,
  'task.created': async (parley, override) => (await parley.tasks.create({ title: 'Call Dana back', ...override })).id,
  'note.added': async (parley, override) => {
    const { id: subjectId } = await newPerson(parley)
    return (await parley.notes.create({ body: 'Has a dog.', subjectType: 'person', subjectId, ...override })).id
  },
  'call.started': async (parley, override) => (await newCall(parley, 'ringing', override)).id,
  'sms.delivered': async (parley, override) => {
    const { id } = await newSms(parley, override)
    await parley.sms.report(id, { status: 'delivered' })
    return id
  },
  'sms.failed': async (parley, override) => {
    const { id } = await newSms(parley, override)
    await parley.sms.report(id, { status: 'failed', errorCode: '30003', errorMessage: 'The phone is off.' })
    return id
  },
  'voicemail.updated': async (parley, override) => {
    const { id } = await newVoicemail(parley)
    await parley.voicemails.update(id, { transcript: 'Please call me back today.', ...override })
    return id
  },
  'fact.proposed': async (parley, override) => (await newFact(parley, override)).id,
  'fact.rejected': async (parley, override) => {
    const { id } = await newFact(parley, override)
    await parley.facts.reject(id)
    return id
  },
  'fact.superseded': async (parley, override) => {
    const { id: person } = await newPerson(parley)
    const older = await newFact(parley, override, person)
    await parley.facts.confirm(older.id)
    const fresher = await newFact(parley, { value: 'evenings' }, person)
    await parley.facts.confirm(fresher.id)
    return older.id
  },
  'draft.created': async (parley, override) => (await newDraft(parley, override)).id,
  'draft.rejected': async (parley, override) => {
    const { id } = await newDraft(parley, override)
    await parley.drafts.reject(id, { reason: 'Booked already.' })
    return id
  },
  'draft.synced': async (parley, override) => {
    const { id } = await newDraft(parley, override)
    await parley.drafts.approve(id)
    await parley.drafts.synced(id)
    return id
  },
  'person.updated': async (parley, override) => {
    const { id } = await newPerson(parley)
    await parley.people.update(id, { displayName: 'Trigger Person the Second', ...override })
    return id
  },
  'person.merged': async (parley, override) => (await mergedPeople(parley, override)).stays,
  'person.unmerged': async (parley, override) => {
    const { merged } = await mergedPeople(parley, override)
    await parley.people.unmerge(merged)
    return merged
  },
  'customer.merged': async (parley, override) => (await mergedCustomers(parley, override)).stays,
  'customer.unmerged': async (parley, override) => {
    const { merged } = await mergedCustomers(parley, override)
    await parley.customers.unmerge(merged)
    return merged
  },
  'webhook.disabled': async (parley, override) => {
    const { id } = await parley.webhooks.create({
      url: 'https://example.com/parley-trigger',
      name: 'Trigger',
      eventTypes: ['webhook.disabled'],
      ...override,
    })
    await parley.sandbox.simulate({ scenario: 'webhook_gone', webhookId: id })
    await parley.webhooks.delete(id)
    return id
  },
}
