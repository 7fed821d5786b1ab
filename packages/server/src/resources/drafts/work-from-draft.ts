// The work record that an approved draft becomes: its fields from the payload, its customer and person from whoever
// called.
import { calls, createBody, customers, type Entity, people, type Row, workRecords } from '@parley/contract'
import { bodyShaper } from '../../http/body-validation.js'
import { uuidPattern } from '../../http/wire-formats.js'
import { finding } from '../../store/reader.js'
import type { Work } from '../../store/work.js'
import { prefixIssues } from '../generic/nested-issues.js'
import { findOrMakePerson, findPersonByPhone, ownersOfPhone, type Person, personLookups } from '../people/people.js'
import { addWorkRecord, type WrittenWorkRecord } from '../work/work-records.js'
import { kindLookup } from '../work/work-type-definitions.js'
import type { Draft } from './draft-decisions.js'
import { kindOf, titleFor, workFieldsOf } from './draft-proposal.js'

type Call = Row<typeof calls>

const shape = bodyShaper(createBody(workRecords))

/**
 * Fetches what an approval looks up once the draft is known, in two round trips: the call, whom the draft names and the
 * kind of work; then whom the call was with.
 */
export async function fetchOriginAhead(work: Work, draft: Draft, customerId: string | undefined): Promise<void> {
  const said = workFieldsOf(draft.payload)
  const personId = said['primaryPersonId'] ?? said['personId'] ?? draft.personId
  const customer = customerId ?? said['customerId'] ?? draft.customerId
  await work.fetchAhead(
    [byId(calls, draft.callSessionId)],
    [kindLookup(await kindOf(work, draft))],
    ...(isUuid(personId) ? [[byId(people, personId)]] : []),
    ...(isUuid(customer) ? [[byId(customers, customer)]] : []),
  )
  const call = await work.get(calls, draft.callSessionId)
  if (call === undefined) return
  const phone = numberOf(call)
  const ofPhone = customer || call.customerId ? ownersOfPhone : personLookups
  const others = [
    ...(call.personId ? [[byId(people, call.personId)]] : phone ? [ofPhone(phone)] : []),
    ...(call.customerId ? [[byId(customers, call.customerId)]] : []),
  ]
  if (others.length > 0) await work.fetchAhead(...others)
}

const byId = (entity: Entity, id: string) => finding(entity, { id }, 1)
/** A payload is free-form, so it may name anything. */
const isUuid = (value: unknown): value is string => typeof value === 'string' && uuidPattern.test(value)

/**
 * Makes the draft's work record; its events are published by the caller. `customerId` is the one that
 * whoever approves named.
 */
export async function addWorkOfDraft(
  work: Work,
  draft: Draft,
  customerId: string | undefined,
): Promise<WrittenWorkRecord> {
  const call = await work.get(calls, draft.callSessionId)
  const said = workFieldsOf(draft.payload)
  const customer = customerId ?? said['customerId'] ?? draft.customerId ?? call?.customerId ?? undefined
  const personId = said['primaryPersonId'] ?? said['personId'] ?? draft.personId ?? undefined
  const person = personId === undefined && call ? await personOfCall(work, call, customer !== undefined) : undefined
  const canonicalKind = await kindOf(work, draft)
  const summary = draft.summary ?? call?.summary ?? null
  const fields = {
    ...(said['kind'] === undefined && { canonicalKind }),
    ...(said['personId'] === undefined && { primaryPersonId: personId ?? person?.id ?? null }),
    ...(customer !== undefined && { customerId: customer }),
    description: summary,
    ...said,
    ...(customerId !== undefined && { customerId }),
    title: titleFor(
      { ...draft, summary },
      canonicalKind,
      person?.displayName ?? call?.callerName ?? (call && numberOf(call)) ?? undefined,
    ),
  }
  const origin = { source: 'call', draftId: draft.id, sourceCallSessionId: draft.callSessionId } as const
  const made = await prefixIssues('payload', async () =>
    addWorkRecord(work, shape(fields, work.caller.settings) ?? {}, origin),
  )
  if (call && call.workRecordId === null) link(work, call, made.record)
  return made
}

/** The call shows what came of it, and whom it turned out to be about. */
function link(
  work: Work,
  call: Call,
  { id: workRecordId, primaryPersonId, customerId }: WrittenWorkRecord['record'],
): void {
  const links = { workRecordId, personId: call.personId ?? primaryPersonId, customerId: call.customerId ?? customerId }
  work.update(calls, { ...call, ...links })
}

/**
 * Whoever was on the other end. Someone is made of a mere number only where the work would have no customer otherwise.
 */
async function personOfCall(work: Work, call: Call, hasCustomer: boolean): Promise<Person | undefined> {
  const known = call.personId ? await work.get(people, call.personId) : undefined
  if (known) return known
  const phone = numberOf(call)
  if (phone === null) return undefined
  return hasCustomer
    ? findPersonByPhone(work, phone)
    : findOrMakePerson(work, { phone, name: call.callerName, via: 'call' })
}

/** The number of the other side; null when it was withheld. */
const numberOf = ({ direction, from, to }: Call): string | null => (direction === 'inbound' ? from : to)
