// What the node offers: the common entities of Parley with their operations and the fields that people set most.
// Every other field goes into "More Fields".
import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow'

export type Operation = 'create' | 'get' | 'getAll' | 'update' | 'delete' | 'upsert' | 'send' | 'approve' | 'reject'

interface Field {
  name: string
  label: string
  required?: true
  type?: 'dateTime' | 'options'
  options?: readonly string[]
}

export interface Resource {
  value: string
  label: string
  /** Its place in paths. */
  slug: string
  operations: readonly Operation[]
  fields: readonly Field[]
}

const everything = ['create', 'delete', 'get', 'getAll', 'update'] as const
const subjects = ['company', 'customer', 'person', 'work_record']

export const resources: readonly Resource[] = [
  {
    value: 'appointment',
    label: 'Appointment',
    slug: 'appointments',
    operations: everything,
    fields: [
      { name: 'title', label: 'Title', required: true },
      { name: 'startAt', label: 'Start', required: true, type: 'dateTime' },
      { name: 'personId', label: 'Person ID' },
    ],
  },
  { value: 'call', label: 'Call', slug: 'calls', operations: ['get', 'getAll'], fields: [] },
  {
    value: 'customer',
    label: 'Customer',
    slug: 'customers',
    operations: everything,
    fields: [
      { name: 'displayName', label: 'Name' },
      { name: 'primaryPhone', label: 'Phone' },
      { name: 'primaryEmail', label: 'Email' },
    ],
  },
  {
    value: 'draft',
    label: 'Draft',
    slug: 'drafts',
    operations: ['approve', 'get', 'getAll', 'reject', 'update'],
    fields: [{ name: 'title', label: 'Title' }],
  },
  {
    value: 'fact',
    label: 'Fact',
    slug: 'facts',
    operations: ['create', 'get', 'getAll'],
    fields: [
      { name: 'subjectType', label: 'Subject Type', required: true, type: 'options', options: subjects },
      { name: 'subjectId', label: 'Subject ID', required: true },
      { name: 'key', label: 'Key', required: true },
      { name: 'value', label: 'Value', required: true },
    ],
  },
  {
    value: 'note',
    label: 'Note',
    slug: 'notes',
    operations: everything,
    fields: [
      { name: 'body', label: 'Text', required: true },
      { name: 'subjectType', label: 'Subject Type', required: true, type: 'options', options: subjects },
      { name: 'subjectId', label: 'Subject ID', required: true },
    ],
  },
  {
    value: 'person',
    label: 'Person',
    slug: 'people',
    operations: ['create', 'upsert', 'delete', 'get', 'getAll', 'update'],
    fields: [
      { name: 'firstName', label: 'First Name' },
      { name: 'lastName', label: 'Last Name' },
      { name: 'primaryPhone', label: 'Phone' },
      { name: 'primaryEmail', label: 'Email' },
    ],
  },
  {
    value: 'sms',
    label: 'SMS',
    slug: 'sms',
    operations: ['get', 'getAll', 'send'],
    fields: [
      { name: 'to', label: 'To', required: true },
      { name: 'body', label: 'Text', required: true },
    ],
  },
  {
    value: 'task',
    label: 'Task',
    slug: 'tasks',
    operations: everything,
    fields: [
      { name: 'title', label: 'Title', required: true },
      { name: 'dueAt', label: 'Due', type: 'dateTime' },
      { name: 'personId', label: 'Person ID' },
    ],
  },
  { value: 'voicemail', label: 'Voicemail', slug: 'voicemails', operations: ['get', 'getAll'], fields: [] },
  {
    value: 'workRecord',
    label: 'Work Record',
    slug: 'work-records',
    operations: everything,
    fields: [
      { name: 'title', label: 'Title', required: true },
      { name: 'canonicalKind', label: 'Kind', required: true },
      { name: 'primaryPersonId', label: 'Person ID' },
    ],
  },
]

/** Operations that take the fields of the resource. */
const writing: readonly Operation[] = ['create', 'upsert', 'send', 'update']
/** Operations on one record. */
const single: readonly Operation[] = ['approve', 'delete', 'get', 'reject', 'update']

export function propertiesOf(resource: Resource): INodeProperties[] {
  const { value, operations, fields } = resource
  const [first = 'get'] = operations
  const only = (wanted: readonly Operation[]) => ({
    show: { resource: [value], operation: operations.filter((one) => wanted.includes(one)) },
  })
  return [
    {
      displayName: 'Operation',
      name: 'operation',
      type: 'options',
      noDataExpression: true,
      displayOptions: { show: { resource: [value] } },
      options: operations.map((operation) => optionOf(operation, resource)),
      default: first,
    },
    ...fields.map((field) => propertyOf(field, only(writing))),
    ...(fields.length > 0 && operations.includes('update') ? [moreFields(only(writing))] : []),
    ...(operations.some((one) => single.includes(one)) ? [idProperty(resource, only(single))] : []),
  ]
}

type Shown = INodeProperties['displayOptions']

const verbs: Record<Operation, string> = {
  approve: 'Approve',
  create: 'Create',
  delete: 'Delete',
  get: 'Get',
  getAll: 'Get Many',
  reject: 'Reject',
  send: 'Send',
  update: 'Update',
  upsert: 'Create or Update',
}

function optionOf(operation: Operation, { label }: Resource): INodePropertyOptions {
  const noun = label === 'SMS' ? label : label.toLowerCase()
  const article = /^[aeiou]|^SMS/.test(noun) ? 'an' : 'a'
  const many = { person: 'people', SMS: 'SMS' }[noun] ?? `${noun}s`
  const action = operation === 'getAll' ? `Get many ${many}` : `${sentence(verbs[operation])} ${article} ${noun}`
  return { name: operation === 'upsert' ? 'Create or Update' : verbs[operation], value: operation, action }
}

const sentence = (text: string): string => text.charAt(0) + text.slice(1).toLowerCase()

/** Required only where a record is made; a change says what it changes. */
function propertyOf({ name, label, required, type, options = [] }: Field, displayOptions: Shown): INodeProperties {
  return {
    displayName: label,
    name,
    type: type ?? 'string',
    default: '',
    displayOptions,
    ...(type === 'options' && { options: options.map((one) => ({ name: titled(one), value: one })) }),
    description: required ? 'Needed for a new record' : 'Left out when empty',
  }
}

const titled = (word: string): string =>
  word.replace(/(^|_)(\w)/g, (_, gap: string, letter: string) => `${gap && ' '}${letter.toUpperCase()}`)

const moreFields = (displayOptions: Shown): INodeProperties => ({
  displayName: 'More Fields',
  name: 'moreFields',
  type: 'json',
  default: '{}',
  displayOptions,
  description: 'Other fields of the record, as JSON. The reference of Parley lists them.',
})

const idProperty = ({ label }: Resource, displayOptions: Shown): INodeProperties => ({
  displayName: `${label} ID`,
  name: 'id',
  type: 'string',
  required: true,
  default: '',
  displayOptions,
})

/** What is sent of the fields: those that say something, and whatever else was written down. */
export function bodyOf({ fields }: Resource, read: (name: string) => unknown, more: IDataObject): IDataObject {
  const said = fields.map(({ name }) => [name, read(name)]).filter(([, value]) => value !== '' && value !== undefined)
  return { ...Object.fromEntries(said), ...more }
}
