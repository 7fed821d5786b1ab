// The customer that work is done for, where only a person was named: the person's own, or one made from the person.
import { customers, type Row } from '@parley/contract'
import type { Change } from '../../store/change.js'
import { recordHistory } from '../generic/field-history.js'
import { newRecord } from '../generic/record-values.js'
import type { WriteContext } from '../generic/system-caller.js'
import { changePerson, type Person } from './people.js'

export type Customer = Row<typeof customers>

/**
 * The person's customer. Where there is none, the change makes one and the person gets its id; two requests that do so
 * at once meet at the version of the person, and the later one finds the customer of the earlier. The person may itself
 * be pending in the change.
 */
export async function customerOfPerson(change: Change, input: WriteContext, person: Person): Promise<Customer> {
  const known = person.customerId ? await findCustomer(change, input, person.customerId) : undefined
  if (known) return known
  const { displayName, primaryEmail, primaryPhone, id: primaryPersonId } = person
  const named = { displayName, displayNameDerived: true }
  const customer = newRecord(
    customers,
    input.caller,
    { ...named, primaryEmail, primaryPhone, primaryPersonId },
    input.now,
  )
  change.insert(customers, customer)
  recordHistory(change, input, customers, undefined, customer)
  changePerson(change, input, person, { customerId: customer.id })
  return customer
}

/** A customer that is stored, or that the change is about to make. */
async function findCustomer(
  change: Change,
  { read }: Pick<WriteContext, 'read'>,
  id: string,
): Promise<Customer | undefined> {
  return change.pending(customers).find((customer) => customer.id === id) ?? read.get(customers, id)
}
