// `GET /{entity}/export`: a whole list as NDJSON or CSV, streamed from one moment's snapshot.
import { Readable } from 'node:stream'
import {
  commonParameters,
  csvColumns,
  type Entity,
  exportParameters,
  recordSchema,
  sampleOf,
  timeParameters,
  valueOf,
} from '@parley/contract'
import { type Endpoint, endpoint, type ReadInput } from '../../http/endpoint.js'
import { direct, type Exchange } from '../../http/raw-response.js'
import type { Stored } from '../../store/reader.js'
import { exportRows } from './export-rows.js'
import { askedFor, filterParameters } from './list.js'
import { conditionsOf, withSurvivors } from './list-conditions.js'

const plural = (slug: string): string => slug.replace(/(^|-)(\w)/g, (_, __, letter: string) => letter.toUpperCase())

/** How the list shows its rows, where that is not as they are stored. */
export type Present = (rows: readonly Stored[], input: ReadInput) => string[] | Promise<string[]>

const types = { ndjson: 'application/x-ndjson; charset=utf-8', csv: 'text/csv; charset=utf-8' } as const

export function exportEndpoint(entity: Entity, present: Present): Endpoint {
  const { limit: _, cursor: __, count: ___, ...common } = commonParameters
  const { sort: ____, ...spans } = timeParameters(entity)
  return endpoint({
    method: 'GET',
    path: `/${entity.slug}/export`,
    scope: 'READ',
    operationId: `export${plural(entity.slug)}`,
    summary: `Export ${entity.label.toLowerCase()}`,
    description:
      'Every record that the filters leave, newest first, as of one moment, as a stream. An answer that breaks off ' +
      'before its end is not complete. Two exports may run at once; a reader that stops reading is let go.',
    tag: entity.label,
    query: { ...exportParameters, ...common, ...filterParameters(entity), ...spans },
    returns: {
      status: 200,
      schema: null,
      mediaTypes: ['application/x-ndjson', 'text/csv'],
      description: 'The records.',
      examples: {
        'application/x-ndjson': `${JSON.stringify(sampleOf(recordSchema(entity)))}\n`,
        'text/csv': `${csvColumns(entity)
          .map(({ name }) => name)
          .join(',')}\r\n`,
      },
    },
    handle: async (input) => direct((exchange) => send(entity, present, input, exchange)),
  })
}

async function send(entity: Entity, present: Present, input: ReadInput, exchange: Exchange) {
  const { query, read, caller } = input
  const { reply, request } = exchange
  const format = query['format'] === 'csv' ? 'csv' : 'ndjson'
  reply.type(types[format]).header('content-disposition', `attachment; filename="${entity.slug}.${format}"`)
  if (request.method === 'HEAD') return reply.send()
  const conditions = await withSurvivors(read, entity, conditionsOf(entity, query))
  const pages = exportRows(read.database, { entity, tenantId: caller.tenantId, conditions, ...askedFor(input) })
  // What is refused or fails at once is answered as an error, not as a stream that breaks off.
  const first = await pages.next()
  const texts = async function* () {
    if (format === 'csv') yield csvLine(csvColumns(entity).map(({ name }) => name))
    const linesOf = format === 'csv' ? csvLines(entity, query['quoteFormulas'] === true) : ndjsonLines
    let lookedAtMs = Date.now()
    try {
      for (let page = first; !page.done; page = await pages.next()) {
        yield linesOf(await present(page.value, input))
        if (Date.now() - lookedAtMs > RECHECK_MS && !(await exchange.isStillAllowed())) throw new Error('revoked')
        if (Date.now() - lookedAtMs > RECHECK_MS) lookedAtMs = Date.now()
      }
    } finally {
      await pages.return()
    }
  }
  return reply.send(Readable.from(texts(), { objectMode: false, highWaterMark: 64 * 1024 }))
}

/** A key that is revoked meanwhile reads no further. */
const RECHECK_MS = 3_000

const ndjsonLines = (texts: readonly string[]): string => texts.map((text) => `${text}\n`).join('')

function csvLines(entity: Entity, isQuoting: boolean): (texts: readonly string[]) => string {
  const columns = csvColumns(entity)
  return (texts) =>
    texts
      .map((text) => {
        const record: object = JSON.parse(text)
        return csvLine(columns.map(({ field }) => cellOf(valueOf(record, field), isQuoting)))
      })
      .join('')
}

function cellOf(value: unknown, isQuoting: boolean): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return isQuoting && typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
}

/** As RFC 4180 has it. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`
