// People: how they are named when nobody says, how they are found by number, and the events of their coming to be and
// changing. Whatever finds or makes a person does it here, so that one number never becomes two people.
import { callerId, contactMethods, people, type Row, recordSchema } from '@parley/contract'
import { type Endpoint, endpoint } from '../../http/endpoint.js'
import { lookupAnswer } from '../../http/respond.js'
import { isE164 } from '../../http/telephone.js'
import type { Change } from '../../store/change.js'
import type { Reader } from '../../store/reader.js'
import { crud, endpointsOf, type Rules } from '../generic/crud.js'
import { recordHistory } from '../generic/field-history.js'
import { newRecord, nextVersion, patched, shortened } from '../generic/record-values.js'
import { lookupSchema } from '../generic/response-schemas.js'
import type { WriteContext } from '../generic/system-caller.js'
import { trackedChanges } from '../generic/tracked-changes.js'
import { marked, renameCustomers, withName } from './display-names.js'

export type Person = Row<typeof people>

/** Names, legal name, the e-mail's local part, the phone: the best that is known. */
function personName({ firstName, lastName, legalName, primaryEmail, primaryPhone }: Partial<Person>): string {
  const names = [firstName, lastName].filter(Boolean).join(' ').trim()
  return shortened(names || legalName?.trim() || primaryEmail?.split('@')[0] || primaryPhone || 'Unknown')
}

const withPersonName = (person: Person, before: Person | undefined): Person =>
  withName(person, before, () => personName(person))

/**
 * Whoever looks for a person by one of these, and makes one when there is none, reads this fence first and adds it to
 * the change.
 */
export const personFences = {
  phone: (e164: string): string => `person:phone:${e164}`,
  email: (address: string): string => `person:email:${address}`,
}

/** The person with this primary phone, else the one with such a contact method; several: the oldest. */
export async function findPersonByPhone(read: Reader, e164: string): Promise<Person | undefined> {
  const [primary] = await read.find(people, { primaryPhone: e164 }, 1)
  return primary ?? findByContactMethod(read, e164, ['phone', 'sms', 'whatsapp'])
}

/** As by phone, for e-mail. */
export async function findPersonByEmail(read: Reader, address: string): Promise<Person | undefined> {
  const [primary] = await read.find(people, { primaryEmail: address }, 1)
  return primary ?? findByContactMethod(read, address, ['email'])
}

async function findByContactMethod(
  read: Reader,
  value: string,
  channels: readonly string[],
): Promise<Person | undefined> {
  const methods = await read.find(contactMethods, { normalizedValue: value, ownerType: 'person' }, 100)
  const owners = new Set(
    methods.flatMap(({ channel, ownerId }) => (channels.includes(channel) && ownerId ? [ownerId] : [])),
  )
  for (const id of [...owners].sort()) {
    const person = await read.get(people, id)
    if (person) return person
  }
  return undefined
}

/**
 * The person behind a number. One that is not known yet becomes part of the change, with history and `person.created`;
 * but nobody is made of a withheld number, and a short code or a sender's name is someone only where a contact method
 * says so.
 */
export async function findOrMakePerson(
  change: Change,
  input: WriteContext,
  who: { phone: string | null; name?: string | null; via: Person['createdVia'] },
): Promise<Person | undefined> {
  const { phone } = who
  if (phone === null) return undefined
  const pending = change.pending(people).find(({ primaryPhone }) => primaryPhone === phone)
  const known = pending ?? (await findPersonByPhone(input.read, phone))
  if (known || !isE164(phone)) return known
  // Only who is about to make someone pays for the fence, and must look again under it.
  const fence = await input.read.fence(personFences.phone(phone))
  const found = await findPersonByPhone(input.read, phone)
  if (found) return found
  const values = { displayName: who.name?.trim() || null, primaryPhone: phone, createdVia: who.via }
  const person = withPersonName(newRecord(people, input.caller, values, input.now), undefined)
  change.fence(fence).insert(people, person).publish('person.created', personData(person))
  recordHistory(change, input, people, undefined, person)
  return person
}

/**
 * Brings a person to its next version, with history and `person.updated`; the same person when nothing changes. A
 * person that the change itself makes is simply made with the new values, and its `person.created` tells them.
 */
export function changePerson(
  change: Change,
  input: WriteContext,
  person: Person,
  values: Pick<Person, 'customerId'>,
): Person {
  const known = change.pending(people).find(({ id }) => id === person.id)
  const before = known ?? person
  const wanted = patched(people, before, values)
  if (trackedChanges(people, before, wanted).changedFields.length === 0) return before
  if (known && known.version === 1) return remake(change, wanted)
  const after = known ? wanted : nextVersion(wanted, input.now)
  change.update(people, after)
  recordHistory(change, input, people, before, after)
  publishPersonUpdated(change, before, after)
  return after
}

function remake(change: Change, person: Person): Person {
  change.update(people, { ...person, version: person.version + 1 })
  const at = change.publications.findIndex(
    ({ type, data }) => type === 'person.created' && data['personId'] === person.id,
  )
  if (at >= 0) change.publications[at] = { type: 'person.created', data: personData(person) }
  return person
}

const personData = (person: Person) => ({
  personId: person.id,
  displayName: person.displayName,
  primaryPhone: person.primaryPhone,
  primaryEmail: person.primaryEmail,
  createdVia: person.createdVia,
  person,
})

function publishPersonUpdated(change: Change, before: Person, after: Person): void {
  const changes = trackedChanges(people, before, after)
  if (changes.changedFields.length > 0) change.publish('person.updated', { ...personData(after), ...changes })
}

export const personRules: Rules<typeof people> = {
  async complete(input, person, before) {
    const createdVia = before?.createdVia ?? (input.caller.actor.type === 'user' ? 'manual' : 'api')
    return withPersonName({ ...person, createdVia }, before && (await marked(before, personName)))
  },
  async after({ change, input, record, before }) {
    if (record === undefined) return
    await fenceAddresses(change, input.read, record, before)
    if (before && before.displayName !== record.displayName)
      await renameCustomers(
        change,
        input,
        { primaryPersonId: record.id },
        { from: before.displayName, to: record.displayName },
      )
    if (before) publishPersonUpdated(change, before, record)
    else change.publish('person.created', personData(record))
  },
}

/** A number or address that someone gets makes whoever is looking for it at the same time look again. */
async function fenceAddresses(
  change: Change,
  read: Reader,
  { primaryPhone, primaryEmail }: Person,
  before: Person | undefined,
): Promise<void> {
  if (primaryPhone && primaryPhone !== before?.primaryPhone)
    change.fence(await read.fence(personFences.phone(primaryPhone)))
  if (primaryEmail && primaryEmail !== before?.primaryEmail)
    change.fence(await read.fence(personFences.email(primaryEmail)))
}

const findByPhone: Endpoint = endpoint({
  method: 'GET',
  path: '/people/by-phone',
  scope: 'READ',
  operationId: 'findPersonByPhone',
  summary: 'Find a person by phone number',
  description:
    'By primary phone, else by contact method; of several the oldest. `data` is null when nobody has the number.',
  tag: people.label,
  query: { phone: { schema: callerId(), required: true, description: 'The number, as people write it' } },
  returns: { status: 200, schema: lookupSchema(recordSchema(people)) },
  async handle({ read, query: { phone }, requestId }) {
    // Nobody has the number of a caller who shows none.
    return lookupAnswer(typeof phone === 'string' ? await findPersonByPhone(read, phone) : undefined, requestId)
  },
})

export const peopleEndpoints: Endpoint[] = [findByPhone, ...endpointsOf(crud(people, personRules))]
