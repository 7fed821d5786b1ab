// src/generated/entities.ts: every entity as a property of the client, with the verbs that it takes.
import { entities, fieldsOf } from '@parley/contract'
import { importOf, nameOf } from './records.mjs'
import { note } from './type-text.mjs'

const camel = (slug) => slug.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())

const options = 'options?: RequestOptions'
const id = 'id: string'

/** Each verb as a method of its own, so that an editor shows what it does with this entity. */
const methods = {
  list: (name, { many }) =>
    method(
      `${many}, newest first unless sorted: \`await\` gives a page, \`for await\` every one`,
      `list(query?: ${name}Query, ${options}): Listing<${name}>`,
    ),
  get: (name, { one }) =>
    method(`${one} by its id; NotFoundError where there is none`, `get(${id}, ${options}): ApiPromise<${name}>`),
  create: (name, { one, isReferenced }) =>
    method(
      `Creates ${lower(one)}.${isReferenced ? ' With `externalRefs` of one that exists, that one is updated instead.' : ''}`,
      `create(body: ${name}Create, ${options}): ApiPromise<${name}>`,
    ),
  patch: (name, { one }) =>
    method(
      `Changes ${lower(one)}: what is left out stays as it is; null clears`,
      `update(${id}, body: ${name}Update, ${options}): ApiPromise<${name}>`,
    ),
  put: (name, { one }) =>
    method(
      `Writes ${lower(one)} anew: what is left out goes back to its default`,
      `replace(${id}, body: ${name}Create, ${options}): ApiPromise<${name}>`,
    ),
  delete: (_, { one }) =>
    method(
      `Deletes ${lower(one)}; it is then listed by \`deletedRecords\``,
      `delete(${id}, ${options}): ApiPromise<void>`,
    ),
  export: (name, { many }) =>
    method(
      `${many} as a file, as of one moment: read the body of the response as it comes, it may be large`,
      `export(query?: ExportQuery<${name}Query>, ${options}): Promise<Response>`,
    ),
  batch: (name, { many }) =>
    method(
      `Up to 500 ${inSentence(many)} created, updated or upserted in one request, answered in their order. One that ` +
        'fails does not harm the others; with `atomic` it refuses all',
      `batch(items: readonly BatchItem<${name}Create, ${name}Update>[], ` +
        `options?: BatchOptions): ApiPromise<BatchResult<${name}>[]>`,
    ),
}

const method = (about, signature) => `${note(about)}${signature}`
const lower = (text) => text[0].toLowerCase() + text.slice(1)

/** What one record and several are called in a sentence. */
function wordsOf(entity) {
  const noun = entity.label === entity.label.toUpperCase() ? entity.label : entity.name.replaceAll('_', ' ')
  const article = /^([aeio]|S[A-Z])/.test(noun) ? 'An' : 'A'
  return { many: entity.label, one: `${article} ${noun}`, isReferenced: 'externalRefs' in fieldsOf(entity) }
}

const verbsTakenBy = ({ verbs, batch }) => [
  ...verbs,
  ...(batch ? ['batch'] : []),
  ...(verbs.includes('list') ? ['export'] : []),
]

const verbsOf = (
  entity,
) => `${note(`What can be done with ${inSentence(entity.label)}`)}export interface ${nameOf(entity)}Verbs {
${verbsTakenBy(entity)
  .map((verb) => methods[verb](nameOf(entity), wordsOf(entity)))
  .join('\n')}
}`
const inSentence = (label) => (label === label.toUpperCase() ? label : lower(label))

const property = (entity) =>
  `${note(entity.description)}get ${camel(entity.slug)}(): ${nameOf(entity)}Verbs { return verbs(this.#send, '${entity.slug}') }`

const interfaces = entities.map(verbsOf).join('\n')

export const entitiesFile = () => `// Every entity as a property of the client, with the verbs that it takes.
import type { ApiPromise } from '../api-promise.js'
import type { Listing } from '../page.js'
import type { BatchItem, BatchOptions, BatchResult } from '../resources/batch.js'
import type { ExportQuery } from '../resources/exports.js'
import { verbs } from '../resources/verbs.js'
import type { RequestOptions, Send } from '../transport.js'
${importOf(interfaces)}

${interfaces}

/** What the client has for every entity; those with more than the plain verbs say so themselves. */
export class Entities {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

${entities.map(property).join('\n')}
}
`
