// Whoever reads the document, or hovers over a field of a generated client, learns what everything means and sees one.
import { eventTypes } from '@parley/contract'
import { expect, test } from 'vitest'
import { openApiDocument } from '../../src/http/openapi/openapi.js'
import { endpoints } from '../../src/resources/index.js'
import { type Found, isField, namedSchemas, said, schemasIn, unexplained } from '../support/openapi-complaints.js'
import { dereferenced, type Json, operationsOf, problemsOf, webhooksIn } from '../support/openapi-document.js'

const document: Json = openApiDocument({ endpoints, publicUrl: 'https://parley.test' })
const { schemas, parameters, headers, responses } = document['components'] as Json
const operations = [...operationsOf(document), ...webhooksIn(document)]

const bodies = operations.flatMap(({ where, operation }) => [
  { where: `${where} body`, ...operation['requestBody'] },
  ...Object.entries(operation['responses'] as Json).map(([status, one]) => ({
    where: `${where} ${status}`,
    ...dereferenced(document, one),
  })),
])
const contents = bodies.flatMap(({ where, content = {} }: Json) =>
  Object.entries(content as Json).map(([type, media]) => ({ where: `${where} ${type}`, type, media: media as Json })),
)
const all: Found[] = [
  ...namedSchemas(document),
  ...contents.flatMap(({ where, media }) => [...schemasIn(media['schema'], where)]),
]
const fields = all.filter(isField)

test('every field says what it means, in a sentence', () => {
  expect(fields.length).toBeGreaterThan(1_500)
  expect(unexplained(fields)).toEqual([])
})

/** An object is shown by its fields, and so is a list of objects. */
function isShown(field: Json): boolean {
  if (field['$ref'])
    return dereferenced(document, field)['type'] === 'object' || isListed(dereferenced(document, field))
  if (field['anyOf']) return (field['anyOf'] as Json[]).every((one) => one['type'] === 'null' || isShown(one))
  if (field['items'] && field['examples'] === undefined) return isShown(field['items'])
  return field['examples'] !== undefined || (field['type'] === 'string' && field['maxLength'] > 100_000)
}
/** The values of a list are their own examples. */
const isListed = (schema: Json): boolean => Array.isArray(schema['enum'])

test('every field has an example that its schema allows', () => {
  expect(fields.filter(({ field }) => !isShown(field)).map(({ where }) => where)).toEqual([])
  const wrong = all.flatMap(({ where, field }) =>
    ((field['examples'] ?? []) as unknown[]).flatMap((value) =>
      problemsOf(document, field, value).map((problem) => `${where} ${JSON.stringify(value)}: ${problem}`),
    ),
  )
  expect(wrong).toEqual([])
})

test('no example is merely the name of its field', () => {
  const words = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim()
  const dull = fields.filter(({ where, field }) =>
    ((field['examples'] ?? []) as unknown[]).some((value) => value === words(where.replace(/^.*\./, ''))),
  )
  expect(dull.map(({ where }) => where).filter((where) => !where.endsWith('.provider'))).toEqual([])
})

test('every parameter and every header says what it means, with an example that its schema allows', () => {
  const own = operations.flatMap(({ where, operation }) =>
    ((operation['parameters'] ?? []) as Json[])
      .filter(({ $ref }) => $ref === undefined)
      .map((one) => [`${where} ${one['name']}`, one] as const),
  )
  const shared = [...Object.entries(parameters as Json), ...Object.entries(headers as Json)]
  const complaints = [...own, ...shared].flatMap(([where, one]) => {
    const shown = [one.example, ...(one.schema.examples ?? [])].filter((value) => value !== undefined)
    return [
      ...(said(one.description) ? [] : [`${where}: ${one.description}`]),
      ...(shown.length > 0 ? [] : [`${where} has no example`]),
      ...shown.flatMap((value) => problemsOf(document, one.schema, value).map((why) => `${where} ${value}: ${why}`)),
    ]
  })
  expect(complaints).toEqual([])
})

test('every answer says what it means; what is no JSON is shown too, unless it is bytes', () => {
  const answers = [...bodies.filter(({ where }) => !where.endsWith(' body')), ...Object.values(responses as Json)]
  expect(answers.filter(({ description }) => !said(description)).map(({ where }) => where)).toEqual([])
  const bare = contents.filter(
    ({ media }) =>
      media['example'] === undefined && media['examples'] === undefined && media['schema'].format !== 'binary',
  )
  expect(bare.map(({ where }) => where)).toEqual([])
})

test('every event has a body of its own name, told field by field', () => {
  for (const { operation } of webhooksIn(document)) {
    const { $ref } = operation['requestBody'].content['application/json'].schema
    const name = operation['operationId'].replace(/^on/, '')
    expect($ref).toBe(`#/components/schemas/${name}Event`)
    expect(schemas[`${name}Event`].properties.data.$ref).toBe(`#/components/schemas/${name}EventData`)
  }
})

test('generators find a name for every object, and no name that is taken in their language', () => {
  const bodiesOf = contents.filter(({ type }) => type === 'application/json')
  expect(bodiesOf.filter(({ media }) => media['schema'].$ref === undefined).map(({ where }) => where)).toEqual([])
  const nameless = all.filter(({ where, field }) => field['properties'] && /[ .[]/.test(where))
  expect(nameless.map(({ where }) => where)).toEqual([])
  expect(Object.keys(schemas)).toEqual(
    expect.arrayContaining([
      ...['RecordRef', 'RecordRefInput', 'Pagination', 'Meta', 'ErrorResponse', 'ApiError', 'ErrorCode', 'Issue'],
      ...['CallCreate', 'CallUpdate', 'EndCallBody', 'CallSurface', 'WebhookCreate', 'WebhookUpdate'],
      ...['WebhookDelivery', 'WebhookEventType', 'CanonicalWorkKind', 'WorkRecordPage', 'PersonLookup'],
    ]),
  )
  expect(Object.keys(schemas).filter((name) => /^(Error|Event|Object|Map|Date|Schema|Type)$/.test(name))).toEqual([])
  expect(schemas['WebhookEventType']).toEqual({ type: 'string', enum: eventTypes })
})

test('a type is one word, or null besides; a default is one plain value', () => {
  const mixed = all.filter(
    ({ field: { type } }) => Array.isArray(type) && type.filter((one) => one !== 'null').length !== 1,
  )
  expect(mixed.map(({ where }) => where)).toEqual([])
  const heavy = all.filter(({ field }) => typeof field['default'] === 'object' && field['default'] !== null)
  expect(heavy.map(({ where }) => where)).toEqual([])
  // Generated clients would send it, or demand it.
  const sent = all.filter(
    ({ where, field }) => /^\w+(Create|Update|Replace|Body|Input)\./.test(where) && 'default' in field,
  )
  expect(sent.map(({ where }) => where)).toEqual([])
  expect(schemas['TaskCreate'].properties.status.description).toContain('`open` unless you say otherwise.')
  expect(schemas['EndCallBody'].properties.transcript.anyOf.map(({ type }: Json) => type)).toEqual(['string', 'array'])
})

test('what an e-mail address is stands in a pattern, and in no format that means something else', () => {
  expect(all.filter(({ field }) => field['format'] === 'email').map(({ where }) => where)).toEqual([])
  expect(schemas['PersonCreate'].properties.primaryEmail.pattern).toMatch(/@/)
})
