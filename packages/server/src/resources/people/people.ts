// People: how they are named when nobody says, how they are found by number, and the events of their coming to be and
// changing. Whatever finds or makes a person does it here, so that one number never becomes two people.
import { callerId, contactMethods, people, type Row, recordSchema } from '@parley/contract'
import { type Endpoint, endpoint } from '../../http/endpoint.js'
import { lookupAnswer } from '../../http/respond.js'
import { isE164 } from '../../http/telephone.js'
import type { Caller } from '../../store/caller.js'
import { fenceNamed, finding, type Reader } from '../../store/reader.js'
import type { Work } from '../../store/work.js'
import { crud, endpointsOf, type Rules } from '../generic/crud.js'
import { recordHistory } from '../generic/field-history.js'
import { newRecord, patched, shortened } from '../generic/record-values.js'
import { lookupSchema } from '../generic/response-schemas.js'
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
 * Whoever looks for a person by one of these, and makes one when there is none, reads this fence with the look-up and
 * adds it to the work.
 */
export const personFences = {
  phone: (e164: string): string => `person:phone:${e164}`,
  email: (address: string): string => `person:email:${address}`,
}

/** The person with this primary phone, else the one with such a contact method; several: the oldest. */
export async function findPersonByPhone(read: Reader, e164: string): Promise<Person | undefined> {
  const [[primary], methods] = await read.lookUp(...ownersOfPhone(e164))
  return primary ?? ownerOf(read, methods, telephoneChannels)
}

const telephoneChannels = ['phone', 'sms', 'whatsapp']

/** What `findPersonByPhone` looks up. */
export const ownersOfPhone = (e164: string) =>
  [finding(people, { primaryPhone: e164 }, 1), methodsOfPeople(e164)] as const

/** As by phone, for e-mail. */
export async function findPersonByEmail(read: Reader, address: string): Promise<Person | undefined> {
  const [[primary], methods] = await read.lookUp(...ownersOfEmail(address))
  return primary ?? ownerOf(read, methods, ['email'])
}

export const ownersOfEmail = (address: string) =>
  [finding(people, { primaryEmail: address }, 1), methodsOfPeople(address)] as const

const methodsOfPeople = (value: string) =>
  finding(contactMethods, { normalizedValue: value, ownerType: 'person' }, METHODS_MAX)
const METHODS_MAX = 100

async function ownerOf(
  read: Reader,
  methods: readonly Row<typeof contactMethods>[],
  channels: readonly string[],
): Promise<Person | undefined> {
  const ids = methods.flatMap(({ channel, ownerId }) => (channels.includes(channel) && ownerId ? [ownerId] : []))
  const [oldest] = ids.length === 0 ? [] : await read.find(people, { id: ids }, 1)
  return oldest
}

/** What `findOrMakePerson` looks up. */
export const personLookups = (phone: string) =>
  [fenceNamed(personFences.phone(phone)), ...ownersOfPhone(phone)] as const

/**
 * The person behind a number. One that is not known yet becomes part of the work, with history and `person.created`;
 * but nobody is made of a withheld number, and a short code or a sender's name is someone only where a contact method
 * says so.
 */
export async function findOrMakePerson(
  work: Work,
  who: { phone: string | null; name?: string | null; via: Person['createdVia'] },
): Promise<Person | undefined> {
  const { phone } = who
  if (phone === null) return undefined
  const [fence, [primary], methods] = await work.lookUp(...personLookups(phone))
  const known = primary ?? (await ownerOf(work, methods, telephoneChannels))
  if (known || !isE164(phone)) return known
  const values = { displayName: who.name?.trim() || null, primaryPhone: phone, createdVia: who.via }
  const person = work.insert(people, withPersonName(newRecord(people, work, values), undefined))
  work.addFence(fence)
  work.publish('person.created', personData(person))
  recordHistory(work, people, undefined, person)
  return person
}

/**
 * Brings a person to its next version, with history and `person.updated`; the same person when nothing changes. A
 * person that the change itself makes is simply made with the new values, and its `person.created` tells them.
 */
export function changePerson(work: Work, person: Person, values: Pick<Person, 'customerId'>): Person {
  const before = work.current(people, person)
  const wanted = patched(people, before, values)
  if (trackedChanges(people, before, wanted).changedFields.length === 0) return before
  const after = work.update(people, wanted)
  if (work.makes(people, after.id)) {
    work.republish('person.created', personData(after))
    return after
  }
  recordHistory(work, people, before, after)
  publishPersonUpdated(work, before, after)
  return after
}

/** What every event about a person tells. */
export const personData = (person: Person) => ({
  personId: person.id,
  displayName: person.displayName,
  primaryPhone: person.primaryPhone,
  primaryEmail: person.primaryEmail,
  createdVia: person.createdVia,
  person,
})

function publishPersonUpdated(work: Work, before: Person, after: Person): void {
  const changes = trackedChanges(people, before, after)
  if (changes.changedFields.length > 0) work.publish('person.updated', { ...personData(after), ...changes })
}

const originOf = ({ isImport, actor }: Caller): Person['createdVia'] =>
  isImport ? 'import' : actor.type === 'user' ? 'manual' : 'api'

export const personRules: Rules<typeof people> = {
  async complete(input, person, before) {
    const createdVia = before?.createdVia ?? originOf(input.caller)
    return withPersonName({ ...person, createdVia }, before && (await marked(before, personName)))
  },
  looksUp: ({ primaryPhone, primaryEmail }) =>
    [
      typeof primaryPhone === 'string' ? personFences.phone(primaryPhone) : undefined,
      typeof primaryEmail === 'string' ? personFences.email(primaryEmail) : undefined,
    ].flatMap((name) => (name === undefined ? [] : [[fenceNamed(name)]])),
  async after({ work, record, before }) {
    if (record === undefined) return
    await fenceAddresses(work, record, before)
    if (before && before.displayName !== record.displayName)
      await renameCustomers(work, { primaryPersonId: record.id }, { from: before.displayName, to: record.displayName })
    if (before) publishPersonUpdated(work, before, record)
    else work.publish('person.created', personData(record))
  },
}

/** A number or address that someone gets makes whoever is looking for it at the same time look again. */
async function fenceAddresses(
  work: Work,
  { primaryPhone, primaryEmail }: Person,
  before: Person | undefined,
): Promise<void> {
  if (primaryPhone && primaryPhone !== before?.primaryPhone)
    work.addFence(await work.readFence(personFences.phone(primaryPhone)))
  if (primaryEmail && primaryEmail !== before?.primaryEmail)
    work.addFence(await work.readFence(personFences.email(primaryEmail)))
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
