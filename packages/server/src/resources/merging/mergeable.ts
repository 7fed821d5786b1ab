// What can be merged, people and customers, and what is particular to each.
import { customers, type Entity, people, type Row } from '@parley/contract'
import type { Work } from '../../store/work.js'
import type { Rules } from '../generic/crud.js'
import { customerRules } from '../people/address-book.js'
import { personData, personFences, personRules } from '../people/people.js'

export interface Mergeable<E extends Entity = Entity> {
  readonly entity: E
  readonly rules: Rules<E>
  /** Whether its name says no more than its number does, so that one that somebody gave is better. */
  isNameless(record: Row<E>): boolean
  /** Whoever looks for one of its numbers and addresses at this moment looks again. */
  fence(work: Work, record: Row<E>): Promise<void>
  publishMerged(work: Work, survivor: Row<E>, merged: Row<E>): void
  publishUnmerged(work: Work, restored: Row<E>, mergedIntoId: string): void
}

export const mergeablePeople: Mergeable<typeof people> = {
  entity: people,
  rules: personRules,
  isNameless: ({ firstName, lastName, legalName }) => !firstName && !lastName && !legalName,
  async fence(work, { primaryPhone, primaryEmail }) {
    if (primaryPhone) work.addFence(await work.readFence(personFences.phone(primaryPhone)))
    if (primaryEmail) work.addFence(await work.readFence(personFences.email(primaryEmail)))
  },
  publishMerged: (work, survivor, merged) =>
    work.publish('person.merged', { ...personData(survivor), mergedPersonId: merged.id, mergedPerson: merged }),
  publishUnmerged: (work, restored, mergedIntoId) =>
    work.publish('person.unmerged', { ...personData(restored), mergedIntoId }),
}

export const mergeableCustomers: Mergeable<typeof customers> = {
  entity: customers,
  rules: customerRules,
  isNameless: ({ primaryPersonId, primaryCompanyId }) => primaryPersonId === null && primaryCompanyId === null,
  async fence() {},
  publishMerged: (work, survivor, merged) =>
    work.publish('customer.merged', { ...customerData(survivor), mergedCustomerId: merged.id, mergedCustomer: merged }),
  publishUnmerged: (work, restored, mergedIntoId) =>
    work.publish('customer.unmerged', { ...customerData(restored), mergedIntoId }),
}

const customerData = (customer: Row<typeof customers>) => ({
  customerId: customer.id,
  displayName: customer.displayName,
  customer,
})
