// What hangs on work: tasks, notes, appointments, money, workflow runs, field values and history, with their events.
import {
  appointments,
  type EventData,
  fieldHistoryEntries,
  fieldValues,
  moneyRecords,
  notes,
  type Row,
  tasks,
  workflowRuns,
} from '@parley/contract'
import type { Endpoint } from '../../http/endpoint.js'
import { badRequest } from '../../store/api-error.js'
import { crud, endpointsOf } from '../generic/crud.js'
import { findTwin } from '../generic/reference-checks.js'

export const taskEndpoints: Endpoint[] = endpointsOf(
  crud(tasks, {
    after({ work, record, before }) {
      if (record && !before)
        work.publish('task.created', {
          taskId: record.id,
          subjectType: record.subjectType,
          subjectId: record.subjectId,
          task: record,
        })
    },
  }),
)

export const noteEndpoints: Endpoint[] = endpointsOf(
  crud(notes, {
    after({ work, record, before }) {
      if (record && !before)
        work.publish('note.added', {
          noteId: record.id,
          subjectType: record.subjectType,
          subjectId: record.subjectId,
          note: record,
        })
    },
  }),
)

export const appointmentEndpoints: Endpoint[] = endpointsOf(
  crud(appointments, {
    complete(_input, appointment) {
      if (appointment.endAt !== null && appointment.endAt < appointment.startAt)
        throw badRequest('endAt', 'must not be before startAt', 'order')
      return appointment
    },
    after({ work, record, before }) {
      if (record && !before) work.publish('appointment.scheduled', appointmentScheduled(record))
    },
  }),
)

const appointmentScheduled = (appointment: Row<typeof appointments>): EventData<'appointment.scheduled'> => ({
  appointmentId: appointment.id,
  workRecordId: appointment.workRecordId,
  title: appointment.title,
  scheduledStart: appointment.startAt,
  scheduledEnd: appointment.endAt,
  customerId: appointment.customerId,
  personId: appointment.personId,
  origin: 'appointment',
  appointment,
})

export const moneyEndpoints: Endpoint[] = endpointsOf(
  crud(moneyRecords, {
    complete: ({ caller }, money) => ({ ...money, currency: money.currency ?? caller.settings.currency }),
  }),
)

export const workflowRunEndpoints: Endpoint[] = endpointsOf(
  crud(workflowRuns, {
    complete({ now }, run) {
      const startedAt = run.startedAt ?? run.createdAt
      const isFinished = run.status !== 'running'
      return { ...run, startedAt, finishedAt: run.finishedAt ?? (isFinished ? now.toISOString() : null) }
    },
    after({ work, record, before }) {
      if (record?.status !== 'completed' || before?.status === 'completed') return
      const { id, workflowKey, capturedFields, startedAt } = record
      const finishedAt = record.finishedAt ?? work.now.toISOString()
      work.publish('workflow.finished', {
        workflowRunId: id,
        workflowKey,
        capturedFields,
        startedAt,
        finishedAt,
        workflowRun: record,
      })
    },
  }),
)

/** The value of a field is one per record and key: sending it again replaces it. */
export const fieldValueEndpoints: Endpoint[] = endpointsOf(
  crud(fieldValues, {
    existing: ({ work, body }) => findTwin(work, fieldValues, ['entityType', 'entityId', 'key'], body),
  }),
)

export const fieldHistoryEndpoints: Endpoint[] = endpointsOf(crud(fieldHistoryEntries))
