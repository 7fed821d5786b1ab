// Work records: how one is made and changed, whoever does it. The rules about single fields are in
// work-record-rules.ts, the search in work-record-search.ts.
import {
  anyGiven,
  createBody,
  type EventData,
  people,
  type Row,
  ruledBody,
  type SentToCreate,
  workRecords,
} from '@parley/contract'
import { type Endpoint, endpoint, type Input } from '../../http/endpoint.js'
import { badRequest, conflict, notFound } from '../../store/api-error.js'
import type { Answer } from '../../store/response.js'
import type { Work } from '../../store/work.js'
import { crud, endpointsOf, requireMatch } from '../generic/crud.js'
import { findByRefs, writeRefs } from '../generic/external-ref-rows.js'
import { recordHistory } from '../generic/field-history.js'
import { changedFields, newRecord, patched, replaced, requireComplete } from '../generic/record-values.js'
import { requireReferences } from '../generic/reference-checks.js'
import { trackedChanges } from '../generic/tracked-changes.js'
import { customerOfPerson } from '../people/customer-of-person.js'
import { namesOf } from './work-record-names.js'
import { isImport, movedState, newState, requireFields, requireSchedule, withoutImported } from './work-record-rules.js'
import { definitionOf, requireEnabledKind } from './work-type-definitions.js'

type WorkRecord = Row<typeof workRecords>
type Values = Record<string, unknown>

/** What caused a work record. */
interface WorkOrigin {
  readonly source: WorkRecord['source']
  readonly draftId?: string
  readonly sourceCallSessionId?: string
}

/**
 * A work record that is written, with its events still to be published: whoever writes more than the record decides in
 * which order the events go out.
 */
export interface WrittenWorkRecord {
  readonly record: WorkRecord
  /** `work_record.created`, or `work_record.updated` when a tracked field changed. */
  publish(): void
  /** `appointment.scheduled`, when the record got its first scheduled start. */
  publishScheduled(): void
}

/**
 * Makes a work record: number, customer, defaults, references, history. `fields` has the shape of
 * `createBody(workRecords)`; what comes from elsewhere goes through `bodyShaper(createBody(workRecords))` first.
 */
export async function addWorkRecord(work: Work, fields: Values, origin: WorkOrigin): Promise<WrittenWorkRecord> {
  const definition = await requireEnabledKind(work, fields['canonicalKind'] as WorkRecord['canonicalKind'])
  const values: Values = {
    status: definition.defaultStatus,
    stage: definition.defaultStage,
    sourceCallSessionId: origin.sourceCallSessionId ?? null,
    ...(isImport(fields) ? fields : withoutImported(fields)),
    source: fields['source'] ?? origin.source,
    draftId: origin.draftId ?? null,
  }
  const draft = newState(newRecord(workRecords, work, values), work.now)
  requireSchedule(draft)
  requireFields(definition, draft.structuredFieldsJson, work.caller.settings.defaultCountry)
  const customerId = await customerFor(work, draft)
  await requireReferences(work, workRecords, fields, draft)
  const number = numberOf(await work.next('work_record'))
  const record = { ...draft, customerId, number }
  requireComplete(workRecords, record)
  work.insert(workRecords, record, { words: await namesOf(work, record) })
  await writeRefs(work, workRecords, undefined, record)
  recordHistory(work, workRecords, undefined, record)
  return written(work, undefined, record)
}

/** Brings a work record to its next version; undefined when nothing would change. `sent` is what the caller named. */
async function changeWorkRecord(
  work: Work,
  before: WorkRecord,
  wanted: WorkRecord,
  sent: Values,
): Promise<WrittenWorkRecord | undefined> {
  if (wanted.canonicalKind !== before.canonicalKind) {
    throw conflict('fixed', 'canonicalKind cannot be changed; make another work record', {
      field: 'canonicalKind',
      value: before.canonicalKind,
    })
  }
  const definition = await definitionOf(work, before.canonicalKind)
  const moved = movedState(before, withDefaults(wanted, definition), sent, work.now)
  requireSchedule(moved)
  if (isChanged(before, moved, 'structuredFieldsJson'))
    requireFields(definition, moved.structuredFieldsJson, work.caller.settings.defaultCountry)
  const completed = { ...moved, customerId: await customerFor(work, moved) }
  if (changedFields(workRecords, before, completed).length === 0) return undefined
  requireComplete(workRecords, completed)
  await requireReferences(work, workRecords, sent, completed)
  const record = work.update(workRecords, completed, { words: await namesOf(work, completed) })
  await writeRefs(work, workRecords, before, record)
  recordHistory(work, workRecords, before, record)
  return written(work, before, record)
}

const numberOf = (count: number): string => `WR-${String(count).padStart(6, '0')}`

