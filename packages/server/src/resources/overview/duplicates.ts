// People and customers who may be the same: with the same number or address, on the record or as a contact method, or
// with the same name. Each look-up is answered by an index and bounded.
import {
  contactMethods,
  customers,
  type DuplicateReason,
  duplicateCustomer,
  duplicatePerson,
  type Entity,
  people,
  valueOf,
} from '@parley/contract'
import { raw, type Sql, sql } from '../../database/sql.js'
import { type Endpoint, endpoint, type Input } from '../../http/endpoint.js'
import { listAnswer } from '../../http/respond.js'
import { notFound } from '../../store/api-error.js'
import { recordText } from '../../store/record-text.js'
import type { Answer } from '../../store/response.js'
import { searchPage } from '../../store/search-query.js'
import { tsqueryOf, wordsOf } from '../../store/search-words.js'
import { unpagedSchema } from '../generic/response-schemas.js'

/** How much each reason says by itself. Several say more together. */
const weights: Readonly<Record<DuplicateReason, number>> = { phone: 0.8, email: 0.9, contact_method: 0.7, name: 0.4 }
const CANDIDATES_MAX = 20
const some = raw(String(CANDIDATES_MAX))

interface Candidate extends Record<string, unknown> {
  readonly id: string
  readonly reason: DuplicateReason
}

/** What two that are the same would share. */
interface Traits {
  readonly id: string
  readonly name: string
  readonly phone: string | null
  readonly email: string | null
}

async function findDuplicates(input: Input, entity: Entity): Promise<Answer> {
  const { read, params, requestId } = input
  const stored = await read.stored(entity, params['id'] ?? '')
  if (stored === undefined) throw notFound()
  const traits = traitsOf(stored.text)
  const [shared, named] = await Promise.all([sharingAddress(input, entity, traits), sharingName(input, entity, traits)])
  const reasons = new Map<string, Set<DuplicateReason>>()
  for (const { id, reason } of [...shared, ...named]) reasons.set(id, (reasons.get(id) ?? new Set()).add(reason))
  const ranked = [...reasons]
    .map(([id, own]) => ({ id, reasons: [...own].sort(), score: scoreOf(own) }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, CANDIDATES_MAX)
  const texts = await textsOf(
    input,
    entity,
    ranked.map(({ id }) => id),
  )
  const shown = ranked.flatMap(({ id, reasons: why, score }) => {
    const text = texts.get(id)
    return text === undefined ? [] : [`{"${entity.name}":${text},"reasons":${JSON.stringify(why)},"score":${score}}`]
  })
  return listAnswer(shown, requestId)
}

function traitsOf(text: string): Traits {
  const record: object = JSON.parse(text)
  const textIn = (field: string) => {
    const value = valueOf(record, field)
    return typeof value === 'string' ? value : null
  }
  return {
    id: textIn('id') ?? '',
    name: textIn('displayName') ?? '',
    phone: textIn('primaryPhone'),
    email: textIn('primaryEmail'),
  }
}

const scoreOf = (reasons: ReadonlySet<DuplicateReason>): number =>
  Math.round((1 - [...reasons].reduce((rest, reason) => rest * (1 - weights[reason]), 1)) * 100) / 100

async function sharingAddress({ read }: Input, entity: Entity, traits: Traits): Promise<Candidate[]> {
  const { database, tenantId } = read
  const rows = raw(entity.table)
  const others = sql`tenant_id = ${tenantId} and id <> ${traits.id}::uuid`
  const [own] = await database.query<{ values: string[] | null }>(sql`
    select array_agg(normalized_value) as values from (select normalized_value from ${raw(contactMethods.table)}
      where tenant_id = ${tenantId} and owner_id = ${traits.id} order by id limit ${some}) c`)
  const contacts = own?.values ?? []
  const addresses = [...contacts, traits.phone, traits.email].filter((one) => one !== null)
  const withValue = (column: Sql, values: readonly (string | null)[], reason: DuplicateReason) =>
    sql`(select id, ${reason}::text as reason from ${rows} where ${others} and ${column} = any (${values}::text[])
      order by id limit ${some})`
  return database.query<Candidate>(sql`
    ${withValue(phoneOf(entity), [traits.phone], 'phone')}
    union all ${withValue(emailOf(entity), [traits.email], 'email')}
    union all ${withValue(phoneOf(entity), contacts, 'contact_method')}
    union all ${withValue(emailOf(entity), contacts, 'contact_method')}
    union all (select owner_id, 'contact_method' from ${raw(contactMethods.table)} where tenant_id = ${tenantId}
      and normalized_value = any (${addresses}::text[]) and owner_type = ${entity.name} and owner_id <> ${traits.id}
      order by id limit ${some})`)
}

/** People have columns for these; customers have an index on what the record says. */
const phoneOf = (entity: Entity): Sql =>
  raw(entity === (people as Entity) ? 'primary_phone' : `(record ->> 'primaryPhone')`)
const emailOf = (entity: Entity): Sql =>
  raw(entity === (people as Entity) ? 'primary_email' : `(record ->> 'primaryEmail')`)

/** A name of one word is no sign: there are many Marias. */
async function sharingName({ read }: Input, entity: Entity, { id, name }: Traits): Promise<Candidate[]> {
  const words = wordsOf(name)
  const tsquery = tsqueryOf(name)
  if (words.length < 2 || tsquery === undefined) return []
  const page = searchPage({
    table: entity.table,
    tenantId: read.tenantId,
    tsquery,
    conditions: sql` and id <> ${id}::uuid`,
    beforeId: undefined,
    limit: CANDIDATES_MAX * 2,
    columns: `record ->> 'displayName' as name`,
  })
  const rows = await read.database.query<{ id: string; name: string }>(page)
  const isSame = (other: string) => [...wordsOf(other)].sort().join(' ') === [...words].sort().join(' ')
  return rows.filter((row) => isSame(row.name)).map((row) => ({ id: row.id, reason: 'name' }))
}

async function textsOf({ read }: Input, entity: Entity, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await read.database.query<{ id: string; text: string }>(
    sql`select id, ${recordText(entity)} as text from ${raw(entity.table)}
      where tenant_id = ${read.tenantId} and id = any (${ids}::uuid[])`,
  )
  return new Map(rows.map(({ id, text }) => [id, text]))
}

export const duplicateEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/people/{id}/duplicates',
    scope: 'READ',
    operationId: 'findDuplicatePeople',
    summary: 'People who may be the same person',
    description: `Most likely first, at most ${CANDIDATES_MAX}.`,
    tag: people.label,
    returns: { status: 200, schema: unpagedSchema(duplicatePerson, CANDIDATES_MAX) },
    handle: (input) => findDuplicates(input, people),
  }),
  endpoint({
    method: 'GET',
    path: '/customers/{id}/duplicates',
    scope: 'READ',
    operationId: 'findDuplicateCustomers',
    summary: 'Customers who may be the same customer',
    description: `Most likely first, at most ${CANDIDATES_MAX}.`,
    tag: customers.label,
    returns: { status: 200, schema: unpagedSchema(duplicateCustomer, CANDIDATES_MAX) },
    handle: (input) => findDuplicates(input, customers),
  }),
]
