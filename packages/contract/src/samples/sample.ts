// Valid samples of anything that has a schema: for the examples of the documentation and for test events. The same
// schema always gives the same sample.
import type { TSchema } from 'typebox'
import type { Entity } from '../entity.js'
import { recordSchema } from '../entity.js'
import { type EventType, events } from '../events.js'
import { annotationsOf, isNullable, typeOf } from '../field.js'
import { sampleValues, storyTime } from './sample-values.js'
import { usuallySent } from './usually-sent.js'

/** Values to use instead of the usual ones, by field name, or by what holds the field and its name: `draft.status`. */
export type Known = Readonly<Record<string, unknown>>

type Sample = Record<string, unknown>

/** A value that is valid for the schema. `holder` is what the value belongs to, as a property would be named. */
export function sampleOf(schema: TSchema, known: Known = {}, holder = ''): unknown {
  return typeOf(schema) === 'object' ? sampleObject(schema, known, holder) : sampleField('', schema, known, holder, {})
}

/** A value of a field, as it is named in its holder. */
export const sampleNamed = (name: string, schema: TSchema, known: Known = {}, holder = ''): unknown =>
  sampleField(name, schema, known, holder, {})

export const sampleRecord = (entity: Entity, known: Known = {}): Sample =>
  sampleOf(recordSchema(entity), known, camelCase(entity.name)) as Sample

/** A body as people would send it: the required fields and the usual ones, in nested objects too. */
export function sampleBody(schema: TSchema, holder = ''): Sample {
  const usual = sampleObject(schema, {}, holder, isUsual) as Sample
  return Object.keys(usual).length > 0
    ? usual
    : (sampleObject(schema, {}, holder, ({ schema: one }) => !refers(one)) as Sample)
}

interface Property {
  readonly name: string
  readonly schema: TSchema
  readonly isRequired: boolean
  readonly holder: string
}

/** Which of the properties of an object a sample has. */
type Choice = (property: Property) => boolean

const isUsual: Choice = ({ name, isRequired, holder }) =>
  isRequired || usuallySent.has(name) || usuallySent.has(`${holder}.${name}`)

/** Ids of other records say little to those who have none yet. */
const refers = (schema: TSchema): boolean =>
  annotationsOf(shapeOf(schema).items ?? schema)['x-references'] !== undefined

/** The data of an event of this type. */
export function sampleEventData(type: EventType, known: Known = {}): Sample {
  return sampleOf(events[type].data, { ...stories[type], ...known }) as Sample
}

/** A whole event as subscribers get it. */
export function sampleEvent(type: EventType, known: Known = {}): Sample {
  return {
    eventId: '01KJQH7VM8T6M3N5P7R9V0XCZ4',
    type,
    occurredAt: storyTime,
    organizationId: sampleId('organization'),
    environment: 'sandbox',
    data: sampleEventData(type, known),
  }
}

const received: Known = {
  direction: 'inbound',
  from: sampleValues['from'],
  to: sampleValues['to'],
  body: 'Wednesday is fine, thank you.',
}
const sent: Known = { from: sampleValues['sms.from'], to: sampleValues['sms.to'], body: sampleValues['sms.body'] }

/** What each event says of its records that a record at rest would not. */
const stories: Partial<Record<EventType, Known>> = {
  'call.ended': {
    status: 'completed',
    'draft.status': 'pending_review',
    'fact.status': 'proposed',
    transcriptStatus: 'available',
  },
  'call.missed': {
    'call.status': 'missed',
    'call.answeredAt': null,
    'call.endReason': 'no_answer',
    'call.duration': 0,
    'call.drafts': [],
    'call.facts': [],
    'call.signals': [],
    'call.transcriptSegments': [],
  },
  'sms.received': { ...received, 'sms.status': 'received' },
  'sms.sent': { ...sent, 'sms.status': 'sent' },
  'sms.delivered': { ...sent, 'sms.status': 'delivered', 'sms.deliveredAt': storyTime },
  'sms.failed': { ...sent, 'sms.status': 'failed', 'sms.errorCode': 'unreachable' },
  'work_record.updated': { stage: 'visit', 'workRecord.version': 2 },
  'fact.confirmed': {
    'fact.status': 'confirmed',
    'fact.confirmedAt': storyTime,
    confirmedVia: 'human',
    supersededFactIds: [],
  },
  'fact.promoted': { 'fact.status': 'promoted', 'fact.promotedAt': storyTime, previousValue: null },
  'fact.rejected': { 'fact.status': 'rejected', 'fact.rejectedAt': storyTime },
  'fact.superseded': { 'fact.status': 'superseded', 'fact.supersededAt': storyTime },
  'draft.approved': {
    'draft.status': 'approved',
    'draft.approvedAt': storyTime,
    approvedBy: sampleId('user'),
    'workRecord.source': 'call',
  },
  'draft.rejected': { 'draft.status': 'rejected', 'draft.rejectedAt': storyTime, reason: 'Wrong number' },
  'draft.synced': { 'draft.status': 'synced', 'draft.approvedAt': storyTime },
  'workflow.finished': { 'workflowRun.status': 'completed' },
}

function sampleObject(schema: TSchema, known: Known, holder: string, choose: Choice = () => true): unknown {
  const { properties = {}, required = [] } = shapeOf(schema)
  const sample: Sample = {}
  for (const [name, one] of Object.entries(properties)) {
    if (choose({ name, schema: one, isRequired: required.includes(name), holder }))
      sample[name] = sampleField(name, one, known, holder, sample, choose)
  }
  return sample
}

