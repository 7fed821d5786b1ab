// The rules about the fields of a work record, as plain functions: where its state may go and what that stamps, what an
// import may say, the order of its times, and the fields that its kind has. Nothing here reaches the database.
import { isOneOf, type Row, recordStateMoves, type workRecords } from '@parley/contract'
import type { Country } from '../../http/telephone.js'
import { badRequest, badRequests, illegalMove } from '../../store/api-error.js'
import { valueIssues } from './work-field-schema.js'

type WorkRecord = Row<typeof workRecords>
type Values = Record<string, unknown>

/** Past work that is brought over says itself when it ended; nobody else does. */
export const isImport = (sent: Values): boolean => sent['source'] === 'import'

const importedFields = ['completedAt', 'closedAt'] as const

/**
 * Only an import may set them. From anyone else they are ignored, so that a record can be read, changed and sent back
 * whole.
 */
export function withoutImported(sent: Values): Values {
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !isOneOf(importedFields, name)))
}

/** New work is active, or a draft; an import may be in any state. */
export function newState(record: WorkRecord, now: Date): WorkRecord {
  if (record.source !== 'import' && record.recordState !== 'active' && record.recordState !== 'draft') {
    throw badRequest('recordState', 'must be draft or active for new work, unless source is import', 'state')
  }
  return stamped(record, now)
}

/** The record where its state may go, stamped with when it ended. `sent` is what the caller named. */
export function movedState(before: WorkRecord, wanted: WorkRecord, sent: Values, now: Date): WorkRecord {
  const { recordState: from } = before
  const { recordState: to } = wanted
  requireSource(before, wanted)
  const { source } = wanted
  const mayDate = source === 'import'
  const dates = Object.fromEntries(
    importedFields.map((field) => [field, mayDate && sent[field] !== undefined ? wanted[field] : before[field]]),
  )
  const record = { ...wanted, ...dates } as WorkRecord
  if (from === to) return record
  const allowed: readonly string[] = recordStateMoves[from]
  if (!allowed.includes(to)) throw illegalMove(from, to, allowed)
  const isReopened = from === 'completed' || from === 'canceled'
  return isReopened ? { ...record, completedAt: null, closedAt: null } : stamped(record, now)
}

/** Where work came from does not work, except that past work may be brought over once more. */
function requireSource({ source: stored }: WorkRecord, { source }: WorkRecord): void {
  if (source === stored || source === 'import') return
  throw badRequest('source', `must be ${stored}, as it was made, or import`, 'fixed')
}

function stamped(record: WorkRecord, now: Date): WorkRecord {
  const { recordState, completedAt, closedAt } = record
  const stamp = now.toISOString()
  if (recordState === 'completed') return { ...record, completedAt: completedAt ?? stamp, closedAt: closedAt ?? stamp }
  return recordState === 'canceled' ? { ...record, closedAt: closedAt ?? stamp } : record
}

export function requireSchedule({ scheduledStart, scheduledEnd }: WorkRecord): void {
  if (scheduledStart !== null && scheduledEnd !== null && scheduledEnd < scheduledStart) {
    throw badRequest('scheduledEnd', 'must not be before scheduledStart', 'order')
  }
}

/** `structuredFieldsJson` fits what the organization says work of this kind has. */
export function requireFields(
  definition: { fieldSchema: Values | null } | undefined,
  fields: Values,
  country: Country,
): void {
  const issues = definition?.fieldSchema
    ? valueIssues(definition.fieldSchema, fields, 'structuredFieldsJson', country)
    : []
  if (issues.length > 0) throw badRequests(issues)
}
