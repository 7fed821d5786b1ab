// What the search looks through: a row for every page, section, operation, field, parameter, error and event, as
// `[kind, title, page, id, more, text]` with `page` an index into `pages`. Loaded by the browser at the first search.
import { fieldsOf, flatFields } from './schema-words.mjs'

export const kinds = ['guide', 'operation', 'field', 'error', 'event', 'shape', 'decision']

export function searchIndex(pages, reference) {
  const rows = []
  const number = new Map(pages.map(({ path }, index) => [path, index]))
  const add = (kind, title, page, id = '', more = '', text = '') =>
    rows.push([kinds.indexOf(kind), title, number.get(page), id, more, plain(text)])
  for (const page of pages) {
    if (page.kind === 'api') add('guide', page.title, page.path, '', '', page.description)
    else for (const section of page.sections) addSection(page, section, add)
  }
  for (const { id, method, path, summary, description, page } of reference.operations)
    add('operation', `${method} ${path}`, page, id, summary, description)
  for (const operation of reference.operations) addFields(operation, reference, add)
  for (const [name, one] of Object.entries(reference.components.parameters))
    if (pages.some(({ parameters = [] }) => parameters.some(([known]) => known === name)))
      add('field', one.name, 'api/shared', `parameter.${name}`, one.in, one.description)
  for (const [name, schema] of Object.entries(reference.schemas)) addShape(name, schema, reference.homes.get(name), add)
  return { kinds, pages: pages.map(({ path, title }) => [path, title]), rows }
}

const plain = (text = '') => text.replace(/[`*]/g, '').replace(/\s+/g, ' ').trim()

function addSection({ path, title }, section, add) {
  const named = section.title || title
  const kind =
    path === 'errors' && section.depth === 2
      ? 'error'
      : path === 'events' && section.depth === 2
        ? 'event'
        : path.startsWith('decisions/')
          ? 'decision'
          : 'guide'
  add(kind, named, path, section.id, section.title ? title : '', section.text)
}

function addFields({ id, page, parameters, body, method, path }, { schemas }, add) {
  const more = `${method} ${path}`
  for (const one of parameters)
    if (!one.shared) add('field', one.name, page, `${id}.${one.name}`, more, one.description)
  if (body === undefined) return
  const shape = body.schema.$ref ? schemas[body.schema.$ref.split('/').at(-1)] : body.schema
  for (const field of flatFields(fieldsOf(shape)))
    add('field', field.path, page, `${id}.${field.path}`, more, field.schema.description)
}

/** What is described with an operation or an event is found there. */
function addShape(name, schema, { page, id, isBody }, add) {
  if (isBody || page === 'events') return
  add('shape', name, page, id, '', schema.description)
  // Pages of lists are all alike.
  if (/Page$/.test(name)) return
  for (const field of flatFields(fieldsOf(schema)))
    add('field', field.path, page, `${id}.${field.path}`, name, field.schema.description)
}