const isChanged = (before: WorkRecord, after: WorkRecord, field: keyof WorkRecord): boolean =>
  JSON.stringify(before[field]) !== JSON.stringify(after[field])

/** Status and stage that a PUT left out go back to where such work begins. */
function withDefaults(
  record: WorkRecord,
  definition: { defaultStatus: string; defaultStage: string } | undefined,
): WorkRecord {
  return {
    ...record,
    status: record.status ?? definition?.defaultStatus ?? 'new',
    stage: record.stage ?? definition?.defaultStage ?? 'intake',
  }
}

/** The customer that was named, else the one of the person that was named. */
async function customerFor(work: Work, { customerId, primaryPersonId }: WorkRecord): Promise<string> {
  if (customerId) return customerId
  if (primaryPersonId === null) throw badRequest('customerId', 'is required unless a person is named', 'required')
  const person = await work.get(people, primaryPersonId)
  if (person === undefined)
    throw badRequest(
      'primaryPersonId',
      'names a person that does not exist, so there is no customer to find or make',
      'reference',
    )
  return (await customerOfPerson(work, person)).id
}

function written(work: Work, before: WorkRecord | undefined, record: WorkRecord): WrittenWorkRecord {
  return {
    record,
    publish() {
      if (before === undefined) work.publish('work_record.created', workRecordData(record))
      else {
        const changes = trackedChanges(workRecords, before, record)
        if (changes.changedFields.length > 0)
          work.publish('work_record.updated', { ...workRecordData(record), ...changes })
      }
    },
    publishScheduled() {
      if (record.scheduledStart !== null && (before === undefined || before.scheduledStart === null))
        work.publish('appointment.scheduled', scheduledData(record, record.scheduledStart))
    },
  }
}

const workRecordData = (workRecord: WorkRecord) => ({
  workRecordId: workRecord.id,
  canonicalKind: workRecord.canonicalKind,
  title: workRecord.title,
  recordState: workRecord.recordState,
  status: workRecord.status,
  stage: workRecord.stage,
  customerId: workRecord.customerId,
  workRecord,
})

const scheduledData = (record: WorkRecord, scheduledStart: string): EventData<'appointment.scheduled'> => ({
  appointmentId: null,
  workRecordId: record.id,
  title: record.title,
  scheduledStart,
  scheduledEnd: record.scheduledEnd,
  customerId: record.customerId,
  personId: record.primaryPersonId,
  origin: 'work_record',
})

async function createWorkRecord(input: Input<SentToCreate<typeof workRecords>>): Promise<Answer<WorkRecord>> {
  const { work } = input
  const existing = await findByRefs(work, workRecords, input.body.externalRefs)
  if (existing) return updated(input, existing, patched(workRecords, existing, input.body))
  const made = await addWorkRecord(work, input.body, {
    source: input.caller.actor.type === 'user' ? 'manual' : 'api',
  })
  made.publish()
  made.publishScheduled()
  return work.respond(201, made.record)
}

/** PATCH, PUT, and a POST whose external references are known. */
async function updated(input: Input, before: WorkRecord, wanted: WorkRecord): Promise<Answer<WorkRecord>> {
  const { work } = input
  requireMatch(input, before)
  const made = await changeWorkRecord(work, before, wanted, input.body)
  if (made === undefined) return work.respond(200, before)
  made.publish()
  made.publishScheduled()
  return work.respond(200, made.record)
}

async function patchWorkRecord(input: Input): Promise<Answer<WorkRecord>> {
  const before = await requireWorkRecord(input)
  return updated(input, before, patched(workRecords, before, input.body))
}

async function putWorkRecord(input: Input): Promise<Answer<WorkRecord>> {
  const before = await requireWorkRecord(input)
  return updated(input, before, replaced(workRecords, before, input.body))
}

async function requireWorkRecord({ work, params }: Input): Promise<WorkRecord> {
  const record = await work.get(workRecords, params['id'] ?? '')
  if (record === undefined) throw notFound()
  return record
}

const named = anyGiven({ customerId: { type: 'string' }, primaryPersonId: { type: 'string' } })
const began = {
  anyOf: [
    { required: ['source'], properties: { source: { const: 'import' } } },
    { properties: { recordState: { enum: ['active', 'draft'] } } },
  ],
}
const newBody = ruledBody(createBody(workRecords), { allOf: [named, began] })

/** The generic endpoints, with these handlers for what is written. */
const generic = crud(workRecords, { documented: (kind) => (kind === 'whole' ? named : {}) })

export const workRecordEndpoints: Endpoint[] = endpointsOf({
  ...generic,
  create: endpoint({ ...generic.create, body: newBody, takesNumber: true, handle: createWorkRecord }),
  patch: endpoint({ ...generic.patch, handle: patchWorkRecord }),
  put: endpoint({ ...generic.put, handle: putWorkRecord }),
})
