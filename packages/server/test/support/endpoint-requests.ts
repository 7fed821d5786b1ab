// What to send to an endpoint of which nothing is known but its value: its path, the smallest body that fits, values
// that do not.
import { annotationsOf, isNullable, typeOf } from '@parley/contract'
import type { TSchema } from 'typebox'
import type { Endpoint } from '../../src/http/endpoint.js'

type Properties = Readonly<Record<string, TSchema>>

/** A well-formed id that belongs to nobody. */
export const nobodysId = '01890a5d-ac96-774b-bcce-b302099a8057'

export const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`
export const isRead = ({ method }: Endpoint): boolean => method === 'GET'
/** What a key may ask at all: the rest is for everybody, or for those who signed in. */
export const isForKeys = ({ scope }: Endpoint): boolean => scope !== 'none' && scope !== 'user'
export const slugOf = ({ path }: Endpoint): string => path.split('/')[1] ?? ''
export const takesId = ({ path }: Endpoint): boolean => path.includes('{')

export function pathOf({ path }: Pick<Endpoint, 'path'>, id: string = nobodysId, otherIds: string = nobodysId): string {
  let isFirst = true
  return path.replace(/\{\w+\}/g, () => {
    const value = isFirst ? id : otherIds
    isFirst = false
    return value
  })
}

export const propertiesOf = (schema: TSchema): Properties => (schema as { properties?: Properties }).properties ?? {}
const requiredOf = (schema: TSchema): readonly string[] => (schema as { required?: readonly string[] }).required ?? []

/** What rules ask for beyond the shape; the shape alone says the rest. */
const further: Readonly<Record<string, object>> = {
  '/parties': { displayName: 'Someone' },
  '/locations': { addressLine1: '1 High Street' },
  '/contact-methods': { channel: 'phone', value: '+15550100200' },
  '/external-refs': { entityType: 'task', entityId: nobodysId },
  '/work-records': { customerId: nobodysId },
  '/people/upsert': { displayName: 'Someone' },
  '/sms': { to: '+15550100200' },
  '/messages': { channel: 'email', from: 'a@example.com', to: 'b@example.com' },
  '/webhooks': { url: 'https://example.com/hook' },
}

/** The smallest body that the endpoint should take; undefined when it takes none. */
export function smallestBody({ path, body }: Endpoint): Record<string, unknown> | undefined {
  if (body === undefined) return undefined
  return { ...(smallestValue(body.schema) as object), ...further[path.replace('/{id}', '')] }
}

/** A body that the endpoint should take, with the headers that go with it. */
export function fittingBody(endpoint: Endpoint): { body?: unknown; headers?: Record<string, string> } {
  if (endpoint.receives !== undefined)
    return { body: 'RIFF....WAVEfmt ', headers: { 'content-type': [endpoint.receives ?? ''].flat()[0] ?? '' } }
  const body = isRead(endpoint) ? undefined : smallestBody(endpoint)
  return body === undefined ? {} : { body }
}

export function smallestValue(schema: TSchema): unknown {
  const { enum: values, format } = annotationsOf(schema)
  if (values !== undefined) return values[0]
  if (format !== undefined) return formatted[format]
  const { minimum = 0, pattern, maxLength = 255 } = schema as { minimum?: number; pattern?: string; maxLength?: number }
  switch (typeOf(schema)) {
    case 'string':
      return pattern === '^[A-Z]{3}$' ? 'EUR' : pattern === '^[A-Z]{2}$' ? 'DE' : 'Something'.slice(0, maxLength)
    case 'integer':
    case 'number':
      return minimum
    case 'boolean':
      return false
    case 'array':
      return []
    case 'object':
      return Object.fromEntries(
        requiredOf(schema).map((name) => [name, smallestValue(propertiesOf(schema)[name] ?? {})]),
      )
    default:
      return 'anything'
  }
}

const formatted: Readonly<Record<string, string>> = {
  uuid: nobodysId,
  'date-time': '2026-01-31T09:30:00.000Z',
  phone: '+15550100200',
  email: 'someone@example.com',
  uri: 'https://example.com/',
}

/** A value of a JSON type that the schema does not take; undefined when it takes every type. */
export function wrongValue(schema: TSchema): unknown {
  switch (typeOf(schema)) {
    case undefined:
      return undefined
    case 'string':
      return 7
    case 'object':
      return ['wrong']
    case 'array':
      return { wrong: true }
    default:
      return '7'
  }
}

/** Whether leaving the field null is refused. */
export const refusesNull = (schema: TSchema): boolean => typeOf(schema) !== undefined && !isNullable(schema)
