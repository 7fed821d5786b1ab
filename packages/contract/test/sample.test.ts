import { Compile } from 'typebox/compile'
import { Format } from 'typebox/format'
import { expect, test } from 'vitest'
import {
  createBody,
  type EventType,
  eventBody,
  events,
  eventTypes,
  patchBody,
  recordSchema,
  sampleBody,
  sampleEvent,
  sampleEventData,
  sampleId,
  sampleOf,
  sampleRecord,
  storedEntities,
} from '../src/index.js'

Format.Set('phone', (value) => /^\+[1-9]\d{1,14}$/.test(value))

const problems = (schema: object, value: unknown) =>
  [...Compile(schema as never).Errors(value)].map((error) => `${error.instancePath} ${error.message}`)

test.each(storedEntities.map((entity) => [entity.slug, entity] as const))(
  'the samples of %s are valid',
  (_, entity) => {
    expect(problems(recordSchema(entity), sampleRecord(entity))).toEqual([])
    expect(problems(createBody(entity).schema, sampleBody(createBody(entity).schema, entity.name))).toEqual([])
    expect(problems(patchBody(entity).schema, sampleBody(patchBody(entity).schema, entity.name))).toEqual([])
  },
)

test.each(eventTypes)('the sample of %s is valid', (type: EventType) => {
  expect(problems(events[type].data, sampleEventData(type))).toEqual([])
  expect(problems(eventBody(events[type].data), sampleEvent(type))).toEqual([])
  expect(sampleEvent(type)['type']).toBe(type)
})

test('a sample is the same every time, and may be changed without changing the next', () => {
  const first = sampleEvent('call.ended')
  const text = JSON.stringify(first)
  ;(first['data'] as { facts: unknown[] }).facts.push('changed')
  expect(JSON.stringify(sampleEvent('call.ended'))).toBe(text)
})

test('ids of one record are the same wherever they stand in a sample', () => {
  const { workRecordId, draftId, draft, workRecord } = sampleEventData('draft.approved') as Record<string, never> & {
    draft: object
    workRecord: object
  }
  expect(workRecord).toMatchObject({ id: workRecordId })
  expect(draft).toMatchObject({ id: draftId, workRecordId, status: 'approved' })
  expect(sampleEventData('note.added')).toMatchObject({
    subjectType: 'work_record',
    subjectId: sampleId('work_record'),
  })
  expect(sampleId('person')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('what is known of the caller takes the place of the sample', () => {
  const organizationId = '0195d1f0-0000-7000-8000-000000000001'
  const data = sampleEventData('draft.approved', { organizationId }) as { draft: object; workRecord: object }
  expect(data.draft).toMatchObject({ organizationId })
  expect(data.workRecord).toMatchObject({ organizationId })
})

test('a sample respects bounds, lengths and patterns that its name knows nothing of', () => {
  const schema = {
    type: 'object',
    properties: {
      duration: { type: 'integer', minimum: 500, maximum: 900 },
      title: { type: 'string', maxLength: 4 },
      confidence: { type: 'integer', maximum: -3 },
      kind: { type: 'string', examples: ['of our own'] },
    },
  }
  expect(sampleOf(schema as never)).toEqual({ duration: 500, title: 'titl', confidence: -3, kind: 'of our own' })
})
