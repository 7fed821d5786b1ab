// Display names: derived from what else is known while nobody has set one, and again after a null. The record remembers
// which it is.
import { customers, limits, type Row } from '@parley/contract'
import type { Work } from '../../store/work.js'
import { recordHistory } from '../generic/field-history.js'
import { patched } from '../generic/record-values.js'

interface Named {
  displayName: string
  /** Null in a record that an older version wrote. */
  displayNameDerived: boolean | null
}

/**
 * A stored record with its mark. One that an older version wrote has none until the migration comes to it or it is
 * written: its name counts as derived when it is what would be derived.
 */
export async function marked<R extends Named>(record: R, derive: (record: R) => string | Promise<string>): Promise<R> {
  return { ...record, displayNameDerived: record.displayNameDerived ?? record.displayName === (await derive(record)) }
}

/**
 * Whether somebody set the name that is about to be written. The stored name says nothing when it comes back: whoever
 * sends a record back whole, with another last name, means the last name.
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

/**
 * Customers that are called after a person or company follow it, in the change that renames it: they are few, usually
 * one.
 */
export async function renameCustomers(
  work: Work,
  calledAfter: Partial<Pick<Row<typeof customers>, 'primaryPersonId' | 'primaryCompanyId'>>,
  { from, to: displayName }: { from: string; to: string },
): Promise<void> {
  for (const stored of await work.find(customers, calledAfter, limits.listItems)) {
    const before = await marked(stored, () => from)
    // The person's name comes before the company's.
    const isOther = 'primaryCompanyId' in calledAfter && before.primaryPersonId !== null
    if (isOther || !before.displayNameDerived || before.displayName === displayName) continue
    const after = work.update(customers, patched(customers, before, { displayName }))
    recordHistory(work, customers, stored, after)
  }
}
