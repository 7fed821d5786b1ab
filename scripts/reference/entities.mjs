// docs/reference/entities.md: every entity, its fields, and what can be done with it.
import { annotationsOf, entities, fieldsOf, isNullable, timeFields } from '../../packages/contract/dist/index.js'
import { code, codes, link, page, table } from './markdown.mjs'
import { noteWords, typeWords } from './schema-words.mjs'

export const entitiesPage = () =>
  page(
    '# Entities',
    'Everything you can read and write, as `GET /schema` tells it to your key. Every record has all of its keys, always: what is not known is `null`. Times are UTC with milliseconds, phone numbers E.164, amounts of money integers in minor units.',
    'Every list takes `limit`, `cursor`, `count`, `q`, `createdSince`, `createdBefore` and `updatedSince`, and the filters named below. By the times named below it is sorted with `sort=dueAt` or `sort=-dueAt`, and narrowed with `dueAtFrom` and `dueAtBefore`; see [lists](../guides/lists.md). Fields marked *set by Parley* may be sent back with a record; they are ignored.',
    table(
      ['Entity', 'Path', 'What it is'],
      entities.map((entity) => [link(entity.label), code(`/${entity.slug}`), entity.description]),
    ),
    entities.map(section),
  )

const section = (entity) =>
  [
    `## ${entity.label}`,
    entity.description,
    table(['Do', 'How', 'Scope'], verbRows(entity)),
    table(
      ['Field', 'Type', 'When you create', 'Notes'],
      Object.entries({ ...fieldsOf(entity), ...entity.embedded }).map(([name, schema]) =>
        fieldRow(entity, name, schema),
      ),
    ),
    facts(entity)
      .map((fact) => `- ${fact}`)
      .join('\n'),
  ].join('\n\n')

const ways = {
  list: (slug) => ['List', `GET /${slug}`],
  get: (slug) => ['Get one', `GET /${slug}/{id}`],
  create: (slug) => ['Create', `POST /${slug}`],
  patch: (slug) => ['Update', `PATCH /${slug}/{id}`],
  put: (slug) => ['Replace', `PUT /${slug}/{id}`],
  delete: (slug) => ['Delete', `DELETE /${slug}/{id}`],
}

const verbRows = ({ slug, verbs, writeScope }) =>
  verbs.map((verb) => {
    const [name, how] = ways[verb](slug)
    return [name, code(how), verb === 'list' || verb === 'get' ? 'READ' : writeScope]
  })

const fieldRow = (entity, name, schema) => [
  code(name),
  typeWords(schema),
  whenCreated(entity, name, schema),
  noteWords(schema),
]

function whenCreated(entity, name, schema) {
  const { readOnly, default: byDefault, 'x-required': isRequired } = annotationsOf(schema)
  if (readOnly) return '*set by Parley*'
  if (name === entity.sealed) return 'optional; never read back'
  if (isRequired) return '**required**'
  if (byDefault !== undefined && byDefault !== null) return `default ${code(JSON.stringify(byDefault))}`
  return isNullable(schema) ? 'optional' : 'optional; filled in when left out'
}

const comparisons = { '=': '', in: ' (a comma list)', '>=': ' (at or above)', '<': ' (below)' }

function facts({ search, filters, times, unique, aliases, tracked }) {
  const named = Object.entries(filters).map(
    ([name, { field, op }]) => code(name) + (name === field ? '' : ` on ${code(field)}`) + comparisons[op],
  )
  return [
    search.length > 0 && `\`q\` searches ${codes(search)}.`,
    named.length > 0 && `Filters: ${named.join(', ')}.`,
    `Sorted and narrowed by ${codes(timeFields({ times }))}.`,
    ...unique.map((fields) => `No two records share ${codes(fields)}.`),
    ...Object.entries(aliases).map(([alias, { field }]) => `${code(alias)} is accepted for ${code(field)}.`),
    tracked && 'Every change of a field is kept in the field history.',
  ].filter(Boolean)
}
