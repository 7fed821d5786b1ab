// The field history: one entry per changed field of a tracked record, one for its making, one for its end.
import { type AnyRow, type Entity, fieldHistoryEntries, valueOf } from '@parley/contract'
import type { Work } from '../../store/work.js'
import { newRecord, trackedFields } from './record-values.js'
import { toldChange } from './told-change.js'

export interface HistoryEntry {
  readonly field: string | null
  readonly previousValue: unknown
  readonly newValue: unknown
  readonly changeType: 'create' | 'update' | 'delete' | 'promote' | 'merge' | 'unmerge'
  readonly sourceFactId?: string | null
}

/** Records what became of a tracked record. Untracked entities have no history, and nothing is written for them. */
export function recordHistory(work: Work, entity: Entity, before: AnyRow | undefined, after: AnyRow | undefined): void {
  const subject = after ?? before
  if (!entity.tracked || subject === undefined) return
  for (const entry of entriesFor(entity, before, after)) addHistory(work, entity, subject.id, entry)
}

export function addHistory(work: Work, entity: Entity, entityId: string, entry: HistoryEntry): void {
  const { caller, now, requestId } = work
  const { from: previousValue, to: newValue } = toldChange(entry.previousValue, entry.newValue)
  const record = newRecord(fieldHistoryEntries, work, {
    entityType: entity.name,
    entityId,
    source: caller.actor.type === 'user' ? 'manual' : caller.actor.type === 'system' ? 'system' : 'api',
    actor: caller.actor,
    requestId,
    changedAt: now.toISOString(),
    sourceFactId: null,
    ...entry,
    previousValue,
    newValue,
  })
  work.insert(fieldHistoryEntries, record)
}

function entriesFor(entity: Entity, before: AnyRow | undefined, after: AnyRow | undefined): HistoryEntry[] {
  if (before === undefined) return [{ field: null, previousValue: null, newValue: null, changeType: 'create' }]
  if (after === undefined) return [{ field: null, previousValue: null, newValue: null, changeType: 'delete' }]
  return trackedFields(entity, before, after).map((field) => ({
    field,
    previousValue: valueOf(before, field),
    newValue: valueOf(after, field),
    changeType: 'update',
  }))
}
