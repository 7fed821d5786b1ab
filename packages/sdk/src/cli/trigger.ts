// `parley trigger`: makes each of the sixteen events happen for real, by doing in the sandbox what would make it happen
// in life.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Parley } from '../client.js'
import type { ParleyEvent } from '../events.js'
import type { EventType } from '../generated/events.js'
import { CliError, UsageError } from './failure.js'
import { isLive, type Session } from './session.js'

/** Does what fires the event, and says which record the event is about. */
type Doing = (parley: Parley) => Promise<string>

const theirs = '+12025550143'
const ours = '+12025550100'
const inTwoDays = () => new Date(Date.now() + 2 * 86_400_000).toISOString()

const newPerson = (parley: Parley) => parley.people.create({ displayName: 'Trigger Person' })
const newCall = (parley: Parley, status: string) =>
  parley.calls.create({ direction: 'inbound', from: theirs, to: ours, status })

async function newWorkRecord(parley: Parley) {
  const customer = await parley.customers.create({ displayName: 'Trigger Customer' })
  return parley.workRecords.create({ title: 'Trigger work', canonicalKind: 'service_request', customerId: customer.id })
}

async function newFact(parley: Parley) {
  const { id } = await newPerson(parley)
  return parley.facts.create({
    subjectType: 'person',
    subjectId: id,
    key: 'preferred_window',
    value: 'mornings',
    confidence: 0.9,
  })
}

export const triggers: Readonly<Record<string, Doing>> = {
  'call.ended': async (parley) => {
    const { id } = await newCall(parley, 'in_progress')
    await parley.calls.addSegments(id, [
      { sequence: 0, speaker: 'caller', text: 'My boiler leaks, can you come tomorrow?', startMs: 0, endMs: 2_400 },
    ])
    await parley.calls.end(id, {
      summary: 'The boiler leaks; a visit is wanted tomorrow.',
      draft: { title: 'Leaking boiler', canonicalKind: 'service_request' },
    })
    return id
  },
  'sms.received': async (parley) =>
    (await parley.sms.receive({ from: theirs, to: ours, body: 'Is tomorrow at nine still fine?' })).id,
  'sms.sent': async (parley) => (await parley.sms.send({ to: theirs, body: 'We are on our way.' })).id,
  'voicemail.received': async (parley) =>
    (await parley.voicemails.create({ callerNumber: theirs, to: ours, transcript: 'Please call me back.' })).id,
  'call.missed': async (parley) => {
    const { id } = await newCall(parley, 'ringing')
    await parley.calls.end(id, { endReason: 'no_answer' })
    return id
  },
  'person.created': async (parley) => (await newPerson(parley)).id,
  'work_record.created': async (parley) => (await newWorkRecord(parley)).id,
  'work_record.updated': async (parley) => {
    const { id } = await newWorkRecord(parley)
    await parley.workRecords.update(id, { priority: 'high' })
    return id
  },
  'fact.confirmed': async (parley) => {
    const { id } = await newFact(parley)
    await parley.facts.confirm(id)
    return id
  },
  'fact.promoted': async (parley) => {
    const { id } = await newFact(parley)
    await parley.facts.confirm(id)
    await parley.facts.promote(id)
    return id
  },
  'draft.approved': async (parley) => {
    const { id } = await newCall(parley, 'in_progress')
    const draft = await parley.drafts.create({
      callSessionId: id,
      title: 'Leaking boiler',
      canonicalKind: 'service_request',
    })
    await parley.calls.end(id, { summary: 'The boiler leaks.' })
    await parley.drafts.approve(draft.id)
    return draft.id
  },
  'signal.fired': async (parley) => {
    const { id } = await newCall(parley, 'in_progress')
    await parley.signalEvents.create({
      kind: 'complaint',
      confidence: 1,
      callSessionId: id,
      details: { quote: 'This is the third time I call.' },
    })
    const [signal] = (await parley.signals.list({ callSessionId: id })).data
    return signal?.id ?? ''
  },
  'workflow.finished': async (parley) =>
    (await parley.workflowRuns.create({ workflowKey: 'intake', status: 'completed', capturedFields: { zip: '20001' } }))
      .id,
  'appointment.scheduled': async (parley) =>
    (await parley.appointments.create({ title: 'Boiler visit', startAt: inTwoDays() })).id,
  'task.created': async (parley) => (await parley.tasks.create({ title: 'Call Dana back' })).id,
  'note.added': async (parley) =>
    (await parley.notes.create({ body: 'Has a dog.', subjectType: 'person', subjectId: (await newPerson(parley)).id }))
      .id,
}

export async function trigger(session: Session, type: string): Promise<void> {
  const doing = triggers[type]
  if (doing === undefined)
    throw new UsageError(`There is no event ${type}.`, `Known: ${Object.keys(triggers).join(', ')}.`)
  if (isLive(await session.account()))
    throw new CliError(
      'This is a live key: events are triggered in the sandbox only.',
      'Run `parley login` with an ak_test_ key, or set PARLEY_API_KEY to one.',
    )
  const parley = await session.client()
  const event = await fired(session, parley, type as EventType, await doing(parley))
  session.print(event, () => `${event.type} happened as ${event.eventId}. \`parley events tail\` shows it whole.`)
}

/** The event in the log. Most are there at once; a text is sent by the outbox, a moment later. */
async function fired({ signal }: Session, parley: Parley, type: EventType, subjectId: string): Promise<ParleyEvent> {
  for (let look = 0; look < 50; look += 1) {
    const [event] = (await parley.events.list({ type, subjectId, limit: 1 })).data
    if (event) return event
    await sleep(200, undefined, { signal })
  }
  throw new CliError(
    `${type} did not happen within 10 seconds.`,
    'Is a worker running? Check the service with `parley status` and its log.',
  )
}
