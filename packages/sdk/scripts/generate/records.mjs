// src/generated/records.ts: the record, the bodies and the filters of every entity, and the shapes that they share.
import * as contract from '@parley/contract'
import { member, nameShape, note, notNull, oneOrMany, query, shape, typeOf, union } from './type-text.mjs'

const { createBody, fieldsOf, patchBody, recordSchema, sendable, storedEntities, takes } = contract

export const pascal = (name) => name.replace(/(^|[_.-])(\w)/g, (_, __, letter) => letter.toUpperCase())
export const nameOf = (entity) => pascal(entity.name)

const capturedFact = contract.factBody({ subjectRequired: false }).schema
const capturedDraft = contract.draftBody({ callRequired: false }).schema

const shared = [
  ['RecordRef', contract.externalRef, { about: 'What a record is called in another system.' }],
  ['Evidence', contract.evidence().items, { about: 'Where something was said.' }],
  ['RecordRefBody', sendable(contract.externalRef), { isSent: true }],
  ['EvidenceBody', sendable(contract.evidence().items), { isSent: true }],
  ['Segment', contract.segment, { about: 'One utterance of a call.' }],
  ['SegmentBody', contract.segmentBody, { isSent: true }],
  [
    'CapturedFact',
    capturedFact,
    { about: 'A fact of a call; its subject follows from the call when it is left out.', isSent: true },
  ],
  ['CapturedDraft', capturedDraft, { about: 'A draft that is sent with the end of its call.', isSent: true }],
  ['CallEnd', contract.callEndBody.schema, { isSent: true }],
  [
    'CallSurface',
    contract.callSurface,
    { about: 'All there is to see of a call at one moment; `revision` rises with every change of it.' },
  ],
]

/** Where a creation or a change takes something else than the fields of the entity. */
const creations = {
  call: contract.callBody,
  fact: contract.factBody({ subjectRequired: true }),
  fact_definition: contract.factDefinitionBody,
  sms: contract.smsSendBody,
}
const updates = { call: contract.callReportBody }

for (const [name, schema] of shared) nameShape(name, schema)
for (const entity of storedEntities) nameShape(nameOf(entity), recordSchema(entity))
nameShape('SignalEventCreate', createBody(contract.signalEvents).schema)

/** The import of what a text names of this file. */
export function importOf(text) {
  const own = new Set([...recordsFile().matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name))
  const used = [...new Set([...text.matchAll(/(?<=[:|(<,] ?)[A-Z]\w+/g)].map(([name]) => name))]
  return `import type { ${used
    .filter((name) => own.has(name))
    .sort()
    .join(', ')} } from './records.js'`
}

export function recordsFile() {
  const parts = shared.map(([name, schema, options]) => shape(name, schema, options))
  const own = storedEntities.map(ofEntity)
  return `// Records, bodies and filters of every entity.

/** A value that this version of the client does not know yet. Known values still complete in an editor. */
export type Other = string & {}

${query('PageQuery', contract.commonParameters, 'What every list takes.')}
${[...parts, ...own].join('\n')}`
}

function ofEntity(entity) {
  const name = nameOf(entity)
  const parts = [shape(name, recordSchema(entity), { about: entity.description })]
  const called = entity.name.replaceAll('_', ' ')
  if (takes(entity, 'create'))
    parts.push(shape(`${name}Create`, creationOf(entity), { isSent: true, about: `What makes a new ${called}.` }))
  if (takes(entity, 'patch')) {
    const { schema } = updates[entity.name] ?? patchBody(entity)
    const about = `What a change of a ${called} may say: what is left out stays as it is.`
    parts.push(shape(`${name}Update`, schema, { isSent: true, about }))
  }
  if (takes(entity, 'list')) parts.push(queryOf(entity))
  return parts.join('\n')
}

/** What else a creation may say: the other names of a field. */
function creationOf(entity) {
  const { schema } = creations[entity.name] ?? createBody(entity)
  const renamed = Object.values(entity.aliases).map(({ field }) => field)
  const aliases = Object.entries(entity.aliases).map(([name, { field }]) => [
    name,
    { ...fieldsOf(entity)[field], description: `Another name of \`${field}\`.` },
  ])
  const required = schema.required.filter((name) => !renamed.includes(name))
  return { ...schema, required, properties: { ...schema.properties, ...Object.fromEntries(aliases) } }
}

function queryOf(entity) {
  const times = contract.timeFields(entity)
  const filters = Object.entries(entity.filters).map(([name, filter]) =>
    member(name, filterType(entity, filter), false, filterAbout(entity, name, filter)),
  )
  const sort = member('sort', union(times.flatMap((field) => [field, `-${field}`])), false, sorting)
  const spans = times.flatMap((field) => [
    member(
      contract.fromParameter(field),
      'string | Date',
      false,
      `Only records with \`${field}\` at or after this time.`,
    ),
    member(contract.beforeParameter(field), 'string | Date', false, `Only records with \`${field}\` before this time.`),
  ])
  const all = [...filters, sort, ...spans]
  const about = note(`What the list of ${entity.label.toLowerCase()} takes.`)
  return `${about}export interface ${nameOf(entity)}Query extends PageQuery {\n${all.join('\n')}\n}\n`
}

const sorting = 'Earliest first; with `-` latest first. Records without the time come last.'

function filterAbout(entity, name, { field, op }) {
  const about = fieldsOf(entity)[field]?.description
  const which = `Only records with ${op === 'in' ? 'one of these for' : 'this'} \`${name}\`.`
  return about ? `${which} ${about}` : which
}

function filterType(entity, filter) {
  const schema = notNull(fieldsOf(entity)[filter.field] ?? { type: 'string' })
  const type = typeOf(schema, true)
  return filter.op === 'in' ? oneOrMany(type) : type
}
