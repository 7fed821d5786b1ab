// What an agent has to know of an entity before it lists or writes its records, from the shapes of its endpoints.
import type { Endpoint } from '../http/endpoint.js'
import { plainSchema } from './plain-schema.js'
import type { Reach } from './reach.js'

/** Arguments of `find` by themselves. */
const ownArguments = new Set(['q', 'sort', 'limit', 'cursor'])

export function describeEntity(reach: Reach, slug: string): Record<string, unknown> {
  const entity = reach.found.find((one) => one.slug === slug)
  const { query = {} } = reach.endpoint('GET', `/${slug}`) ?? {}
  const filters = Object.entries(query).filter(([name]) => !ownArguments.has(name))
  const writable = (method: 'POST' | 'PATCH', path: string, list: readonly string[]) =>
    list.includes(slug) ? shapeOf(reach.endpoint(method, path)) : undefined
  const [create, update] = [
    writable('POST', `/${slug}`, reach.created),
    writable('PATCH', `/${slug}/{id}`, reach.updated),
  ]
  return {
    entity: slug,
    about: entity?.description,
    sort: query['sort'] && plainSchema(query['sort'].schema)['enum'],
    filters: Object.fromEntries(
      filters.map(([name, { schema, description }]) => [name, { ...plainSchema(schema), description }]),
    ),
    ...(create && { create }),
    ...(update && { update }),
  }
}

const shapeOf = (endpoint: Endpoint | undefined) => endpoint?.body && plainSchema(endpoint.body.schema)
