// `POST /people/upsert`: one person per external reference, number or address, however many systems push the same one
// at once.
import { anyGiven, patchBody, people, recordSchema, ruledBody, type SentToPatch } from '@parley/contract'
import { type Endpoint, endpoint, type Input } from '../../http/endpoint.js'
import { badRequest } from '../../store/api-error.js'
import type { Fence } from '../../store/change.js'
import { fenceNamed, type Lookup, type Reader } from '../../store/reader.js'
import type { Answer } from '../../store/response.js'
import { changeRecord, createRecord, type Rules } from '../generic/crud.js'
import { findByRefs, refLookups } from '../generic/external-ref-rows.js'
import { patched } from '../generic/record-values.js'
import {
  findPersonByEmail,
  findPersonByPhone,
  ownersOfEmail,
  ownersOfPhone,
  type Person,
  personFences,
  personRules,
} from './people.js'

type Values = SentToPatch<typeof people>

/** One of these says whom it is about. */
const telling = [
  'displayName',
  'legalName',
  'firstName',
  'lastName',
  'primaryPhone',
  'primaryEmail',
  'externalRefs',
] as const

const given = { type: 'string', pattern: '\\S' }
const upsertBody = ruledBody(
  patchBody(people),
  anyGiven({
    ...Object.fromEntries(telling.map((name) => [name, given])),
    externalRefs: { type: 'array', minItems: 1 },
  }),
)

async function upsertPerson(input: Input<SentToPatch<typeof people>>): Promise<Answer<Person>> {
  const { work, body } = input
  if (!telling.some((field) => isSaid(body[field])))
    throw badRequest('', `One of ${telling.join(', ')} is required`, 'required')
  // The fences are read before anyone is looked for: a person who appears in between makes the commit fail, and this
  // runs again.
  const fences = await fencesOf(work, body)
  const owners = await ownersOf(work, body)
  const person = (await findByRefs(work, people, body.externalRefs)) ?? owners.phone ?? owners.email
  const rules = fenced(fences)
  if (person === undefined) return createRecord(people, rules, { ...input, body: withoutNulls(body) })
  const values = withoutOthers(body, person, owners)
  return changeRecord(people, rules, { ...input, body: values }, person, patched(people, person, values))
}

const isSaid = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : typeof value === 'string' && value.trim() !== ''

async function fencesOf(read: Reader, { primaryPhone, primaryEmail }: Values): Promise<Fence[]> {
  const names = [
    primaryPhone && personFences.phone(String(primaryPhone)),
    primaryEmail && personFences.email(String(primaryEmail)),
  ]
  return Promise.all(names.filter((name) => typeof name === 'string').map((name) => read.readFence(name)))
}

interface Owners {
  readonly phone: Person | undefined
  readonly email: Person | undefined
}

async function ownersOf(read: Reader, { primaryPhone, primaryEmail }: Values): Promise<Owners> {
  const [phone, email] = await Promise.all([
    primaryPhone ? findPersonByPhone(read, String(primaryPhone)) : undefined,
    primaryEmail ? findPersonByEmail(read, String(primaryEmail)) : undefined,
  ])
  return { phone, email }
}

/**
 * A number or address that another person has stays with that person. One that is only a further contact method of this
 * person does not push out the primary one.
 */
function withoutOthers(body: Values, person: Person, owners: Owners): Values {
  const values = { ...body }
  if (owners.phone && (owners.phone.id !== person.id || person.primaryPhone !== null)) delete values['primaryPhone']
  if (owners.email && (owners.email.id !== person.id || person.primaryEmail !== null)) delete values['primaryEmail']
  return values
}

/** In a merge a null removes a key; for someone new there is nothing to remove. */
function withoutNulls(body: Values): Values {
  const { customFields, ...rest } = body
  if (customFields === undefined) return rest
  return {
    ...rest,
    customFields: Object.fromEntries(Object.entries(customFields).filter(([, value]) => value !== null)),
  }
}

/** The rules of every write of a person, under the fences that were read before the look-up. */
const fenced = (fences: readonly Fence[]): Rules<typeof people> => ({
  ...personRules,
  async after(written) {
    for (const fence of fences) written.work.addFence(fence)
    await personRules.after?.(written)
  },
})

/** What `upsertPerson` looks up. */
function upsertLookups({ primaryPhone, primaryEmail, externalRefs }: Record<string, unknown>): Lookup[][] {
  const phone = typeof primaryPhone === 'string' ? primaryPhone : undefined
  const email = typeof primaryEmail === 'string' ? primaryEmail : undefined
  return [
    ...refLookups(people, Array.isArray(externalRefs) ? externalRefs : []),
    ...(phone ? [[fenceNamed(personFences.phone(phone))], [...ownersOfPhone(phone)]] : []),
    ...(email ? [[fenceNamed(personFences.email(email))], [...ownersOfEmail(email)]] : []),
  ]
}

export const personUpsertEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/people/upsert',
    scope: 'WRITE',
    operationId: 'upsertPerson',
    summary: 'Create or update a person',
    description:
      'Matches by `externalRefs`, then `primaryPhone`, then `primaryEmail`; else creates. A number or address ' +
      'that belongs to another person is not moved. 201 when created, 200 when updated.',
    tag: people.label,
    body: upsertBody,
    returns: { status: [201, 200], schema: recordSchema(people) },
    looksUp: (body) => upsertLookups(body),
    handle: upsertPerson,
  }),
]
