// The customer that work is done for, where only a person was named: the person's own, or one made from the person.
import { customers, type Row } from '@parley/contract'
import type { Work } from '../../store/work.js'
import { recordHistory } from '../generic/field-history.js'
import { newRecord } from '../generic/record-values.js'
import { changePerson, type Person } from './people.js'

export type Customer = Row<typeof customers>

/**
 * The person's customer. Where there is none, the change makes one and the person gets its id; two requests that do so
 * at once meet at the version of the person, and the later one finds the customer of the earlier. The person may itself
 * be pending in the change.
 */
export async function customerOfPerson(work: Work, person: Person): Promise<Customer> {
  const known = person.customerId ? await work.get(customers, person.customerId) : undefined
  if (known) return known
  const { displayName, primaryEmail, primaryPhone, id: primaryPersonId } = person
  const named = { displayName, displayNameDerived: true }
  const customer = newRecord(customers, work, { ...named, primaryEmail, primaryPhone, primaryPersonId })
  work.insert(customers, customer)
  recordHistory(work, customers, undefined, customer)
  changePerson(work, person, { customerId: customer.id })
  return customer
}
