// What an agent may read beforehand: what its key can reach, and the fields of each entity.
import { isObject } from '@parley/contract'
import type { Ask } from './api-request.js'
import { describeEntity } from './describe-entity.js'
import { RpcError, rpcCodes } from './message.js'
import type { Reach } from './reach.js'

const SCHEMA = 'parley://schema'
const JSON_TYPE = 'application/json'

export const listedResources = [
  {
    uri: SCHEMA,
    name: 'schema',
    title: 'What this key can reach',
    description: 'Organization, scope, entities with their fields, kinds of work, and limits: as GET /schema.',
    mimeType: JSON_TYPE,
  },
]

export const listedTemplates = [
  {
    uriTemplate: `${SCHEMA}/{entity}`,
    name: 'entity',
    title: 'Fields and filters of an entity',
    description: 'Such as parley://schema/people.',
    mimeType: JSON_TYPE,
  },
]

export async function readResource(uri: unknown, reach: Reach, ask: Ask) {
  const slug = typeof uri === 'string' && uri.startsWith(`${SCHEMA}/`) ? uri.slice(SCHEMA.length + 1) : undefined
  const value = uri === SCHEMA ? await schemaOf(reach, ask) : reach.found.some((one) => one.slug === slug) && slug
  if (!value) throw new RpcError(rpcCodes.params, `No such resource: read ${SCHEMA}, or ${SCHEMA}/{entity}`)
  const text = JSON.stringify(typeof value === 'string' ? describeEntity(reach, value) : value)
  return { contents: [{ uri, mimeType: JSON_TYPE, text }] }
}

/** Without the providers, which are about connections. */
async function schemaOf({ endpoint, found }: Reach, ask: Ask): Promise<Record<string, unknown>> {
  const schema = endpoint('GET', '/schema')
  const answer = schema && (await ask({ endpoint: schema }))
  if (answer?.status !== 200 || !isObject(answer.body))
    throw new RpcError(rpcCodes.refused, 'The schema cannot be read now')
  const { providers: _, entities, ...rest } = answer.body
  const isReached = (one: unknown) => isObject(one) && found.some(({ slug }) => slug === one['slug'])
  return { ...rest, entities: Array.isArray(entities) ? entities.filter(isReached) : [] }
}
