// Display names: derived from what else is known while nobody has set one, and again after a null. The record remembers which it is.
import { customers, limits, type Row } from '@parley/contract'
import type { Change } from '../store/change.js'
import type { Acting } from './acting.js'
import { recordHistory } from './history.js'
import { nextVersion } from './record.js'

interface Named {
  displayName: string
  displayNameDerived: boolean
}

/**
 * Whether somebody set the name that is about to be written. The stored name says nothing when it comes back: whoever sends a record back whole,
 * with another last name, means the last name.
 */
export function isNameSet(record: { displayName: string | null | undefined }, before: Named | undefined): boolean {
  if (record.displayName === null || record.displayName === undefined) return false
  return before === undefined || !before.displayNameDerived || record.displayName !== before.displayName
}

/** The record with the name that somebody set, else with the one that is derived. */
export function withName<R extends Named>(record: R, before: Named | undefined, derive: () => string): R {
  const isSet = isNameSet(record, before)
  return { ...record, displayName: isSet ? record.displayName : derive(), displayNameDerived: !isSet }
}

/** Customers that are called after a person or company follow it, in the change that renames it: they are few, usually one. */
export async function renameCustomers(
  change: Change,
  input: Acting,
  calledAfter: Partial<Pick<Row<typeof customers>, 'primaryPersonId' | 'primaryCompanyId'>>,
  displayName: string,
): Promise<void> {
  for (const before of await input.read.find(customers, calledAfter, limits.listItems)) {
    // The person's name comes before the company's.
    const isOther = 'primaryCompanyId' in calledAfter && before.primaryPersonId !== null
    if (isOther || !before.displayNameDerived || before.displayName === displayName) continue
    const after = nextVersion({ ...before, displayName }, input.now)
    change.update(customers, after)
    recordHistory(change, input, customers, before, after)
  }
}
