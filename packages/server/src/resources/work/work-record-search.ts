// `GET /work-records/search`: the best matches first, for someone who types. The list endpoint has everything, newest
// first.
import { acceptKind, integer, limits, line, recordSchema, uuid, workRecords } from '@parley/contract'
import { raw, sql } from '../../database/sql.js'
import { type Endpoint, endpoint, type ReadInput } from '../../http/endpoint.js'
import { listAnswer } from '../../http/respond.js'
import type { Condition } from '../../store/conditions.js'
import type { Reader } from '../../store/reader.js'
import { recordText } from '../../store/record-text.js'
import type { Answer } from '../../store/response.js'
import { searchPage } from '../../store/search-query.js'
import { tsqueryOf, wordsOf } from '../../store/search-words.js'
import { askedFor } from '../generic/list.js'
import { withSurvivors } from '../generic/list-conditions.js'
import { unpagedSchema } from '../generic/response-schemas.js'

/** Older matches than these are not ranked: the cost of a common word stays bounded. */
const RANKED_MAX = 1_000

interface Match {
  readonly id: string
  readonly number: string
  readonly title: string
}

export const workRecordSearchEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/work-records/search',
    scope: 'READ',
    operationId: 'searchWorkRecords',
    summary: 'Search work records',
    description: `Best matches first among the newest ${RANKED_MAX} that match; without \`q\` the newest first.`,
    tag: workRecords.label,
    query: {
      q: { schema: line(limits.queryLength), description: 'Every word must match, as a prefix' },
      customerId: { schema: uuid('customer'), description: 'Only work for this customer' },
      kind: {
        schema: workRecords.fields.canonicalKind,
        accept: (kind) => String(acceptKind(kind)),
        description: 'Only work of this kind',
      },
      limit: {
        schema: integer({ minimum: 1, maximum: limits.pageMax }),
        description: `Rows, ${limits.searchDefault} unless said otherwise`,
      },
    },
    returns: { status: 200, schema: unpagedSchema(recordSchema(workRecords), limits.pageMax) },
    handle: searchWorkRecords,
  }),
]

type Asked = {
  readonly customerId?: string | undefined
  readonly kind?: string | undefined
  readonly limit?: number | undefined
}

async function searchWorkRecords(input: ReadInput<Record<string, unknown>, Asked>): Promise<Answer> {
  const { read, query, requestId } = input
  const { q, number } = askedFor(input)
  const conditions = await withSurvivors(read, workRecords, conditionsOf(query))
  const limit = query.limit ?? limits.searchDefault
  const texts =
    q === undefined
      ? (await read.list(workRecords, { conditions, limit })).map(({ text }) => text)
      : await bestTexts(read, q, number, conditions, limit)
  return listAnswer(texts, requestId)
}

function conditionsOf({ customerId, kind: canonicalKind }: Asked): Condition[] {
  return [
    { field: 'customerId', op: '=' as const, value: customerId },
    { field: 'canonicalKind', op: '=' as const, value: canonicalKind },
  ].filter(({ value }) => value !== undefined)
}

/** Ranks on number and title alone, so that no long description travels; then fetches the winners. */
async function bestTexts(
  read: Reader,
  q: string,
  called: string | undefined,
  conditions: readonly Condition[],
  limit: number,
): Promise<string[]> {
  const tsquery = tsqueryOf(q, called)
  if (tsquery === undefined) return []
  const { database, tenantId } = read
  const where = conditions.map(({ field, value }) =>
    field === 'customerId' ? sql` and customer_id = ${value}::uuid` : sql` and canonical_kind = ${value}`,
  )
  const page = searchPage({
    table: workRecords.table,
    tenantId,
    tsquery,
    conditions: where.reduce((whole, one) => sql`${whole}${one}`, raw('')),
    beforeId: undefined,
    limit: RANKED_MAX,
  })
  const matches = await database.query<Match & Record<string, unknown>>(
    sql`select id, record::json ->> 'number' as number, record::json ->> 'title' as title from (${page}) as matches`,
  )
  const ids = ranked(q, matches).slice(0, limit)
  const rows = await database.read<[string, string]>(
    sql`select id, ${recordText(workRecords)} from ${raw(workRecords.table)} where tenant_id = ${tenantId}
      and id = any (${ids}::uuid[])`,
  )
  const texts = new Map(rows)
  return ids.flatMap((id) => texts.get(id) ?? [])
}

/**
 * The ids of the matches, best first: each word counts most when it is a word of the number, then of the title, then
 * the beginning of one; else newest.
 */
function ranked(q: string, matches: readonly Match[]): string[] {
  const asked = wordsOf(q)
  return matches
    .map((match) => ({ id: match.id, score: scoreOf(asked, match) }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? 1 : -1))
    .map(({ id }) => id)
}

const points = { number: 4, title: 3, begins: 2, elsewhere: 0 } as const

function scoreOf(asked: readonly string[], { number, title }: Match): number {
  const numberWords = wordsOf(number)
  const titleWords = wordsOf(title)
  return asked.reduce((sum, word) => sum + pointsOf(word, numberWords, titleWords), 0)
}

function pointsOf(word: string, numberWords: readonly string[], titleWords: readonly string[]): number {
  if (numberWords.includes(word)) return points.number
  if (titleWords.includes(word)) return points.title
  return [...titleWords, ...numberWords].some((one) => one.startsWith(word)) ? points.begins : points.elsewhere
}
