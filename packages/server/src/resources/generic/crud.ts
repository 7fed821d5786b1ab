// The six generic verbs of an entity as ordinary endpoints. A resource says which it takes and adds its own rules;
// nothing here names one.
import {
  createBody,
  type Rules as DocumentedRules,
  type Entity,
  patchBody,
  putBody,
  type Row,
  recordSchema,
  ruledBody,
  type Verb,
} from '@parley/contract'
import { type Endpoint, endpoint, type Input } from '../../http/endpoint.js'
import { conflict, notFound } from '../../store/api-error.js'
import type { Lookup } from '../../store/reader.js'
import { type Answer, etag } from '../../store/response.js'
import type { Work } from '../../store/work.js'
import { findByRefs, refLookups, removeRefs, writeRefs } from './external-ref-rows.js'
import { recordHistory } from './field-history.js'
import { listEndpoint } from './list.js'
import { changedFields, newRecord, patched, replaced, requireComplete } from './record-values.js'
import { requireReferences, requireUnique, uniqueLookups } from './reference-checks.js'
import { sealedAlongside } from './sealed-fields.js'

export interface Rules<E extends Entity> {
  /** What `complete` refuses, for the documents: of a body that is `whole`, or of one that changes part of a record. */
  documented?(kind: 'whole' | 'part'): DocumentedRules
  /** Completes what is about to be written, or refuses it. `before` is the record as it is, when there is one. */
  complete?(input: Input, record: Row<E>, before: Row<E> | undefined): Row<E> | Promise<Row<E>>
  /**
   * A live record that a creation should update instead of making a twin, besides those found by external reference.
   */
  existing?(input: Input): Promise<Row<E> | undefined>
  /** What these rules are going to look up for a body, besides its external references and what must be unique. */
  looksUp?(body: Readonly<Record<string, unknown>>): Lookup[][]
  /** What else becomes true with it: events, other records. `record` is undefined when it is deleted. */
  after?(written: Written<E>): void | Promise<void>
}

export interface Written<E extends Entity> {
  readonly work: Work
  readonly input: Input
  readonly record: Row<E> | undefined
  readonly before: Row<E> | undefined
}

/** The endpoints of an entity by verb: of those that it takes, and of no others. */
export type Crud<E extends Entity> = { readonly [V in E['verbs'][number]]: Endpoint }

export function crud<E extends Entity>(entity: E, rules: Rules<E> = {}): Crud<E> {
  const makers: Record<Verb, () => Endpoint> = {
    list: () => listEndpoint(entity),
    get: () => getEndpoint(entity),
    create: () => createEndpoint(entity, rules),
    patch: () => changeEndpoint(entity, rules, 'PATCH'),
    put: () => changeEndpoint(entity, rules, 'PUT'),
    delete: () => deleteEndpoint(entity, rules),
  }
  return Object.fromEntries(entity.verbs.map((verb) => [verb, makers[verb]()])) as Crud<E>
}

/** All of them as a list, in the order of the entity's verbs. */
export const endpointsOf = (byVerb: Readonly<Record<string, Endpoint>>): Endpoint[] => Object.values(byVerb)

const pascal = (slug: string): string => slug.replace(/(^|-)(\w)/g, (_, __, letter: string) => letter.toUpperCase())
const singular = (entity: Entity): string => pascal(entity.name.replaceAll('_', '-'))
const spoken = (entity: Entity): string => entity.name.replaceAll('_', ' ')

function getEndpoint(entity: Entity): Endpoint {
  return endpoint({
    method: 'GET',
    path: `/${entity.slug}/{id}`,
    scope: 'READ',
    operationId: `get${singular(entity)}`,
    summary: `Get one ${spoken(entity)}`,
    tag: entity.label,
    returns: { status: 200, schema: recordSchema(entity) },
    async handle({ read, params }) {
      const found = await read.stored(entity, params.id)
      if (found === undefined) throw notFound()
      return { status: 200, body: found.text, headers: { etag: etag(found.version) } }
    },
  })
}

function createEndpoint<E extends Entity>(entity: E, rules: Rules<E>): Endpoint {
  return endpoint({
    method: 'POST',
    path: `/${entity.slug}`,
    scope: entity.writeScope,
    operationId: `create${singular(entity)}`,
    summary: `Create a ${spoken(entity)}`,
    description: 'With `externalRefs` that belong to one live record, that record is updated instead.',
    tag: entity.label,
    body: ruledBody(createBody(entity), rules.documented?.('whole')),
    returns: { status: [201, 200], schema: recordSchema(entity) },
    looksUp: (body) => lookupsOf(entity, rules, body),
    async handle(input) {
      const { work } = input
      const existing = (await findByRefs(work, entity, input.body.externalRefs)) ?? (await rules.existing?.(input))
      if (existing) return changeRecord(entity, rules, input, existing, patched(entity, existing, input.body))
      return createRecord(entity, rules, input)
    },
  })
}

