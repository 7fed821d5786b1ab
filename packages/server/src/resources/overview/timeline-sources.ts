// Where a timeline finds what it shows: of each entity, how its rows name the subject, and when they happened.
import {
  appointments,
  calls,
  drafts,
  type Entity,
  facts,
  messages,
  moneyRecords,
  notes,
  signals,
  sms,
  type TimelineType,
  tasks,
  voicemails,
  workflowRuns,
  workRecords,
} from '@parley/contract'
import { raw, type Sql, sql } from '../../database/sql.js'

/** Whose timeline it is. */
export type Subject = 'person' | 'customer' | 'work_record'

export interface Source {
  readonly type: TimelineType
  readonly entity: Entity
  /** When a row happened, as SQL; undefined: when it was made, which its id tells. */
  readonly at?: string
  /** The column that names the subject, for those that it can be about. `people`: it names people of the customer. */
  readonly about: Partial<Record<Subject | 'people', string>>
  readonly also?: string
}

const inRecord = (field: string): string => `(record ->> '${field}')::uuid`

/** What is noted on a subject names it whatever it is: ids are not shared. */
const onSubject = { person: 'subject_id', customer: 'subject_id', work_record: 'subject_id' } as const
const ofPerson = (column: string) => ({ person: column, people: column })

export const sources: readonly Source[] = [
  {
    type: 'call',
    entity: calls,
    at: 'started_at',
    about: { person: 'person_id', customer: 'customer_id', work_record: 'work_record_id' },
  },
  { type: 'sms', entity: sms, at: 'sent_at', about: ofPerson('person_id') },
  { type: 'voicemail', entity: voicemails, about: ofPerson('person_id') },
  // The message of a call, a text or a voicemail says the same once more.
  { type: 'message', entity: messages, about: ofPerson('person_id'), also: `and channel = 'email'` },
  {
    type: 'draft',
    entity: drafts,
    about: { person: inRecord('personId'), customer: inRecord('customerId'), work_record: inRecord('workRecordId') },
  },
  { type: 'fact', entity: facts, at: 'observed_at', about: onSubject },
  {
    type: 'signal',
    entity: signals,
    at: `instant(record ->> 'firedAt')`,
    about: { person: inRecord('personId'), work_record: 'work_record_id' },
  },
  { type: 'note', entity: notes, about: onSubject },
  {
    type: 'task',
    entity: tasks,
    about: { person: 'person_id', customer: 'customer_id', work_record: 'work_record_id' },
  },
  {
    type: 'appointment',
    entity: appointments,
    at: `instant(record ->> 'startAt')`,
    about: { person: 'person_id', customer: 'customer_id', work_record: 'work_record_id' },
  },
  { type: 'work_record', entity: workRecords, about: { person: 'primary_person_id', customer: 'customer_id' } },
  {
    type: 'money_record',
    entity: moneyRecords,
    about: { person: inRecord('personId'), customer: 'customer_id', work_record: 'work_record_id' },
  },
  {
    type: 'workflow_run',
    entity: workflowRuns,
    about: { person: inRecord('personId'), work_record: 'work_record_id' },
  },
]

/** Someone's place in a timeline: what happened then, with this id, has been seen. */
export interface Seen {
  readonly at: string
  readonly id: string
}

/** The people of a customer whose texts and voicemails are shown with it. */
const PEOPLE_MAX = 100

/** The latest rows of a source, as (type, id, at). */
export function latestOf(
  source: Source,
  tenantId: string,
  subject: { readonly kind: Subject; readonly id: string },
  seen: Seen | undefined,
  limit: number,
): Sql | undefined {
  const isAbout = aboutSql(source, tenantId, subject)
  if (isAbout === undefined) return undefined
  const at = raw(source.at ?? 'id_time(id)')
  const key = raw(source.at === undefined ? 'id' : `${source.at}`)
  const before = seen === undefined ? raw('') : beforeSql(source, seen)
  return sql`(select ${source.type}::text as type, id, ${at} as at from ${raw(source.entity.table)}
    where tenant_id = ${tenantId} and ${isAbout} ${raw(source.also ?? '')} ${before}
    order by ${key} desc, id desc limit ${limit}::int)`
}

function aboutSql({ about }: Source, tenantId: string, { kind, id }: { kind: Subject; id: string }): Sql | undefined {
  const own = about[kind]
  if (own !== undefined) return sql`${raw(own)} = ${id}::uuid`
  if (kind !== 'customer' || about.people === undefined) return undefined
  return sql`${raw(about.people)} in (select p.id from people p where p.tenant_id = ${tenantId}
    and p.customer_id = ${id}::uuid order by p.id limit ${raw(String(PEOPLE_MAX))})`
}

/** Rows after the place. Where the id tells the time, it also bounds the rows that an index has to read. */
function beforeSql({ at }: Source, seen: Seen): Sql {
  if (at !== undefined) return sql`and (${raw(at)}, id) < (${seen.at}::timestamptz, ${seen.id}::uuid)`
  return sql`and id < first_id_after(${seen.at}::timestamptz)
    and (id_time(id), id) < (${seen.at}::timestamptz, ${seen.id}::uuid)`
}
