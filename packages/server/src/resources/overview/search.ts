// Search over everything: one question to the index of each type, side by side, and of each hit a title and the words
// around what was found.
import { SEARCH_HITS, type SearchedType, type SearchHit, searchEverythingParameters, searchHit } from '@parley/contract'
import { raw, sql } from '../../database/sql.js'
import { type Endpoint, endpoint, type QueryOf, type ReadInput } from '../../http/endpoint.js'
import { pageAnswer } from '../../http/respond.js'
import { makeCursor } from '../../store/cursor.js'
import { recordText } from '../../store/record-text.js'
import type { Answer } from '../../store/response.js'
import { searchPage } from '../../store/search-query.js'
import { tsqueryOf, wordsOf } from '../../store/search-words.js'
import { askedFor, limitOf, listName, pageSchema, startOf } from '../generic/list.js'
import { type Searched, searchedEntities } from './searched-entities.js'
import { bestSnippet } from './snippet.js'

type SearchInput = ReadInput<Record<string, unknown>, QueryOf<typeof searchEverythingParameters>>

async function searchEverything(input: SearchInput): Promise<Answer> {
  const { query, requestId } = input
  const types = query.types === undefined ? undefined : [...new Set(query.types)]
  const wanted = searchedEntities.filter(({ type }) => types === undefined || types.includes(type))
  const [only] = wanted
  if (wanted.length === 1 && only) return searchOne(input, only)
  const found = await Promise.all(wanted.map(async (one) => hitsOf(input, one, await findIds(input, one, SEARCH_HITS))))
  const limit = wanted.length * SEARCH_HITS
  return pageAnswer(found.flat().map(textOf), { limit, nextCursor: null }, requestId)
}

const textOf = (hit: SearchHit): string => JSON.stringify(hit)

/** All hits of one type, in pages. */
async function searchOne(input: SearchInput, one: Searched): Promise<Answer> {
  const [name, limit] = [listName(input, 'search'), limitOf(input)]
  const ids = await findIds(input, one, limit + 1, startOf(input, name)?.id)
  const last = ids[limit - 1]
  const nextCursor = ids.length > limit && last ? makeCursor(input.sealer, name, { id: last, value: null }) : null
  const hits = await hitsOf(input, one, ids.slice(0, limit))
  return pageAnswer(hits.map(textOf), { limit, nextCursor }, input.requestId)
}

/** Newest first. A call is found by its own words or by those that were said in it. */
async function findIds(input: SearchInput, one: Searched, limit: number, beforeId?: string): Promise<string[]> {
  const { q, number } = askedFor(input)
  const tsquery = q === undefined ? undefined : tsqueryOf(q, number)
  if (tsquery === undefined) return []
  const { database, tenantId } = input.read
  const tables = one.type === 'call' ? [one.entity.table, TRANSCRIPTS] : [one.entity.table]
  const pages = await Promise.all(
    tables.map((table) => {
      const conditions = raw(table === TRANSCRIPTS ? '' : (one.also ?? ''))
      const page = searchPage({ table, tenantId, tsquery, conditions, beforeId, limit, columns: '1 as found' })
      return database.query<{ id: string }>(page)
    }),
  )
  const ids = new Set(pages.flat().map(({ id }) => id))
  return [...ids].sort().reverse().slice(0, limit)
}

const TRANSCRIPTS = 'call_transcripts'

async function hitsOf(input: SearchInput, one: Searched, ids: readonly string[]): Promise<SearchHit[]> {
  if (ids.length === 0) return []
  const { database, tenantId } = input.read
  const asked = wordsOf(input.query.q)
  const [rows, said] = await Promise.all([
    database.query<{ id: string; text: string }>(sql`select id, ${recordText(one.entity)} as text
      from ${raw(one.entity.table)} where tenant_id = ${tenantId} and id = any (${ids}::uuid[])`),
    one.type === 'call' ? saidIn(input, ids, asked) : new Map<string, string>(),
  ])
  const texts = new Map(rows.map(({ id, text }) => [id, text]))
  return ids.flatMap((id) => {
    const text = texts.get(id)
    return text === undefined ? [] : [hitOf(one, id, text, said.get(id), asked)]
  })
}

function hitOf(one: Searched, id: string, record: string, said: string | undefined, asked: string[]): SearchHit {
  const { title, at, texts } = one.show(record)
  const shown = bestSnippet([...texts, said], asked)
  return { entityType: one.type satisfies SearchedType, id, title: title.slice(0, 255), at, snippet: shown }
}

/** So many segments of a call are looked at for the words, at most. */
const SEGMENTS_MAX = 2_000

/** The first thing that was said in each call with one of the words, by their letters alone. */
async function saidIn(
  input: SearchInput,
  ids: readonly string[],
  asked: readonly string[],
): Promise<Map<string, string>> {
  const patterns = asked.map((word) => `%${word}%`)
  const rows = await input.read.database.query<{ id: string; text: string }>(sql`
    select c.id, s.text from unnest(${ids}::uuid[]) c (id) cross join lateral (
      select text from (select text, sequence from call_segments where tenant_id = ${input.read.tenantId} and call_id = c.id
        order by sequence limit ${raw(String(SEGMENTS_MAX))}) f
      where lower(f.text) like any (${patterns}::text[])
      order by (select count(*) from unnest(${patterns}::text[]) p where lower(f.text) like p) desc, f.sequence limit 1
    ) s`)
  return new Map(rows.map(({ id, text }) => [id, text]))
}

export const searchEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/search',
    scope: 'READ',
    operationId: 'search',
    summary: 'Search people, customers, work, calls, messages and facts',
    description: `Newest first within each type. Without \`types\`, or with several, at most ${SEARCH_HITS} of each; one type alone comes in pages. What was said in a call is found a few seconds later.`,
    tag: 'Overview',
    query: searchEverythingParameters,
    returns: { status: 200, schema: pageSchema(searchHit) },
    handle: searchEverything,
  }),
]
