// Reads an OpenAPI document as tests need it: its operations, its references, and every example with the schema it must
// fit.
import Schema from 'typebox/schema'
import '../../src/http/wire-formats.js'

export type Json = Record<string, any>

export interface Operation {
  readonly where: string
  readonly method: string
  readonly path: string
  readonly operation: Json
}

export const operationsOf = (document: Json): Operation[] => listOperations(document['paths'])
export const webhooksIn = (document: Json): Operation[] => listOperations(document['webhooks'])

function listOperations(items: Json): Operation[] {
  return Object.entries(items).flatMap(([path, item]) =>
    Object.entries(item as Json).map(([method, operation]) => ({
      where: `${method.toUpperCase()} ${path}`,
      method,
      path,
      operation: operation as Json,
    })),
  )
}

/** Every `$ref` in the document, once. */
export function referencesIn(value: unknown, found: Set<string> = new Set()): Set<string> {
  if (typeof value !== 'object' || value === null) return found
  for (const [key, one] of Object.entries(value)) {
    if (key === '$ref' && typeof one === 'string') found.add(one)
    else referencesIn(one, found)
  }
  return found
}

export function resolve(document: Json, reference: string): any {
  if (!reference.startsWith('#/')) return undefined
  const parts = reference.slice(2).split('/')
  return parts.reduce<any>((value, part) => value?.[part.replaceAll('~1', '/').replaceAll('~0', '~')], document)
}

/** The thing itself, where a reference may stand for it. */
export const dereferenced = (document: Json, value: Json): Json =>
  typeof value['$ref'] === 'string' ? resolve(document, value['$ref']) : value

/** What is wrong with a value, by a schema of the document; empty when nothing is. */
export function problemsOf(document: Json, schema: Json, value: unknown): string[] {
  const whole = { ...schema, components: { schemas: document['components'].schemas } }
  if (Schema.Check(whole, value)) return []
  const [, errors] = Schema.Errors(whole, value)
  return errors.map(({ instancePath, message }) => `${instancePath} ${message}`)
}

export interface Example {
  readonly where: string
  readonly schema: Json
  readonly value: unknown
}

/** The examples of parameters, bodies, answers, headers and webhooks. */
export function examplesIn(document: Json): Example[] {
  const { parameters, responses, headers } = document['components'] as Json
  const shared = [
    ...Object.entries(parameters as Json).flatMap(([name, one]) => exampleOf(document, `parameter ${name}`, one)),
    ...Object.entries(headers as Json).flatMap(([name, one]) => exampleOf(document, `header ${name}`, one)),
    ...Object.entries(responses as Json).flatMap(([name, one]) => contentExamples(document, `response ${name}`, one)),
  ]
  const own = [...operationsOf(document), ...webhooksIn(document)].flatMap(({ where, operation }) => [
    ...((operation['parameters'] ?? []) as Json[])
      .filter(({ $ref }) => !$ref)
      .flatMap((one) => exampleOf(document, `${where} ${one['name']}`, one)),
    ...contentExamples(document, `${where} body`, operation['requestBody'] ?? {}),
    ...Object.entries(operation['responses'] as Json)
      .filter(([, one]) => !one.$ref)
      .flatMap(([status, one]) => contentExamples(document, `${where} ${status}`, one)),
  ])
  return [...shared, ...own]
}

function contentExamples(document: Json, where: string, { content = {} }: Json): Example[] {
  return Object.entries(content as Json).flatMap(([type, media]) => exampleOf(document, `${where} ${type}`, media))
}

function exampleOf(document: Json, where: string, { schema, example, examples = {} }: Json): Example[] {
  const named = Object.entries(examples as Json).map(([name, one]) => ({
    where: `${where} ${name}`,
    schema,
    value: dereferenced(document, one)['value'],
  }))
  return example === undefined ? named : [...named, { where, schema, value: example }]
}
