// Work-type definitions: which kinds of work an organization does, how they begin, and which fields they have.
import { type CanonicalKind, type Row, workTypeDefinitions } from '@parley/contract'
import type { Endpoint } from '../../http/endpoint.js'
import { badRequest, badRequests } from '../../store/api-error.js'
import { finding, type Reader } from '../../store/reader.js'
import { crud, endpointsOf } from '../generic/crud.js'
import { fieldSchemaIssues } from './work-field-schema.js'

export type WorkTypeDefinition = Row<typeof workTypeDefinitions>

export const workTypeEndpoints: Endpoint[] = endpointsOf(
  crud(workTypeDefinitions, {
    complete({ body }, definition) {
      if (body['fieldSchema']) {
        const issues = fieldSchemaIssues(body['fieldSchema'], 'fieldSchema')
        if (issues.length > 0) throw badRequests(issues)
      }
      return { ...definition, label: definition.label ?? titleOf(definition.canonicalKind) }
    },
  }),
)

/** `repair_order` → `Repair order`. */
export const titleOf = (kind: string): string => kind.charAt(0).toUpperCase() + kind.slice(1).replaceAll('_', ' ')

export async function definitionOf(
  read: Reader,
  canonicalKind: CanonicalKind,
): Promise<WorkTypeDefinition | undefined> {
  const [[definition]] = await read.lookUp(kindLookup(canonicalKind))
  return definition
}

/** What `definitionOf` looks up. */
export const kindLookup = (canonicalKind: CanonicalKind) => finding(workTypeDefinitions, { canonicalKind }, 1)

/** New work is only of the kinds that the organization does. */
export async function requireEnabledKind(read: Reader, canonicalKind: CanonicalKind): Promise<WorkTypeDefinition> {
  const definition = await definitionOf(read, canonicalKind)
  if (definition?.enabled !== true) {
    throw badRequest(
      'canonicalKind',
      `${canonicalKind} is not enabled for this organization; see canonicalKinds of GET /schema`,
      'kind_not_enabled',
    )
  }
  return definition
}
