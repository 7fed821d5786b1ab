// `GET /schema`: what this key can reach, read straight from the registry. Also the quickest way to try a key.
import {
  annotationsOf,
  canonicalKinds,
  type Entity,
  entities,
  eventTypes,
  type Fields,
  fieldsOf,
  freeForm,
  isNullable,
  limits,
  takes,
  timeFields,
  typeOf,
  workTypeDefinitions,
} from '@parley/contract'
import { type Endpoint, endpoint } from '../../http/endpoint.js'
import { json } from '../../store/response.js'

/** `retentionDays` is the one limit that its operator sets. */
export const schemaEndpoints = (retentionDays: number): Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/schema',
    scope: 'any',
    operationId: 'getSchema',
    summary: 'What this key can reach',
    tag: 'Discovery',
    returns: { status: 200, schema: freeForm() },
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
        canonicalKinds: canonicalKinds.map((kind) => ({ kind, enabled: enabled.has(kind) })),
        limits: { ...limits, retentionDays },
      })
    },
  }),
]

const methodsOf = (entity: Entity): string[] =>
  [
    takes(entity, 'list') || takes(entity, 'get') ? 'GET' : undefined,
    takes(entity, 'create') ? 'POST' : undefined,
    takes(entity, 'patch') ? 'PATCH' : undefined,
    takes(entity, 'put') ? 'PUT' : undefined,
    takes(entity, 'delete') ? 'DELETE' : undefined,
  ].filter((method) => method !== undefined)

function describe(entity: Entity) {
  const methods = methodsOf(entity)
  return {
    slug: entity.slug,
    label: entity.label,
    writable: methods.length > 1,
    methods,
    scalarFields: scalarFields(fieldsOf(entity)),
    searchFields: entity.search,
    filterFields: [...Object.keys(entity.filters), ...entity.otherFilters],
    sortFields: timeFields(entity),
    rangeFields: timeFields(entity),
  }
}

function scalarFields(fields: Fields) {
  return Object.entries(fields)
    .filter(([, schema]) => !['object', 'array', undefined].includes(typeOf(schema)))
    .map(([name, schema]) => {
      const { readOnly = false, enum: values, format, 'x-required': required = false, 'x-references': references } = annotationsOf(schema)
      return {
        name,
        type: format ?? typeOf(schema),
        nullable: isNullable(schema),
        readOnly,
        required,
        ...(values && { enum: values.filter((value) => value !== null) }),
        ...(references && !references.startsWith('@') && { references }),
      }
    })
}

const described = entities.map(describe)
