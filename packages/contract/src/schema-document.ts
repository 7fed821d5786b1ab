// The answer of `GET /schema`: what a key can reach.
import type { Static } from 'typebox'
import { canonicalKinds } from './entities/work.js'
import { eventTypes } from './events.js'
import { described, flag, freeForm, integer, line, list, object, oneOf, optional, text, uuid, word } from './field.js'
import { limits } from './limits.js'
import { environments, scopes } from './scopes.js'

/** As many as there will ever be in one list. */
const MANY = 500

export const schemaField = object({
  name: text(),
  type: word(),
  nullable: flag(),
  readOnly: flag(),
  required: flag(),
  enum: optional(list(line(), MANY)),
  references: optional(word()),
})
export type SchemaField = Static<typeof schemaField>

export const schemaEntity = object({
  slug: word(),
  label: text(),
  writable: flag(),
  methods: list(oneOf(['GET', 'POST', 'PATCH', 'PUT', 'DELETE'])),
  scalarFields: list(schemaField, MANY),
  searchFields: list(word(), MANY),
  filterFields: list(word(), MANY),
  sortFields: described(list(word(), MANY), 'What `sort` takes, also with `-` in front.'),
  rangeFields: described(list(word(), MANY), 'What `<field>From` and `<field>Before` are there for.'),
})
export type SchemaEntity = Static<typeof schemaEntity>

/** Every limit of the service, and for how many days it keeps events, which its operator sets. */
const limitFields = Object.fromEntries(
  [...Object.keys(limits), 'retentionDays'].map((name) => [name, integer({ minimum: 0 })]),
)

/** Another system that a connection can be made to, with what its config and credentials must hold. */
const schemaProvider = object({
  provider: word(),
  label: text(),
  connectionKind: described(word(), 'The `kind` of its connections.'),
  inboundKinds: described(list(word(), MANY), 'What it sends, each to the address of that name in `inboundUrls`.'),
  config: described(freeForm(), 'JSON Schema of `config`.'),
  credentials: described(freeForm(), 'JSON Schema of `credentials`.'),
})
export type SchemaProvider = Static<typeof schemaProvider>

export const schemaDocument = object({
  organization: object({ id: uuid(), name: text(), environment: oneOf(environments) }),
  key: object({ id: uuid(), scope: oneOf(scopes), environment: oneOf(environments) }),
  apiVersion: word(),
  entities: list(schemaEntity, MANY),
  eventTypes: list(oneOf(eventTypes), MANY),
  canonicalKinds: list(object({ kind: oneOf(canonicalKinds), enabled: flag() }), MANY),
  providers: list(schemaProvider, MANY),
  limits: object(limitFields),
})