/**
 * The first of what is known, said by the schema or usual under this name that the schema allows; otherwise what its
 * type suggests.
 */
function sampleField(
  name: string,
  schema: TSchema,
  known: Known,
  holder: string,
  siblings: Sample,
  choose?: Choice,
): unknown {
  const { examples } = schema as { examples?: readonly unknown[] }
  const qualified = `${holder}.${name}`
  const candidates = [known[qualified], known[name], examples?.[0], sampleValues[qualified], sampleValues[name]]
  const fitting = candidates.find((value) => fits(value, schema))
  return fitting === undefined ? sampleByType(name, schema, known, holder, siblings, choose) : structuredCopy(fitting)
}

function sampleByType(
  name: string,
  schema: TSchema,
  known: Known,
  holder: string,
  siblings: Sample,
  choose?: Choice,
): unknown {
  const { enum: values, default: byDefault, format } = annotationsOf(schema)
  const type = typeOf(schema)
  const { minimum = -Infinity, maximum = Infinity, items } = shapeOf(schema)
  if (values) return byDefault ?? values[0]
  if (type === 'object') return sampleObject(schema, known, name, choose)
  if (type === 'array') return items ? [sampleField(singular(name), items, known, holder, {}, choose)] : []
  if (type === 'boolean') return byDefault ?? false
  if (type === 'integer' || type === 'number') return byDefault ?? Math.min(Math.max(1, minimum), maximum)
  return format === 'uuid' ? sampleId(referenced(name, schema, holder, siblings)) : sampleText(name, schema)
}

/**
 * Ids that mean the same record are the same: a record's own, those that refer to it, and those whose neighbour says
 * what they are of.
 */
function referenced(name: string, schema: TSchema, holder: string, siblings: Sample): string {
  const reference = annotationsOf(schema)['x-references']
  if (reference !== undefined && !reference.startsWith('@')) return reference
  if (name === 'id' && holder !== '') return snakeCase(holder)
  const stem = name.replace(/Ids?$/, '')
  const kind = siblings[`${stem}Type`]
  return typeof kind === 'string' ? kind : snakeCase(stem)
}

function sampleText(name: string, schema: TSchema): string {
  const byFormat: Record<string, string> = {
    'date-time': storyTime,
    phone: '+12025550143',
    'caller-id': '+12025550143',
    recipient: '+12025550143',
    email: 'dana.reyes@example.com',
    uri: `https://example.com/${name.replace(/Url$/, '')}`,
  }
  const { maxLength = 64 } = shapeOf(schema)
  return (
    byFormat[annotationsOf(schema).format ?? ''] ??
    (snakeCase(name).replaceAll('_', ' ').trim() || 'example').slice(0, maxLength)
  )
}

/** A UUID of version 7, made in the story's moment, always the same for one name. */
export function sampleId(name: string): string {
  const time = Date.parse(storyTime).toString(16).padStart(12, '0')
  const rest = ['a', 'b', 'c'].map((salt) => hashOf(salt + name)).join('')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${rest.slice(0, 3)}-8${rest.slice(3, 6)}-${rest.slice(6, 18)}`
}

/** FNV-1a, as eight hexadecimal digits. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}

interface Shape {
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
  readonly items?: TSchema
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
}

const shapeOf = (schema: TSchema): Shape => schema as Shape

/** Whether a ready-made value suits the schema. An object with known properties is always made from them. */
function fits(value: unknown, schema: TSchema): boolean {
  const { enum: values } = annotationsOf(schema)
  if (value === undefined || (values && !values.includes(value))) return false
  if (value === null) return isNullable(schema)
  const type = typeOf(schema)
  if (type === undefined) return true
  if (Array.isArray(value)) return type === 'array' && fitsItems(value, schema)
  if (typeof value === 'number') return fitsNumber(value, type, shapeOf(schema))
  if (typeof value === 'object') return type === 'object' && shapeOf(schema).properties === undefined
  return typeof value === type && (typeof value !== 'string' || fitsText(value, schema))
}

function fitsItems(value: readonly unknown[], schema: TSchema): boolean {
  const { items, maxItems = value.length } = shapeOf(schema)
  return value.length <= maxItems && value.every((one) => items === undefined || fits(one, items))
}

function fitsNumber(value: number, type: string, { minimum = -Infinity, maximum = Infinity }: Shape): boolean {
  return (type === 'number' || (type === 'integer' && Number.isInteger(value))) && value >= minimum && value <= maximum
}

const formats: Readonly<Record<string, RegExp>> = {
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  'date-time': /^\d{4}-\d\d-\d\dT[\d:.]+Z$/,
  phone: /^\+[1-9]\d{1,14}$/,
  'caller-id': /^\+[1-9]\d{1,14}$/,
  recipient: /^\+[1-9]\d{1,14}$/,
  email: /^[^@\s]+@[^@\s]+$/,
  uri: /^https:\/\/\S+$/,
}

function fitsText(value: string, schema: TSchema): boolean {
  const { minLength = 0, maxLength = Infinity, pattern } = shapeOf(schema)
  const format = formats[annotationsOf(schema).format ?? '']
  return (
    value.length >= minLength &&
    value.length <= maxLength &&
    (!pattern || new RegExp(pattern, 'u').test(value)) &&
    (!format || format.test(value))
  )
}

/** Samples are handed out to be changed. */
const structuredCopy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T
const singular = (name: string): string => name.replace(/ies$/, 'y').replace(/(?<!s)s$/, '')
const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const camelCase = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
