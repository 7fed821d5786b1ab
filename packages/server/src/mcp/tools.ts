// The tools of agents, made from the table of endpoints: find and read, propose for people to decide, and, for keys that
// may, write directly.
import {
  anyValue,
  bodyWith,
  factSubjects,
  freeForm,
  instant,
  integer,
  limits,
  line,
  list,
  longText,
  mergedForm,
  nullable,
  oneOf,
  optional,
  recipient,
  searchedTypes,
  statsIntervals,
  text,
  uuid,
} from '@parley/contract'
import type { Endpoint, Method } from '../http/endpoint.js'
import { badRequest } from '../store/api-error.js'
import { describeEntity } from './describe-entity.js'
import type { Reach } from './reach.js'
import { type Tool, tool } from './tool.js'

/** Agents read word by word what comes back: fewer at once than programs take. */
const PAGE_DEFAULT = 10
const PAGE_MAX = 50
const SEGMENTS = 100

const page = {
  limit: optional(integer({ minimum: 1, maximum: PAGE_MAX })),
  cursor: optional(line(512)),
}
const retries = { idempotencyKey: optional(text(limits.idempotencyKeyLength)) }
const aboutPage = { cursor: 'nextCursor of the page before' }
const aboutRetries = { idempotencyKey: 'Repeat it when you repeat the call: it happens once' }

export function toolsFor(reach: Reach): readonly Tool[] {
  return [...readingTools(reach), ...proposingTools(reach), ...writingTools(reach)]
}

function requireEndpoint({ endpoint }: Reach, method: Method, path: string, field: string): Endpoint {
  const known = endpoint(method, path)
  if (known === undefined) throw badRequest(field, 'is not there for this entity; see describe', 'enum')
  return known
}

