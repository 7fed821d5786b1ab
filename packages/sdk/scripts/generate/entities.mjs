// src/generated/entities.ts: every entity as a property of the client, with the verbs that it takes.
import { entities } from '@parley/contract'
import { importOf, nameOf } from './records.mjs'
import { note } from './type-text.mjs'

const camel = (slug) => slug.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())

const parts = {
  list: (name) => `Lists<${name}Query, ${name}>`,
  get: (name) => `Gets<${name}>`,
  create: (name) => `Creates<${name}Create, ${name}>`,
  patch: (name) => `Updates<${name}Update, ${name}>`,
  put: (name) => `Replaces<${name}Create, ${name}>`,
  delete: () => 'Deletes',
}

const batches = (name) => `Batches<${name}Create, ${name}Update, ${name}>`
const partsOf = (entity) => [
  ...entity.verbs.map((verb) => parts[verb](nameOf(entity))),
  ...(entity.batch ? [batches(nameOf(entity))] : []),
  ...(entity.verbs.includes('list') ? [`Exports<${nameOf(entity)}Query>`] : []),
]
const verbsOf = (entity) => `export interface ${nameOf(entity)}Verbs extends ${partsOf(entity).join(', ')} {}`

const property = (entity) =>
  `${note(entity.description)}get ${camel(entity.slug)}(): ${nameOf(entity)}Verbs { return verbs(this.#send, '${entity.slug}') }`

const interfaces = entities.map(verbsOf).join('\n')

export const entitiesFile = () => `// Every entity as a property of the client, with the verbs that it takes.
import type { Batches } from '../resources/batch.js'
import type { Exports } from '../resources/exports.js'
import { type Creates, type Deletes, type Gets, type Lists, type Replaces, type Updates, verbs } from '../resources/verbs.js'
import type { Send } from '../transport.js'
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
