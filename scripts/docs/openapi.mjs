// The OpenAPI document as the documentation site needs it: operations under their tags with everything resolved, and for
// each named schema the one place where it is described.
import { readFileSync } from 'node:fs'

export const slugOf = (tag) =>
  tag
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
const last = (ref) => ref.split('/').at(-1)
const isError = (status) => Number(status) >= 400

/** Where schemas are described that no single tag owns. */
export const SHARED_PAGE = 'api/shared'

export function readReference(file) {
  const document = JSON.parse(readFileSync(file, 'utf8'))
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => resolved(document, path, method, operation)),
  )
  const events = Object.entries(document.webhooks).map(([type, { post }]) => ({
    type,
    schema: last(bodyOf(post).schema.$ref),
  }))
  const { schemas } = document.components
  return {
    ...document,
    operations,
    schemas,
    homes: homesOf(schemas, operations, events),
    tags: tagsOf(document, operations),
  }
}

const tagsOf = ({ tags }, operations) =>
  tags
    .map(({ name, description }) => ({
      name,
      page: `api/${slugOf(name)}`,
      operations: operations.filter(({ tag }) => tag === name),
      // A tag that is no entity's is described by all its summaries in a row, which the page shows anyway.
      description: operations.some((one) => one.tag === name && description.startsWith(`${one.summary}.`))
        ? ''
        : description,
    }))
    .filter((tag) => tag.operations.length > 0)

function resolved({ components }, path, method, operation) {
  const { operationId, summary, description = '', tags, security = [{ apiKey: [] }] } = operation
  const find = (kind, value) => (value.$ref ? components[kind][last(value.$ref)] : value)
  const answers = Object.entries(operation.responses).map(([status, response]) => {
    const { description: about, content } = find('responses', response)
    const [type, { schema, example, examples = {} } = {}] = Object.entries(content ?? {})[0] ?? []
    const shown = Object.values(examples).map((one) => find('examples', one).value)
    const codes = isError(status) ? Object.keys(examples) : []
    return { status, about, type, schema, example: example ?? shown[0], codes }
  })
  return {
    id: operationId,
    method: method.toUpperCase(),
    path,
    summary,
    description,
    tag: tags[0],
    page: `api/${slugOf(tags[0])}`,
    parameters: (operation.parameters ?? []).map((one) => ({
      ...find('parameters', one),
      shared: one.$ref ? last(one.$ref) : undefined,
    })),
    body: operation.requestBody && { ...bodyOf(operation), about: operation.requestBody.description ?? '' },
    answers: answers.filter(({ status }) => !isError(status)),
    errors: answers.filter(({ status }) => isError(status)),
    takes: { key: security.some((one) => one.apiKey), session: security.some((one) => one.session) },
  }
}

function bodyOf({ requestBody }) {
  const [type, { schema = {}, example, examples = {} }] = Object.entries(requestBody.content)[0]
  return { type, schema, example: example ?? Object.values(examples)[0]?.value }
}

/** The names that a schema mentions, itself aside. */
function mentions(schema) {
  if (schema === null || typeof schema !== 'object') return []
  if (typeof schema.$ref === 'string') return [last(schema.$ref)]
  return Object.entries(schema).flatMap(([key, value]) => (key === 'examples' ? [] : mentions(value)))
}

/**
 * For each schema `{page, id}`. The body of an operation is described at the operation, the payload of an event among the
 * events, what one tag alone uses on its page, and the rest on a page of its own.
 */
function homesOf(schemas, operations, events) {
  const homes = new Map()
  const within = new Map(Object.entries(schemas).map(([name, schema]) => [name, new Set(mentions(schema))]))
  for (const { type, schema } of events) homes.set(schema, { page: 'events', id: type })
  const inSchemas = new Set([...within.values()].flatMap((names) => [...names]))
  for (const { body, page, id } of operations) {
    const name = body?.schema.$ref && last(body.schema.$ref)
    if (name && !inSchemas.has(name) && !homes.has(name)) homes.set(name, { page, id: `${id}-body`, isBody: true })
  }
  const users = usersOf(within, operations, homes)
  for (const name of Object.keys(schemas))
    if (!homes.has(name)) homes.set(name, homeOf(name, users, operations, events, within))
  return homes
}

function homeOf(name, users, operations, events, within) {
  const pages = [...(users.get(name) ?? [])]
  const owner = operations.find(
    ({ method, path, answers }) =>
      method === 'GET' &&
      path.endsWith('}') &&
      answers.some(({ schema }) => schema?.$ref && last(schema.$ref) === name),
  )
  if (owner) return { page: owner.page, id: name }
  if (pages.length === 1) return { page: pages[0], id: name }
  if (pages.length > 1) return { page: SHARED_PAGE, id: name }
  const event = events.find(({ schema }) => reaches(within, schema, name))
  return event ? { page: 'events', id: event.type } : { page: SHARED_PAGE, id: name }
}

/** Which pages use a schema, through whatever others. */
function usersOf(within, operations, homes) {
  const users = new Map()
  const visit = (name, page) => {
    const pages = users.get(name) ?? users.set(name, new Set()).get(name)
    if (pages.has(page) || homes.get(name)?.page === 'events') return
    pages.add(page)
    for (const other of within.get(name)) visit(other, page)
  }
  for (const { body, answers, parameters, page } of operations)
    for (const name of [body?.schema, ...answers.map(({ schema }) => schema), ...parameters].flatMap((one) =>
      mentions(one ?? null),
    ))
      visit(name, page)
  return users
}

function reaches(within, from, to, seen = new Set()) {
  if (from === to) return true
  if (seen.has(from)) return false
  seen.add(from)
  return [...within.get(from)].some((name) => reaches(within, name, to, seen))
}
