// What an OpenAPI document leaves to be desired, as lists that should be empty: of both documents that are served.
import {
  dereferenced,
  examplesIn,
  type Json,
  operationsOf,
  problemsOf,
  referencesIn,
  resolve,
  webhooksIn,
} from './openapi-document.js'

export const brokenReferences = (document: Json): string[] =>
  [...referencesIn(document)].filter((reference) => resolve(document, reference) === undefined)

export function unusedComponents(document: Json): string[] {
  const references = referencesIn(document)
  const { securitySchemes: _, ...components } = document['components'] as Json
  return Object.entries(components)
    .flatMap(([kind, named]) => Object.keys(named as Json).map((name) => `#/components/${kind}/${name}`))
    .filter((component) => !references.has(component))
}

export const wrongExamples = (document: Json): string[] =>
  examplesIn(document).flatMap(({ where, schema, value }) =>
    problemsOf(document, schema, value).map((problem) => `${where}: ${problem}`),
  )

/** Where a JSON body or a JSON answer has no example. */
export const bareBodies = (document: Json): string[] =>
  [...operationsOf(document), ...webhooksIn(document)].flatMap(({ where, operation }) =>
    [operation['requestBody'], ...Object.values(operation['responses'] as Json)]
      .map((one) => one && dereferenced(document, one)['content']?.['application/json'])
      .filter((media) => media && !media.example && !media.examples)
      .map(() => where),
  )

export interface Found {
  readonly where: string
  readonly field: Json
}

/** A schema with the ones within it. */
export function* schemasIn(schema: Json, where: string): Generator<Found> {
  yield { where, field: schema }
  for (const [name, one] of Object.entries((schema['properties'] ?? {}) as Json))
    yield* schemasIn(one, `${where}.${name}`)
  if (schema['items']) yield* schemasIn(schema['items'], `${where}[]`)
  for (const word of ['anyOf', 'oneOf', 'allOf'])
    for (const one of (schema[word] ?? []) as Json[]) yield* schemasIn(one, `${where} ${word}`)
}

/** Every schema that has a name, with the ones within it. */
export const namedSchemas = (document: Json): Found[] =>
  Object.entries(document['components'].schemas as Json).flatMap(([name, one]) => [...schemasIn(one, name)])

/** Whether it is a field of an object. */
export const isField = ({ where }: Found): boolean => /\.[\w-]+$/.test(where)

/** Whether a description is a sentence. */
export const said = (text: unknown): boolean => typeof text === 'string' && /^[A-Z`-].{4,}[.?!]$/s.test(text)

/** Those whose description is no sentence. */
export const unexplained = (found: readonly Found[]): string[] =>
  found.filter(({ field }) => !said(field['description'])).map(({ where }) => where)
