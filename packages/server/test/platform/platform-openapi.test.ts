// The document of the platform API: whole, described, with examples that fit, and true to what is served.
import { beforeAll, expect, test } from 'vitest'
import { platformEndpoints } from '../../src/platform/index.js'
import { platformDocument } from '../../src/platform/openapi-endpoint.js'
import {
  dereferenced,
  examplesIn,
  type Json,
  operationsOf,
  problemsOf,
  referencesIn,
  resolve,
} from '../support/openapi-document.js'

let document: Json
beforeAll(async () => {
  document = await platformDocument(platformEndpoints, 'https://parley.test')
})

const said = (text: unknown): boolean => typeof text === 'string' && /^[A-Z`-].{4,}[.?!]$/s.test(text)

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
  const references = [...referencesIn(document)]
  expect(references.filter((reference) => resolve(document, reference) === undefined)).toEqual([])
  const { securitySchemes: _, ...components } = document['components'] as Json
  const all = Object.entries(components).flatMap(([kind, named]) =>
    Object.keys(named as Json).map((name) => `#/components/${kind}/${name}`),
  )
  expect(all.filter((component) => !references.includes(component))).toEqual([])
})

test('every example fits its schema, and every body and answer has one', () => {
  const wrong = examplesIn(document).flatMap(({ where, schema, value }) =>
    problemsOf(document, schema, value).map((problem) => `${where}: ${problem}`),
  )
  expect(wrong).toEqual([])
  const bare = operationsOf(document).flatMap(({ where, operation }) =>
    [operation['requestBody'], ...Object.values(operation['responses'] as Json)]
      .map((one) => one && dereferenced(document, one)['content']?.['application/json'])
      .filter((media) => media && !media.example && !media.examples)
      .map(() => where),
  )
  expect(bare).toEqual([])
})

test('every field and every parameter says what it means, in a sentence', () => {
  const fieldsOf = (schema: Json, where: string): [string, Json][] => [
    ...Object.entries((schema['properties'] ?? {}) as Json).flatMap(([name, one]): [string, Json][] => [
      [`${where}.${name}`, one],
      ...fieldsOf(one, `${where}.${name}`),
    ]),
    ...(schema['items'] ? fieldsOf(schema['items'], `${where}[]`) : []),
  ]
  const fields = Object.entries(document['components'].schemas as Json).flatMap(([name, one]) => fieldsOf(one, name))
  expect(fields.length).toBeGreaterThan(100)
  expect(fields.filter(([, one]) => !said(one['description'])).map(([where]) => where)).toEqual([])
  const parameters = operationsOf(document).flatMap(({ where, operation }) =>
    ((operation['parameters'] ?? []) as Json[]).map((one) => [where, dereferenced(document, one)] as const),
  )
  const silent = parameters.filter(([, one]) => !said(one['description']))
  expect(silent.map(([where, { name }]) => `${where} ${name}`)).toEqual([])
})
