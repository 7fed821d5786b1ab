// `GET /calls/{id}/transcript`: all that was said, as JSON, as text or as WebVTT. It goes out page by page while it is
// read, so that a long call takes no more memory than a short one.
import { Readable } from 'node:stream'
import { calls, integer, limits, offset, oneOf, segment } from '@parley/contract'
import { sql } from '../../database/sql.js'
import { type Endpoint, endpoint } from '../../http/endpoint.js'
import { direct } from '../../http/raw-response.js'
import { translated } from '../../store/commit-with-retry.js'
import type { Reader } from '../../store/reader.js'
import { unpagedSchema } from '../generic/response-schemas.js'
import { type Segment, type SegmentRow, storedSegments, toSegment } from './segments.js'
import { cueOf, lineOf } from './transcript-format.js'

interface Format {
  readonly mediaType: string
  readonly head: string
  readonly item: (segment: Segment) => string
  readonly separator: string
  readonly tail: (requestId: string) => string
}

const formats = {
  json: {
    mediaType: 'application/json; charset=utf-8',
    head: '{"data":[',
    item: (one) => JSON.stringify(one),
    separator: ',',
    tail: (requestId) => `],"meta":${JSON.stringify({ requestId })}}`,
  },
  text: {
    mediaType: 'text/plain; charset=utf-8',
    head: '',
    item: (one) => `${lineOf(one)}\n`,
    separator: '',
    tail: () => '',
  },
  vtt: { mediaType: 'text/vtt; charset=utf-8', head: 'WEBVTT\n\n', item: cueOf, separator: '\n', tail: () => '' },
} as const satisfies Record<string, Format>

export const callTranscriptEndpoint: Endpoint = endpoint({
  method: 'GET',
  path: '/calls/{id}/transcript',
  scope: 'READ',
  operationId: 'getCallTranscript',
  summary: 'Get the whole transcript of a call',
  tag: calls.label,
  query: {
    afterSequence: { schema: offset(), description: 'Only segments after this one' },
    limit: {
      schema: integer({ minimum: 1, maximum: limits.segmentsPerRequest }),
      description: 'At most so many segments; all unless said otherwise',
    },
    format: { schema: oneOf(['json', 'text', 'vtt']), description: '`json` unless said otherwise' },
  },
  returns: {
    status: 200,
    schema: unpagedSchema(segment, limits.segmentsPerRequest),
    mediaTypes: ['application/json', 'text/plain', 'text/vtt'],
    examples: {
      'text/plain': 'Agent: Northside Plumbing, how can I help?\nCaller: The water heater leaks.\n',
      'text/vtt': 'WEBVTT\n\n1\n00:00:03.200 --> 00:00:07.900\n<v Caller>The water heater leaks.\n',
    },
  },
  async handle({ read, params, query, requestId }) {
    const id = params.id
    await storedSegments(read, id, [])
    const format: Format = formats[query.format ?? 'json']
    const pages = pagesOf(read, id, query.afterSequence ?? -1, query.limit)
    // The first page is read before anything is answered, so that a database that is away is still an error and not
    // half an answer.
    const first = await pages.next().catch((error: unknown) => Promise.reject(translated(error)))
    return direct(({ reply }) =>
      reply.type(format.mediaType).send(Readable.from(written(format, first, pages, requestId))),
    )
  },
})

const PAGE_ROWS = 500

async function* pagesOf(
  { database, tenantId }: Reader,
  callId: string,
  after: number,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<Segment[], void> {
  for (let last = after, left = limit; left > 0; left -= PAGE_ROWS) {
    const rows = await database.query(
      sql`select sequence, id, speaker, text, start_ms, end_ms, confidence, is_final from call_segments
        where tenant_id = ${tenantId} and call_id = ${callId} and sequence > ${last} order by sequence
          limit ${Math.min(PAGE_ROWS, left)}`,
      { prepared: true },
    )
    if (rows.length > 0) yield rows.map((row) => toSegment(callId, Object.values(row) as SegmentRow))
    if (rows.length < PAGE_ROWS) return
    last = rows.at(-1)?.['sequence'] as number
  }
}

async function* written(
  format: Format,
  first: IteratorResult<Segment[], void>,
  rest: AsyncGenerator<Segment[], void>,
  requestId: string,
): AsyncGenerator<string> {
  yield format.head
  let isFirst = true
  for (let page = first; !page.done; page = await rest.next()) {
    yield (isFirst ? '' : format.separator) + page.value.map(format.item).join(format.separator)
    isFirst = false
  }
  yield format.tail(requestId)
}
