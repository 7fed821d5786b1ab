// Writes src/records.ts: the contract's entities, bodies, filters and events as plain TypeScript, so that the published types stand on their own.
// `--check` compares instead of writing.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as contract from '@parley/contract'

const { storedEntities, entities, events, recordSchema, createBody, patchBody, fieldsOf, takes } = contract
const target = fileURLToPath(new URL('../src/records.ts', import.meta.url))

const pascal = (name) => name.replace(/(^|[_.-])(\w)/g, (_, __, letter) => letter.toUpperCase())
const nameOf = (entity) => pascal(entity.name)

/** Shapes that have a name of their own wherever they occur, by their JSON. */
const named = new Map()
const shapes = [
  ['RecordRef', contract.externalRef],
  ['Segment', contract.segment],
  ['Evidence', contract.evidence().items],
  ['RecordRefBody', contract.sendable(contract.externalRef)],
  ['EvidenceBody', contract.sendable(contract.evidence().items)],
  ...storedEntities.map((entity) => [nameOf(entity), recordSchema(entity)]),
  ['SegmentBody', contract.segmentBody],
  ['CapturedFact', contract.factBody({ subjectRequired: false }).schema],
  ['CapturedDraft', contract.draftBody({ callRequired: false }).schema],
  ['SignalEventCreate', createBody(contract.signalEvents).schema],
]
for (const [name, schema] of shapes) named.set(JSON.stringify(schema), name)
/** What a shape is called, whatever was said about the place where it stands: names that are let in there and ignored are no part of it either. */
function nameOfShape(schema) {
  const bare = Object.fromEntries(Object.entries(schema).filter(([word]) => !['x-optional', 'default', 'readOnly', 'patternProperties'].includes(word)))
  return named.get(JSON.stringify(bare)) ?? named.get(JSON.stringify(notNull(bare)))
}
const notNull = (schema) => (Array.isArray(schema.type) ? { ...schema, type: schema.type.find((one) => one !== 'null') } : schema)

/** A schema as a TypeScript type. Lists of values are open: a later version of the service may know more of them. */
function typeOf(schema, own) {
  const types = [schema.type].flat()
  const isNull = types.includes('null')
  const name = own ? undefined : nameOfShape(schema)
  const type =
    name ??
    plainType(
      schema,
      types.filter((one) => one !== 'null'),
    )
  return isNull ? `${type} | null` : type
}

function plainType(schema, types) {
  if (schema.enum) return [...schema.enum.filter((value) => value !== null).map((value) => `'${value}'`), 'Other'].join(' | ')
  if (types.length > 1) return types.map((type) => plainType({ ...schema, type }, [type])).join(' | ')
  if (types[0] === 'array') return arrayOf(schema.items ? typeOf(schema.items) : 'unknown')
  if (types[0] === 'object') return schema.properties ? objectType(schema) : 'Record<string, unknown>'
  return { string: 'string', number: 'number', integer: 'number', boolean: 'boolean' }[types[0]] ?? 'unknown'
}

const arrayOf = (type) => (/^\w+$/.test(type) ? `${type}[]` : `(${type})[]`)
const objectType = (schema) => `{\n${members(schema)}\n}`

function members({ properties, required = [] }) {
  return Object.entries(properties)
    .map(([name, schema]) => `${note(schema)}${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}${required.includes(name) ? '' : ' | undefined'}`)
    .join('\n')
}

const note = ({ description }) => (description ? `/** ${description} */\n` : '')
const shape = (name, schema, about) => `${about ? `/** ${about} */\n` : ''}export interface ${name} {\n${members(schema)}\n}\n`

/** What else a creation may say: the other names of a field. */
function withAliases(schema, entity) {
  const aliases = Object.entries(entity.aliases).map(([name, { field }]) => [
    name,
    { ...fieldsOf(entity)[field], description: `Another name of \`${field}\`.` },
  ])
  const required = schema.required.filter((name) => !Object.values(entity.aliases).some(({ field }) => field === name))
  return { ...schema, required, properties: { ...schema.properties, ...Object.fromEntries(aliases) } }
}

const creations = { call: contract.callBody.schema, fact: contract.factBody({ subjectRequired: true }).schema }
const updates = { call: contract.callReportBody.schema }

function ofEntity(entity) {
  const name = nameOf(entity)
  const parts = [shape(name, recordSchema(entity), entity.description)]
  if (takes(entity, 'create')) parts.push(shape(`${name}Create`, withAliases(creations[entity.name] ?? createBody(entity).schema, entity)))
  if (takes(entity, 'patch')) parts.push(shape(`${name}Update`, updates[entity.name] ?? patchBody(entity).schema))
  if (takes(entity, 'list')) parts.push(queryOf(entity))
  return parts.join('\n')
}

