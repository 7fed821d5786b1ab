// What a calendar feed shows: the appointments and the scheduled work of a tenant around today, or of one user's work.
import { appointments, type Entity, limits, locations, type Row, workRecords } from '@parley/contract'
import type { Database } from '../../database/pool.js'
import { join, raw, type Sql, sql } from '../../database/sql.js'
import { fieldExpression } from '../../store/entity-ddl.js'
import { shortened } from '../generic/record-values.js'
import type { CalendarEvent } from './icalendar.js'

/** Whose calendar it is. */
export interface CalendarScope {
  readonly tenantId: string
  /** Only work that is assigned to this user, and appointments of such work. */
  readonly assignedToId: string | null
}

type Found = { entity: string; record: string }

const DAY_MS = 24 * 60 * 60 * 1_000
const descriptionLength = 1_000

/** The events nearest to now, by their start. */
export async function calendarEvents(database: Database, scope: CalendarScope, now: Date): Promise<CalendarEvent[]> {
  const sources = [
    { entity: appointments, field: 'startAt', mine: appointmentIsMine(scope) },
    { entity: workRecords, field: 'scheduledStart', mine: workIsMine(scope) },
  ]
  const spans = sources.flatMap((source) => [rowsOf(scope, source, now, true), rowsOf(scope, source, now, false)])
  const found = await database.query<Found>(sql`
    select entity, record::text from (${join(spans, ' union all ')}) as found
    order by abs(extract(epoch from instant(start) - ${now}::timestamptz)), id
      limit ${raw(String(limits.calendarEvents))}`)
  const drafts = found.map(({ entity, record }) => {
    const read = JSON.parse(record)
    return entity === appointments.name ? ofAppointment(read) : ofWork(read)
  })
  const places = await placesOf(database, scope.tenantId, drafts)
  return drafts
    .map(({ locationId, ...event }) => ({ ...event, location: (locationId && places.get(locationId)) || null }))
    .sort((a, b) => (a.startAt < b.startAt || (a.startAt === b.startAt && a.uid < b.uid) ? -1 : 1))
}

interface Source {
  readonly entity: Entity
  readonly field: string
  readonly mine: Sql
}

/** What starts from now on, or what has started, each from now outwards. */
function rowsOf({ tenantId }: CalendarScope, { entity, field, mine }: Source, now: Date, isAhead: boolean): Sql {
  const at = (days: number) => new Date(now.getTime() + days * DAY_MS).toISOString()
  const [from, before] = isAhead ? [at(0), at(limits.calendarDaysAhead)] : [at(-limits.calendarDaysBack), at(0)]
  const [start, turn] = [raw(fieldExpression(entity, field)), raw(isAhead ? 'asc' : 'desc')]
  return sql`(select ${entity.name}::text as entity, id, record, ${start} as start from ${raw(entity.table)}
    where tenant_id = ${tenantId} and ${start} >= ${from} and ${start} < ${before}${mine}
    order by ${start} ${turn}, id ${turn} limit ${raw(String(limits.calendarEvents))})`
}

function workIsMine({ assignedToId }: CalendarScope): Sql {
  return assignedToId === null ? raw('') : sql` and assigned_to_id = ${assignedToId}::uuid`
}

/** An appointment is assigned to nobody by itself; its work is. */
function appointmentIsMine({ tenantId, assignedToId }: CalendarScope): Sql {
  if (assignedToId === null) return raw('')
  return sql` and exists (select from work_records w
    where w.tenant_id = ${tenantId} and w.id = appointments.work_record_id
      and w.assigned_to_id = ${assignedToId}::uuid)`
}

type Draft = Omit<CalendarEvent, 'location'> & { readonly locationId: string | null }

function ofAppointment(appointment: Row<typeof appointments>): Draft {
  const { version, createdAt, updatedAt, startAt, endAt, locationId } = appointment
  return {
    uid: `appointment-${appointment.id}@parley`,
    sequence: version,
    createdAt,
    updatedAt,
    startAt,
    endAt,
    summary: appointment.title,
    description: null,
    isCanceled: appointment.status === 'canceled',
    locationId,
  }
}

function ofWork(work: Row<typeof workRecords>): Draft {
  return {
    uid: `work-record-${work.id}@parley`,
    sequence: work.version,
    createdAt: work.createdAt,
    updatedAt: work.updatedAt,
    startAt: work.scheduledStart ?? work.createdAt,
    endAt: work.scheduledEnd,
    summary: `${work.number} ${work.title}`,
    description: work.description && shortened(work.description, descriptionLength),
    isCanceled: work.recordState === 'canceled',
    locationId: work.primaryLocationId,
  }
}

/** Where the events are, in one line each, by the id of the location. */
async function placesOf(database: Database, tenantId: string, drafts: readonly Draft[]): Promise<Map<string, string>> {
  const ids = [...new Set(drafts.flatMap(({ locationId }) => locationId ?? []))]
  if (ids.length === 0) return new Map()
  const rows = await database.query<{ record: string }>(
    sql`select record::text from locations where tenant_id = ${tenantId} and id = any (${ids}::uuid[])`,
  )
  return new Map(rows.map(({ record }) => placeOf(JSON.parse(record))))
}

function placeOf(location: Row<typeof locations>): [string, string] {
  const { addressLine1, addressLine2, city, region, postalCode, country } = location
  const parts = [addressLine1, addressLine2, city, region, postalCode, country]
  const address = location.formattedAddress ?? parts.filter(Boolean).join(', ')
  return [location.id, shortened(address || location.label || '')]
}
