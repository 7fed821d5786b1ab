// The document of the platform API: whole, described, with examples that fit, and true to what is served.
import { beforeAll, expect, test } from 'vitest'
import { platformEndpoints } from '../../src/platform/index.js'
import { platformDocument } from '../../src/platform/openapi-endpoint.js'
import {
  bareBodies,
  brokenReferences,
  type Found,
  isField,
  namedSchemas,
  unexplained,
  unusedComponents,
  wrongExamples,
} from '../support/openapi-complaints.js'
import { dereferenced, type Json, operationsOf } from '../support/openapi-document.js'

let document: Json
beforeAll(async () => {
  document = await platformDocument(platformEndpoints, 'https://parley.test')
})

test('every endpoint is in it under its path, with the scope that it needs, and every operation has its own name', () => {
  const operations = operationsOf(document)
  expect(operations.map(({ where, operation }) => `${where} ${operation['operationId']}`).toSorted()).toEqual(
    platformEndpoints.map(({ method, path, operationId }) => `${method} ${path} ${operationId}`).toSorted(),
  )
  expect(new Set(operations.map(({ operation }) => operation['operationId'])).size).toBe(operations.length)
  for (const { method, path, platformScope } of platformEndpoints)
    expect(document['paths'][path][method.toLowerCase()].security).toEqual(
      platformScope ? [{ platformKey: [platformScope] }] : [],
    )
  expect(document['servers'].map(({ url }: Json) => url)).toEqual(['https://parley.test/platform/v1', '/platform/v1'])
  expect(Object.keys(document['components'].securitySchemes)).toEqual(['platformKey'])
})

test('every reference resolves, and no component stands there unused', () => {
  expect([...brokenReferences(document), ...unusedComponents(document)]).toEqual([])
})

test('every example fits its schema, and every body and answer has one', () => {
  expect([...wrongExamples(document), ...bareBodies(document)]).toEqual([])
})

test('every field and every parameter says what it means, in a sentence', () => {
  const fields = namedSchemas(document).filter(isField)
  expect(fields.length).toBeGreaterThan(100)
  const parameters = operationsOf(document).flatMap(({ where, operation }) =>
    ((operation['parameters'] ?? []) as Json[])
      .map((one) => dereferenced(document, one))
      .map((field): Found => ({ where: `${where} ${field['name']}`, field })),
  )
  expect(unexplained([...fields, ...parameters])).toEqual([])
})
