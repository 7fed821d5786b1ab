// The tools that read: search, find, read, describe and stats.
import {
  bodyWith,
  freeForm,
  instant,
  limits,
  line,
  list,
  oneOf,
  optional,
  searchedTypes,
  statsIntervals,
  text,
  uuid,
} from '@parley/contract'
import { badRequest } from '../store/api-error.js'
import { describeEntity } from './describe-entity.js'
import { type Reach, requireEndpoint } from './reach.js'
import { type Tool, tool } from './tool.js'
import { aboutPage, PAGE_DEFAULT, page } from './tool-arguments.js'

export const readingTools = (reach: Reach): Tool[] => [
  search(reach),
  find(reach),
  read(reach),
  describe(reach),
  stats(reach),
]

const slugsOf = ({ found }: Reach) => found.map(({ slug }) => slug)

const search = (reach: Reach) =>
  tool({
    name: 'search',
    description: 'Search everything by words, names or numbers; in calls also what was said.',
    scope: 'READ',
    input: bodyWith(
      { q: text(limits.queryLength), types: optional(list(oneOf(searchedTypes))), ...page },
      { about: { ...aboutPage, types: 'One type alone comes in pages' } },
    ),
    plan: ({ limit = PAGE_DEFAULT, ...query }) => ({
      endpoint: requireEndpoint(reach, 'GET', '/search', 'q'),
      query: { ...query, limit },
    }),
  })

const find = (reach: Reach) =>
  tool({
    name: 'find',
    description: 'List records, newest first. `describe` tells the filters and sort fields of an entity.',
    scope: 'READ',
    input: bodyWith(
      {
        entity: oneOf(slugsOf(reach)),
        q: optional(text(limits.queryLength)),
        filters: optional(freeForm()),
        sort: optional(line(limits.wordLength)),
        ...page,
      },
      {
        about: {
          ...aboutPage,
          q: 'Words, each matched as a prefix',
          filters: 'Such as {"status":"missed","createdAtFrom":"2026-01-31T00:00:00Z"}',
          sort: 'A time field; - in front for latest first',
        },
      },
    ),
    plan: ({ entity, filters = {}, limit = PAGE_DEFAULT, q, sort, cursor }) => ({
      endpoint: requireEndpoint(reach, 'GET', `/${entity}`, 'entity'),
      query: { ...filters, q, sort, limit, cursor },
    }),
  })

const read = (reach: Reach) =>
  tool({
    name: 'read',
    description:
      'Read one record, or a part: the timeline or duplicates of a person or customer, the transcript or surface ' +
      '(all at once) of a call.',
    scope: 'READ',
    input: bodyWith(
      { entity: oneOf(slugsOf(reach)), id: uuid(), part: optional(oneOf(reach.parts)), ...page },
      { about: aboutPage },
    ),
    plan: ({ entity, id, part, limit, cursor }) => ({
      endpoint: part
        ? requireEndpoint(reach, 'GET', `/${entity}/{id}/${part}`, 'part')
        : requireEndpoint(reach, 'GET', `/${entity}/{id}`, 'entity'),
      id,
      query: partQuery(part, limit, cursor),
    }),
  })

const SEGMENTS = 100

/** The parts that come in pages take a cursor; that of a transcript is the last segment that was read. */
function partQuery(part: string | undefined, limit: number | undefined, cursor: string | undefined) {
  if (part === 'timeline') return { limit: limit ?? PAGE_DEFAULT, cursor }
  if (part !== 'transcript') {
    if (cursor !== undefined) throw badRequest('cursor', 'is for timeline and transcript', 'cursor')
    return {}
  }
  if (cursor !== undefined && !/^\d{1,10}$/.test(cursor))
    throw badRequest('cursor', 'was not made for this transcript; start again without it', 'cursor')
  return { limit: limit ?? SEGMENTS, afterSequence: cursor }
}

const describe = (reach: Reach) =>
  tool({
    name: 'describe',
    description: 'The filters, sort fields and writable fields of an entity.',
    scope: 'READ',
    input: bodyWith({ entity: oneOf(slugsOf(reach)) }),
    plan: ({ entity }) => ({ known: describeEntity(reach, entity) }),
  })

const stats = (reach: Reach) =>
  tool({
    name: 'stats',
    description: 'Counts of calls, SMS and drafts, by day or hour.',
    scope: 'READ',
    input: bodyWith({ from: optional(instant()), to: optional(instant()), interval: optional(oneOf(statsIntervals)) }),
    plan: (query) => ({ endpoint: requireEndpoint(reach, 'GET', '/stats', 'from'), query }),
  })
