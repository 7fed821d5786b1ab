// The document in OpenAPI 3.0, for generators that read no 3.1.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Json } from '../support/openapi-document.js'
import { redoclyErrors } from '../support/redocly.js'
import { type Service, startService } from '../support/service.js'

let service: Service
let newest: Json
let older: Json
beforeAll(async () => {
  service = await startService()
  const read = async (name: string) => (await (await fetch(`${service.url}/api/v1/${name}`)).json()) as Json
  newest = await read('openapi.json')
  older = await read('openapi-3.0.json')
})
afterAll(() => service.stop())

test('it is served without a key, with an ETag', async () => {
  const first = await fetch(`${service.url}/api/v1/openapi-3.0.json`)
  const etag = first.headers.get('etag') ?? ''
  expect([first.status, older['openapi']]).toEqual([200, '3.0.3'])
  const again = await fetch(`${service.url}/api/v1/openapi-3.0.json`, { headers: { 'if-none-match': etag } })
  expect(again.status).toBe(304)
})

test('Redocly finds no error in it', async () => {
  expect(await redoclyErrors(older)).toEqual([])
})

/** Every object below, but for the values of examples. */
function* objectsIn(value: unknown): Generator<Json> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield value
  for (const [key, one] of Object.entries(value))
    if (key !== 'example' && !(key === 'examples' && !Array.isArray(one))) yield* objectsIn(one)
}

test('it has no word that only 3.1 has', () => {
  const isSchema = (one: Json) => 'type' in one || 'properties' in one || 'enum' in one
  const wrong = [...objectsIn(older)].filter(
    (one) =>
      Array.isArray(one['type']) ||
      (one['type'] === 'null' && isSchema(one)) ||
      typeof one['exclusiveMinimum'] === 'number' ||
      (isSchema(one) &&
        ['const', 'examples', 'if', 'dependentRequired', 'patternProperties'].some((word) => word in one)) ||
      ('$ref' in one && Object.keys(one).length > 1),
  )
  expect(wrong.map((one) => JSON.stringify(one).slice(0, 200))).toEqual([])
})

test('it has the same operations, schemas and events', () => {
  const operations = ({ paths }: Json) =>
    Object.entries(paths as Json).flatMap(([path, item]) => Object.keys(item as Json).map((method) => [method, path]))
  expect(operations(older)).toEqual(operations(newest))
  expect(Object.keys(older['components'].schemas)).toEqual(Object.keys(newest['components'].schemas))
  expect(Object.keys(older['x-webhooks'])).toEqual(Object.keys(newest['webhooks']))
})

test('what may be null says so in its words', () => {
  const { Call, CallEndedEvent, CallEndedEventData, Task } = older['components'].schemas
  expect(Task.properties.dueAt).toMatchObject({ type: 'string', nullable: true, example: expect.any(String) })
  expect(CallEndedEventData.properties.draft).toMatchObject({
    allOf: [{ $ref: '#/components/schemas/DraftSnapshot' }],
    nullable: true,
  })
  expect(CallEndedEvent.properties.type).toMatchObject({ type: 'string', enum: ['call.ended'] })
  expect(Call.properties.handledBy.allOf).toEqual([{ $ref: '#/components/schemas/CallHandledBy' }])
})