function queryOf(entity) {
  const filters = Object.entries(entity.filters).map(([name, filter]) => `${name}?: ${filterType(entity, filter)} | undefined`)
  const times = contract.timeFields(entity)
  const sorts = times.flatMap((field) => [`'${field}'`, `'-${field}'`])
  const spans = times.flatMap((field) => [contract.fromParameter(field), contract.beforeParameter(field)])
  filters.push(`/** Earliest first; with \`-\` latest first. Records without the time come last. */\nsort?: ${sorts.join(' | ')} | undefined`)
  filters.push(...spans.map((name) => `${name}?: string | Date | undefined`))
  return `export interface ${nameOf(entity)}Query extends PageQuery {\n${filters.join('\n')}\n}\n`
}

function filterType(entity, filter) {
  const schema = { ...notNull(fieldsOf(entity)[filter.field] ?? { type: 'string' }) }
  if (schema.enum) schema.enum = schema.enum.filter((value) => value !== null)
  const type = schema.format === 'date-time' ? 'string | Date' : typeOf(schema)
  return filter.op === 'in' ? `${type} | ${arrayOf(`readonly ${type}`).replace('(readonly ', 'readonly (')}` : type
}

const verbNames = { list: 'list', get: 'get', create: 'create', patch: 'update', put: 'replace', delete: 'delete' }
const mapped = (entity) => {
  const name = nameOf(entity)
  const body = takes(entity, 'create') ? `${name}Create` : 'never'
  const update = takes(entity, 'patch') ? `${name}Update` : 'never'
  const verbs = entity.verbs.map((verb) => `'${verbNames[verb]}'`).join(' | ')
  return `'${entity.slug}': { record: ${name}; create: ${body}; update: ${update}; query: ${name}Query; verbs: ${verbs} }`
}

const eventName = (type) => `${pascal(type)}Data`
const eventShapes = Object.entries(events).map(([type, { data, when }]) => shape(eventName(type), data, when))

const text = `// Generated from the contract by scripts/generate.mjs; do not edit. Records, bodies and filters of every entity, and the data of every event.

/** A value that this version of the client does not know yet. Known values still complete in an editor. */
export type Other = string & {}

/** What every list takes. */
export interface PageQuery {
  /** Rows a page, 1 to 100; 50 unless said otherwise. */
  limit?: number | undefined
  /** Where to go on: the \`nextCursor\` of a page. */
  cursor?: string | undefined
  /** Whether the page tells how many records the list has, up to 10,000. */
  count?: boolean | undefined
  /** Every word must match, as a prefix, in the searchable fields. */
  q?: string | undefined
  createdSince?: string | Date | undefined
  createdBefore?: string | Date | undefined
  updatedSince?: string | Date | undefined
}

${shape('RecordRef', contract.externalRef, 'What a record is called in another system.')}
${shape('Evidence', contract.evidence().items, 'Where something was said.')}
${shape('RecordRefBody', contract.sendable(contract.externalRef))}
${shape('EvidenceBody', contract.sendable(contract.evidence().items))}
${shape('Segment', contract.segment, 'One utterance of a call.')}
${shape('SegmentBody', contract.segmentBody)}
${shape('CapturedFact', contract.factBody({ subjectRequired: false }).schema, 'A fact of a call; its subject follows from the call when it is left out.')}
${shape('CapturedDraft', contract.draftBody({ callRequired: false }).schema, 'A draft that is sent with the end of its call.')}
${shape('CallEnd', contract.callEndBody.schema)}
${shape('CallSurface', contract.callSurface, 'All there is to see of a call at one moment; `revision` rises with every change of it.')}
${storedEntities.map(ofEntity).join('\n')}
/** Every entity that is reachable as \`/{entity}\`. */
export interface Entities {
${entities.map(mapped).join('\n')}
}

${eventShapes.join('\n')}
/** The data of each event, by its type. */
export interface EventData {
${Object.keys(events)
  .map((type) => `'${type}': ${eventName(type)}`)
  .join('\n')}
}
`

const biome = fileURLToPath(new URL('../../../node_modules/.bin/biome', import.meta.url))
const formatted = execFileSync(biome, ['format', '--stdin-file-path', target], { input: text, encoding: 'utf8' })
if (!process.argv.includes('--check')) writeFileSync(target, formatted)
else if (readFileSync(target, 'utf8') !== formatted) {
  console.error('src/records.ts does not match the contract: run `npm run generate --workspace packages/sdk`')
  process.exitCode = 1
}