function readingTools(reach: Reach): Tool[] {
  const slugs = reach.found.map(({ slug }) => slug)
  return [
    tool({
      name: 'search',
      description: 'Search everything by words, names or numbers; in calls also what was said.',
      scope: 'READ',
      input: bodyWith(
        { q: text(limits.queryLength), types: optional(list(oneOf(searchedTypes))), ...page },
        {
          about: { ...aboutPage, types: 'One type alone comes in pages' },
        },
      ),
      plan: ({ limit = PAGE_DEFAULT, ...query }) => ({
        endpoint: requireEndpoint(reach, 'GET', '/search', 'q'),
        query: { ...query, limit },
      }),
    }),
    tool({
      name: 'find',
      description: 'List records, newest first. `describe` tells the filters and sort fields of an entity.',
      scope: 'READ',
      input: bodyWith(
        {
          entity: oneOf(slugs),
          q: optional(text(limits.queryLength)),
          filters: optional(freeForm()),
          sort: optional(line(64)),
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
    }),
    tool({
      name: 'read',
      description:
        'Read one record, or a part of it: the timeline or duplicates of a person or customer, the transcript or surface (all at once) of a call.',
      scope: 'READ',
      input: bodyWith(
        { entity: oneOf(slugs), id: uuid(), part: optional(oneOf(reach.parts)), ...page },
        { about: aboutPage },
      ),
      plan: ({ entity, id, part, limit, cursor }) => ({
        endpoint: requireEndpoint(
          reach,
          'GET',
          part ? `/${entity}/{id}/${part}` : `/${entity}/{id}`,
          part ? 'part' : 'entity',
        ),
        id,
        query: partQuery(part, limit, cursor),
      }),
    }),
    tool({
      name: 'describe',
      description: 'The filters, sort fields and writable fields of an entity.',
      scope: 'READ',
      input: bodyWith({ entity: oneOf(slugs) }),
      plan: ({ entity }) => ({ known: describeEntity(reach, entity) }),
    }),
    tool({
      name: 'stats',
      description: 'Counts of calls, SMS and drafts, by day or hour.',
      scope: 'READ',
      input: bodyWith({
        from: optional(instant()),
        to: optional(instant()),
        interval: optional(oneOf(statsIntervals)),
      }),
      plan: (query) => ({ endpoint: requireEndpoint(reach, 'GET', '/stats', 'from'), query }),
    }),
  ]
}

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

const draftFields = {
  title: optional(nullable(line())),
  summary: optional(nullable(longText())),
  canonicalKind: optional(nullable(line(limits.wordLength))),
  payload: optional(mergedForm()),
  customerId: optional(nullable(uuid())),
  personId: optional(nullable(uuid())),
  factIds: optional(list(uuid())),
}
const aboutDraft = {
  ...aboutRetries,
  canonicalKind: 'Kind of work, such as job',
  payload: 'Fields of the work record',
}

function proposingTools(reach: Reach): Tool[] {
  return [
    tool({
      name: 'propose_fact',
      description: 'Propose something learned about a person, company, customer or work record. People confirm it.',
      scope: 'WRITE',
      input: bodyWith(
        {
          subjectType: oneOf(factSubjects),
          subjectId: uuid(),
          key: text(),
          value: anyValue(),
          rationale: optional(nullable(longText())),
          sourceCallSessionId: optional(nullable(uuid())),
          quote: optional(text(8_000)),
          ...retries,
        },
        {
          about: {
            ...aboutRetries,
            key: 'Such as preferred_time; find fact-definitions for those in use',
            quote: 'The words that show it',
          },
        },
      ),
      // Without a confidence no threshold confirms it: that is for people.
      plan: ({ idempotencyKey, quote, ...fact }) => ({
        endpoint: requireEndpoint(reach, 'POST', '/facts', 'key'),
        body: {
          ...fact,
          ...(quote && { evidence: [{ callSessionId: fact.sourceCallSessionId ?? null, quote }] }),
          status: 'proposed',
          extractor: 'agent',
        },
        idempotencyKey,
      }),
    }),
    tool({
      name: 'propose_draft',
      description: 'Propose the work record that a call asks for. People approve it.',
      scope: 'WRITE',
      input: bodyWith(
        { callSessionId: uuid(), ...draftFields, ...retries },
        { about: { ...aboutDraft, callSessionId: 'The call' } },
      ),
      plan: ({ idempotencyKey, ...body }) => ({
        endpoint: requireEndpoint(reach, 'POST', '/drafts', 'callSessionId'),
        body,
        idempotencyKey,
      }),
    }),
    tool({
      name: 'change_draft',
      description: 'Change a draft that nobody has decided on.',
      scope: 'WRITE',
      input: bodyWith(
        { id: uuid(), ifVersion: optional(integer({ minimum: 1 })), ...draftFields, ...retries },
        { about: { ...aboutDraft, ifVersion: 'Refuse if it has changed since' } },
      ),
      plan: ({ id, ifVersion, idempotencyKey, ...body }) => ({
        endpoint: requireEndpoint(reach, 'PATCH', '/drafts/{id}', 'id'),
        id,
        ifVersion,
        body,
        idempotencyKey,
      }),
    }),
  ]
}

function writingTools(reach: Reach): Tool[] {
  const fields = 'What to write; see describe'
  return [
    tool({
      name: 'create',
      description: 'Make a record at once.',
      scope: 'WRITE',
      isDirect: true,
      input: bodyWith(
        { entity: oneOf(reach.created), fields: freeForm(), ...retries },
        { about: { ...aboutRetries, fields } },
      ),
      plan: ({ entity, fields: body = {}, idempotencyKey }) => ({
        endpoint: requireEndpoint(reach, 'POST', `/${entity}`, 'entity'),
        body,
        idempotencyKey,
      }),
    }),
    tool({
      name: 'update',
      description: 'Change fields of a record at once.',
      scope: 'WRITE',
      isDirect: true,
      input: bodyWith(
        {
          entity: oneOf(reach.updated),
          id: uuid(),
          fields: freeForm(),
          ifVersion: optional(integer({ minimum: 1 })),
          ...retries,
        },
        { about: { ...aboutRetries, fields, ifVersion: 'Refuse if it has changed since' } },
      ),
      plan: ({ entity, id, fields: body = {}, ifVersion, idempotencyKey }) => ({
        endpoint: requireEndpoint(reach, 'PATCH', `/${entity}/{id}`, 'entity'),
        id,
        ifVersion,
        body,
        idempotencyKey,
      }),
    }),
    tool({
      name: 'decide',
      description: 'Decide on a draft (submit, approve, reject, reopen) or a fact (confirm, reject, promote).',
      scope: 'WRITE',
      isDirect: true,
      input: bodyWith(
        {
          entity: oneOf(['drafts', 'facts']),
          id: uuid(),
          decision: oneOf(reach.decisions),
          fields: optional(freeForm()),
          ...retries,
        },
        { about: { ...aboutRetries, fields: 'Such as {"reason":"…"} of a rejected draft' } },
      ),
      plan: ({ entity, id, decision, fields: body, idempotencyKey }) => ({
        endpoint: requireEndpoint(reach, 'POST', `/${entity}/{id}/${decision}`, 'decision'),
        id,
        body,
        idempotencyKey,
      }),
    }),
    tool({
      name: 'send_sms',
      description: 'Send an SMS, at once and for good.',
      scope: 'WRITE',
      isDirect: true,
      input: bodyWith(
        {
          to: optional(recipient()),
          personId: optional(uuid()),
          body: text(limits.smsLength),
          fromPhoneNumberId: optional(uuid()),
          ...retries,
        },
        { about: { ...aboutRetries, personId: 'In place of to' } },
      ),
      plan: ({ idempotencyKey, ...body }) => ({
        endpoint: requireEndpoint(reach, 'POST', '/sms', 'to'),
        body,
        idempotencyKey,
      }),
    }),
  ]
}
