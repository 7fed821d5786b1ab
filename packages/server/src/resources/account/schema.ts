// `GET /schema`: what this key can reach, read straight from the registry. Also the quickest way to try a key.
import {
  annotationsOf,
  canonicalKinds,
  type Entity,
  entities,
  eventTypes,
  type Fields,
  fieldsOf,
  isNullable,
  limits,
  type SchemaEntity,
  type SchemaField,
  type SchemaProvider,
  schemaDocument,
  standardEventTypes,
  takes,
  timeFields,
  typeOf,
  workTypeDefinitions,
} from '@parley/contract'
import { type Endpoint, endpoint } from '../../http/endpoint.js'
import { providers } from '../../providers/table.js'
import { json } from '../../store/response.js'

/** The limits that the operator sets. */
export interface OperatorLimits {
  readonly retentionDays: number
  readonly batchItems: { readonly sustained: number; readonly burst: number }
}

export const schemaEndpoints = ({ retentionDays, batchItems }: OperatorLimits): Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/schema',
    scope: 'any',
    operationId: 'getSchema',
    summary: 'What this key can reach',
    tag: 'Discovery',
    returns: { status: 200, schema: schemaDocument },
    async handle({ caller, read }) {
      const { actor, scope, environment, organizationId, organizationName } = caller
      const definitions = await read.find(workTypeDefinitions, { enabled: true })
      const enabled = new Set(definitions.map(({ canonicalKind }) => canonicalKind))
      return json(200, {
        organization: { id: organizationId, name: organizationName, environment },
        key: { id: actor.id, scope, environment },
        apiVersion: 'v1',
        entities: described,
        eventTypes,
        standardEventTypes,
        canonicalKinds: canonicalKinds.map((kind) => ({ kind, enabled: enabled.has(kind) })),
        providers: knownProviders,
        limits: {
          ...limits,
          retentionDays,
          batchItemsPerSecond: batchItems.sustained,
          batchItemsBurst: batchItems.burst,
        },
      })
    },
  }),
]

const methodsOf = (entity: Entity): SchemaEntity['methods'] =>
  [
    takes(entity, 'list') || takes(entity, 'get') ? ('GET' as const) : undefined,
    takes(entity, 'create') ? ('POST' as const) : undefined,
    takes(entity, 'patch') ? ('PATCH' as const) : undefined,
    takes(entity, 'put') ? ('PUT' as const) : undefined,
    takes(entity, 'delete') ? ('DELETE' as const) : undefined,
  ].filter((method) => method !== undefined)

function describe(entity: Entity): SchemaEntity {
  const methods = methodsOf(entity)
  return {
    slug: entity.slug,
    label: entity.label,
    writable: methods.length > 1,
    methods,
    scalarFields: scalarFields(fieldsOf(entity)),
    searchFields: [...entity.search],
    filterFields: [...Object.keys(entity.filters), ...entity.otherFilters],
    sortFields: timeFields(entity),
    rangeFields: timeFields(entity),
    batch: entity.batch,
  }
}

function scalarFields(fields: Fields): SchemaField[] {
  return Object.entries(fields)
    .filter(([, schema]) => !['object', 'array', undefined].includes(typeOf(schema)))
    .map(([name, schema]) => {
      const {
        readOnly = false,
        enum: values,
        format,
        'x-required': required = false,
        'x-references': references,
      } = annotationsOf(schema)
      return {
        name,
        type: format ?? typeOf(schema) ?? 'any',
        nullable: isNullable(schema),
        readOnly,
        required,
        ...(values && { enum: values.filter((value) => typeof value === 'string') }),
        ...(references && !references.startsWith('@') && { references }),
      }
    })
}

const knownProviders: SchemaProvider[] = Object.entries(providers).map(([provider, known]) => ({
  provider,
  label: known.label,
  connectionKind: known.connectionKind,
  inboundKinds: Object.keys(known.inbound),
  config: { ...known.config },
  credentials: { ...known.credentials },
}))

const described = entities.map(describe)
