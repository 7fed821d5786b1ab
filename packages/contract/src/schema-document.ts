// The answer of `GET /schema`: what a key can reach.
import type { Static } from 'typebox'
import { canonicalKind } from './entities/work.js'
import { eventType } from './events.js'
import {
  described,
  flag,
  freeForm,
  integer,
  line,
  list,
  named,
  object,
  oneOf,
  optional,
  text,
  uuid,
  word,
} from './field.js'
import { limits } from './limits.js'
import { environments, scopes } from './scopes.js'

/** As many as there will ever be in one list. */
const MANY = 500

export const schemaField = named(
  'SchemaField',
  object(
    {
      name: text(),
      type: word(),
      nullable: flag(),
      readOnly: flag(),
      required: flag(),
      enum: optional(list(line(), MANY)),
      references: optional(word()),
    },
    {
      name: 'Its key in the record.',
      type: 'What it holds, such as `string`, `uuid`, `datetime` or `object`.',
      nullable: 'Whether it may be null.',
      readOnly: 'Whether Parley sets it.',
      required: 'Whether a creation must say it.',
      enum: 'The values that it may have.',
      references: 'The kind of record that it names.',
    },
  ),
)
export type SchemaField = Static<typeof schemaField>

export const schemaEntity = named(
  'SchemaEntity',
  object(
    {
      slug: word(),
      label: text(),
      writable: flag(),
      methods: list(oneOf(['GET', 'POST', 'PATCH', 'PUT', 'DELETE'])),
      scalarFields: list(schemaField, MANY),
      searchFields: list(word(), MANY),
      filterFields: list(word(), MANY),
      sortFields: list(word(), MANY),
      rangeFields: list(word(), MANY),
      batch: flag(),
    },
    {
      slug: 'Its place in paths: `/{slug}`.',
      label: 'What people call it.',
      writable: 'Whether your key may change it.',
      methods: 'What its paths take.',
      scalarFields: 'Its fields.',
      searchFields: 'The fields that `q` looks at.',
      filterFields: 'The query parameters that narrow its list.',
      sortFields: 'What `sort` takes, also with `-` in front.',
      batch: 'Whether `/{slug}/batch` and imports take it.',
      rangeFields: 'What `<field>From` and `<field>Before` are there for.',
    },
  ),
)
export type SchemaEntity = Static<typeof schemaEntity>

/** What the operator sets: how long events are kept, and how many items of batches a tenant may send. */
const operatorLimits = ['retentionDays', 'batchItemsPerSecond', 'batchItemsBurst']

/** Every limit of the service. */
const limitFields = Object.fromEntries(
  [...Object.keys(limits), ...operatorLimits].map((name) => [
    name,
    described(integer({ minimum: 0 }), limitMeaning(name)),
  ]),
)

/** `smsLength` is spoken as it is written: the page of limits says more. */
function limitMeaning(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
}

/** Another system that a connection can be made to, with what its config and credentials must hold. */
const schemaProvider = named(
  'SchemaProvider',
  object(
    {
      provider: word(),
      label: text(),
      connectionKind: word(),
      inboundKinds: list(word(), MANY),
      config: freeForm(),
      credentials: freeForm(),
    },
    {
      provider: 'The `provider` of its connections.',
      label: 'What people call it.',
      connectionKind: 'The `kind` of its connections.',
      inboundKinds: 'What it sends, each to the address of that name in `inboundUrls`.',
      config: 'JSON Schema of `config`.',
      credentials: 'JSON Schema of `credentials`.',
    },
  ),
)
export type SchemaProvider = Static<typeof schemaProvider>

export const schemaDocument = named(
  'SchemaRegistry',
  object(
    {
      organization: object(
        { id: uuid(), name: text(), environment: oneOf(environments) },
        {
          id: 'The same in both environments.',
          name: 'What it is called.',
          environment: 'The environment of the key.',
        },
      ),
      key: object(
        { id: uuid(), scope: oneOf(scopes), environment: oneOf(environments) },
        {
          id: 'The key or user that asks.',
          scope: 'What it may do; each scope includes the ones before it.',
          environment: 'The environment that it reaches.',
        },
      ),
      apiVersion: word(),
      entities: list(schemaEntity, MANY),
      eventTypes: list(eventType(), MANY),
      standardEventTypes: list(eventType(), MANY),
      canonicalKinds: list(
        object(
          { kind: canonicalKind(), enabled: flag() },
          {
            kind: 'A kind of work.',
            enabled: 'Whether your organization does such work.',
          },
        ),
        MANY,
      ),
      providers: list(schemaProvider, MANY),
      limits: object(limitFields),
    },
    {
      organization: 'Whose records the key reaches.',
      key: 'The key that asks.',
      apiVersion: 'The version in the path.',
      entities: 'Everything that is reachable as `/{entity}`.',
      eventTypes: 'Every type of event that there is.',
      standardEventTypes: 'Those that a subscription gets that names none.',
      canonicalKinds: 'The kinds of work, and which are enabled.',
      providers: 'The systems that a connection can be made to.',
      limits: 'The sizes and counts that a caller can run into.',
    },
  ),
)