const lookupsOf = <E extends Entity>(entity: E, rules: Rules<E>, body: Record<string, unknown>): Lookup[][] => [
  ...refLookups(entity, Array.isArray(body['externalRefs']) ? body['externalRefs'] : []),
  ...uniqueLookups(entity, body),
  ...(rules.looksUp?.(body) ?? []),
]

/** Makes the record and all that belongs to it. */
export async function createRecord<E extends Entity>(
  entity: E,
  rules: Rules<E>,
  input: Input,
): Promise<Answer<Row<E>>> {
  const { work } = input
  const made = newRecord(entity, input, input.body)
  const record = (await rules.complete?.(input, made, undefined)) ?? made
  await requireValid(entity, input, record)
  work.insert(entity, record, sealedAlongside(entity, input))
  await writeOthers(entity, rules, input, record, undefined)
  return work.respond(201, record)
}

/** Brings a record to its next version, unless nothing would change. */
export async function changeRecord<E extends Entity>(
  entity: E,
  rules: Rules<E>,
  input: Input,
  before: Row<E>,
  wanted: Row<E>,
): Promise<Answer<Row<E>>> {
  const { work } = input
  requireMatch(input, before)
  const completed = (await rules.complete?.(input, wanted, before)) ?? wanted
  const isSealing = entity.sealed !== undefined && input.body[entity.sealed] !== undefined
  if (!isSealing && changedFields(entity, before, completed).length === 0) return work.respond(200, before)
  await requireValid(entity, input, completed)
  const record = work.update(entity, completed, sealedAlongside(entity, input))
  await writeOthers(entity, rules, input, record, before)
  return work.respond(200, record)
}

async function requireValid<E extends Entity>(entity: E, { work, body }: Input, record: Row<E>): Promise<void> {
  requireComplete(entity, record)
  await requireReferences(work, entity, body, record)
  await requireUnique(work, entity, record)
}

/** What is written with every record: its references, its history, and what its own rules add. */
async function writeOthers<E extends Entity>(
  entity: E,
  rules: Rules<E>,
  input: Input,
  record: Row<E>,
  before: Row<E> | undefined,
): Promise<void> {
  const { work } = input
  await writeRefs(work, entity, before, record)
  recordHistory(work, entity, before, record)
  await rules.after?.({ work, input, record, before })
}

function changeEndpoint<E extends Entity>(entity: E, rules: Rules<E>, method: 'PATCH' | 'PUT'): Endpoint {
  const isPatch = method === 'PATCH'
  return endpoint({
    method,
    path: `/${entity.slug}/{id}`,
    scope: entity.writeScope,
    operationId: `${isPatch ? 'update' : 'replace'}${singular(entity)}`,
    summary: `${isPatch ? 'Update' : 'Replace'} a ${spoken(entity)}`,
    tag: entity.label,
    body: ruledBody(isPatch ? patchBody(entity) : putBody(entity), rules.documented?.(isPatch ? 'part' : 'whole')),
    returns: { status: 200, schema: recordSchema(entity) },
    async handle(input) {
      const { work } = input
      const before = await work.get(entity, input.params.id)
      if (before === undefined) throw notFound()
      const wanted = isPatch ? patched(entity, before, input.body) : replaced(entity, before, input.body)
      return changeRecord(entity, rules, input, before, wanted)
    },
  })
}

function deleteEndpoint<E extends Entity>(entity: E, rules: Rules<E>): Endpoint {
  return endpoint({
    method: 'DELETE',
    path: `/${entity.slug}/{id}`,
    scope: entity.writeScope,
    operationId: `delete${singular(entity)}`,
    summary: `Delete a ${spoken(entity)}`,
    tag: entity.label,
    returns: { status: 204, schema: null },
    async handle(input) {
      const { work } = input
      const before = await work.get(entity, input.params.id)
      if (before === undefined) throw notFound()
      requireMatch(input, before)
      work.remove(entity, before)
      await removeRefs(work, entity, before)
      recordHistory(work, entity, before, undefined)
      await rules.after?.({ work, input, record: undefined, before })
      return work.respond(204)
    },
  })
}

/** `If-Match` names the version that the caller has seen. */
export function requireMatch({ ifMatch }: Pick<Input, 'ifMatch'>, record: { version: number }): void {
  if (ifMatch && !ifMatch.includes(record.version)) {
    throw conflict('version', `The record is at version ${record.version}; read it again`, { version: record.version })
  }
}
