// What the compiler knows at the edges: handlers by their schemas, verbs by their entity, events by their type. `tsc`
// checks it; the tests run it too.
import {
  bodyWith,
  facts,
  integer,
  line,
  notes,
  nullable,
  optional,
  recordSchema,
  tasks,
  text,
  uuid,
} from '@parley/contract'
import { expect, expectTypeOf, test } from 'vitest'
import { endpoint } from '../../src/http/endpoint.js'
import { crud, endpointsOf } from '../../src/resources/generic/crud.js'
import { newRecord } from '../../src/resources/generic/record-values.js'
import { Change } from '../../src/store/change.js'

const nothing = { status: 204, body: null }
const plain = {
  method: 'POST',
  scope: 'READ',
  operationId: 'x',
  summary: '',
  tag: '',
  returns: { status: 204, schema: null },
} as const

test('a handler knows body, query and parameters', () => {
  const made = endpoint({
    ...plain,
    path: '/tasks/{id}/notes/{noteId}',
    query: { limit: { schema: integer() }, q: { schema: line(), required: true } },
    body: bodyWith({ title: text(), personId: optional(nullable(uuid('person'))) }),
    async handle({ body, query, params }) {
      expectTypeOf(body.title).toEqualTypeOf<string>()
      expectTypeOf(body.personId).toEqualTypeOf<string | null | undefined>()
      expectTypeOf(query.limit).toEqualTypeOf<number | undefined>()
      expectTypeOf(query.q).toEqualTypeOf<string>()
      expectTypeOf(params).toEqualTypeOf<{ readonly id: string; readonly noteId: string }>()
      // @ts-expect-error the body has no such field
      void body.tittle
      // @ts-expect-error the path has no such parameter
      void params.taskId
      return nothing
    },
  })
  expect(made.path).toBe('/tasks/{id}/notes/{noteId}')
})

test('an entity has the verbs that it takes, in their order', () => {
  const verbs = crud(facts)
  expectTypeOf(verbs).toHaveProperty('create')
  expectTypeOf(verbs).not.toHaveProperty('delete')
  expect(Object.keys(verbs)).toEqual(['list', 'get', 'create'])
  expect(endpointsOf(crud(tasks)).map(({ method }) => method)).toEqual(['GET', 'GET', 'POST', 'PATCH', 'PUT', 'DELETE'])
})

test('an event takes the data of its type', () => {
  const change = new Change()
  change.publish('webhook.disabled', { subscriptionId: 'a', name: 'b', url: 'c', reason: 'gone', disabledAt: 'd' })
  // @ts-expect-error the reason is none of those that the contract knows
  change.publish('webhook.disabled', { subscriptionId: 'a', name: 'b', url: 'c', reason: 'tired', disabledAt: 'd' })
  // @ts-expect-error data of another event
  change.publish('task.created', { noteId: 'a' })
  expect(change.publications.map(({ type }) => type)).toEqual(['webhook.disabled', 'webhook.disabled', 'task.created'])
})

test('a handler answers what its endpoint returns, and only writes are given work', () => {
  const returns = { status: 200, schema: recordSchema(tasks) }
  endpoint({ ...plain, path: '/x', returns, handle: async ({ work }) => work.respond(200, newRecord(tasks, work, {})) })
  // @ts-expect-error a note is no task
  endpoint({ ...plain, path: '/x', returns, handle: async ({ work }) => work.respond(200, newRecord(notes, work, {})) })
  endpoint({
    ...plain,
    method: 'GET',
    path: '/x',
    async handle(input) {
      expectTypeOf(input).toHaveProperty('read')
      expectTypeOf(input).not.toHaveProperty('work')
      return nothing
    },
  })
})
