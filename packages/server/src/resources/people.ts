// People: how they are named when nobody says, and the event of their coming to be.
import { people, type Row } from '@parley/contract'
import type { Endpoint } from '../http/endpoint.js'
import type { Rules } from './crud.js'
import { crud } from './crud.js'

export type Person = Row<typeof people>

export const personRules: Rules<typeof people> = {
  complete(input, person, before) {
    const createdVia = before?.createdVia ?? (input.caller.actor.type === 'user' ? 'manual' : 'api')
    return { ...person, createdVia, displayName: person.displayName ?? personName(person) }
  },
  after({ change, record, before }) {
    if (record && before === undefined) change.publish('person.created', personCreated(record))
  },
}

/** Names, legal name, the e-mail's local part, the phone: the best that is known. */
export function personName({ firstName, lastName, legalName, primaryEmail, primaryPhone }: Partial<Person>): string {
  const names = [firstName, lastName].filter(Boolean).join(' ').trim()
  return names || legalName?.trim() || primaryEmail?.split('@')[0] || primaryPhone || 'Unknown'
}

export const personCreated = (person: Person) => ({
  personId: person.id,
  displayName: person.displayName,
  primaryPhone: person.primaryPhone,
  primaryEmail: person.primaryEmail,
  createdVia: person.createdVia,
  person,
})

export const peopleEndpoints: Endpoint[] = crud(people, personRules)
