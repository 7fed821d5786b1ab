// Imports over HTTP: make one, see how far it is, read what was refused, cancel it.
import { Readable } from 'node:stream'
import {
  entities,
  type ImportJob,
  importBody,
  importJob,
  importParameters,
  includesScope,
  isObject,
  limits,
} from '@parley/contract'
import { raw, sql } from '../../database/sql.js'
import { type Endpoint, endpoint, type ReadInput } from '../../http/endpoint.js'
import { direct } from '../../http/raw-response.js'
import { badRequest, conflict, forbidden } from '../../store/api-error.js'
import { newId } from '../../store/id.js'
import { countRows } from '../../store/list-reader.js'
import { json } from '../../store/response.js'
import type { Work } from '../../store/work.js'
import { csvLine } from '../generic/export.js'
import { askedFor, pageSchema, typedPage } from '../generic/list.js'
import { scan } from '../generic/scan.js'
import { IMPORT_CHANGED, insertImport, listImports, requireImport } from './import-jobs.js'
import { type UploadLimits, uploadEndpoint } from './import-upload.js'

const tag = 'Imports'

const createImport: Endpoint = endpoint({
  method: 'POST',
  path: '/imports',
  scope: 'WRITE',
  operationId: 'createImport',
  summary: 'Begin an import',
  description: 'Then send the file to `/imports/{id}/file`. Without a file it is canceled after a day.',
  tag,
  body: importBody,
  returns: { status: 201, schema: importJob },
  async handle({ work, body, caller }) {
    const { entity: slug, format, mapping = {}, matchBy = 'externalRefs', defaultCountry = null } = body
    const entity = entities.find((one) => one.slug === slug && one.batch)
    if (entity === undefined) throw badRequest('entity', 'takes no imports', 'enum')
    if (!includesScope(caller.scope, entity.writeScope))
      throw forbidden('scope', `This needs a key with scope ${entity.writeScope}`, { requiredScope: entity.writeScope })
    if (matchBy !== 'externalRefs' && slug !== PEOPLE)
      throw badRequest('matchBy', `must be externalRefs for ${slug}`, 'enum')
    requireMapping(mapping)
    await requireFew(work)
    const job: ImportJob = {
      id: newId(work.now),
      entity: slug,
      format,
      mapping,
      matchBy,
      defaultCountry,
      dryRun: body.dryRun ?? false,
      silent: body.silent ?? false,
      status: 'awaiting_file',
      error: null,
      receivedBytes: 0,
      rows: null,
      done: 0,
      created: 0,
      updated: 0,
      skipped: 0,
      failed: 0,
      createdAt: work.now.toISOString(),
      finishedAt: null,
    }
    work.addStatement(insertImport(work.tenantId, job, caller.actor, work.now), 1)
    return json(201, job)
  },
})

/** Those whose records are looked up by number and address. */
const PEOPLE = 'people'

function requireMapping(mapping: unknown): void {
  const targets = isObject(mapping) ? Object.entries(mapping) : []
  if (targets.length > limits.freeFormKeys) throw badRequest('mapping', 'has too many columns', 'keys')
  const wrong = targets.find(([, target]) => target !== null && (typeof target !== 'string' || target.trim() === ''))
  if (wrong) throw badRequest(`mapping.${wrong[0]}`, 'must be the name of a field, or null', 'type')
}

async function requireFew({ database, tenantId }: Work): Promise<void> {
  const open = await countRows(
    database,
    sql`from imports where tenant_id = ${tenantId}::uuid and status in ('awaiting_file', 'queued', 'running')`,
  )
  if (open >= limits.openImports)
    throw conflict('too_many_imports', `${open} imports have not ended; wait, or cancel one`, { open })
}

const list: Endpoint = endpoint({
  method: 'GET',
  path: '/imports',
  scope: 'READ',
  operationId: 'listImports',
  summary: 'List imports, newest first',
  tag,
  query: importParameters,
  returns: { status: 200, schema: pageSchema(importJob) },
  handle(input) {
    const { read } = input
    const { q } = askedFor(input)
    const plain = (below: string | undefined, rows: number) => listImports(read, below, rows)
    const all = () => countRows(read.database, sql`from imports where tenant_id = ${read.tenantId}::uuid`)
    const searched = ({ entity, status }: ImportJob) => [entity, status]
    const { find, count } = q === undefined ? { find: plain, count: all } : scan(q, searched, plain)
    return typedPage(input, 'imports', { find, count, idOf: ({ id }) => id }, (job) => job)
  },
})

const get: Endpoint = endpoint({
  method: 'GET',
  path: '/imports/{id}',
  scope: 'READ',
  operationId: 'getImport',
  summary: 'How far an import is',
  tag,
  returns: { status: 200, schema: importJob },
  handle: async ({ read, params }) => json(200, (await requireImport(read, params.id)).job),
})

const cancel: Endpoint = endpoint({
  method: 'POST',
  path: '/imports/{id}/cancel',
  scope: 'WRITE',
  operationId: 'cancelImport',
  summary: 'Cancel an import',
  description: 'Rows that were written stay. One that has ended stays as it is.',
  tag,
  returns: { status: 200, schema: importJob },
  async handle({ work, params }) {
    const { job } = await requireImport(work, params.id)
    if (['completed', 'failed', 'canceled'].includes(job.status)) return json(200, job)
    work.addStatement(
      sql`update imports i set status = 'canceled', claim = null, leased_until = null,
          finished_at = ${work.now}::timestamptz from not_a_replay
        where i.tenant_id = ${work.tenantId}::uuid and i.id = ${job.id}::uuid and i.status = ${job.status}
        returning 1`,
      1,
    )
    work.announce(IMPORT_CHANGED)
    return json(200, { ...job, status: 'canceled' as const, finishedAt: work.now.toISOString() })
  },
})

const errors: Endpoint = endpoint({
  method: 'GET',
  path: '/imports/{id}/errors',
  scope: 'READ',
  operationId: 'listImportErrors',
  summary: 'The rows that were refused, as CSV',
  description:
    'The columns of the file and `reason`, in the order of the file: mend the rows and import them as a file of ' +
    'their own. Of NDJSON the line is in the column `row`.',
  tag,
  returns: {
    status: 200,
    schema: null,
    mediaTypes: ['text/csv'],
    description: 'The rows.',
    examples: { 'text/csv': 'firstName,primaryPhone,reason\r\nAda,12,primaryPhone must be a phone number\r\n' },
  },
  async handle({ read, params }) {
    await requireImport(read, params.id)
    return direct(({ reply }) =>
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="import-${params.id}-errors.csv"`)
        .send(Readable.from(errorLines(read, params.id))),
    )
  },
})

const PAGE = 500

async function* errorLines({ database, tenantId }: ReadInput['read'], id: string): AsyncGenerator<string> {
  const [head] = await database.query<{ columns: string[] | null }>(
    sql`select columns from imports where tenant_id = ${tenantId}::uuid and id = ${id}::uuid`,
  )
  yield csvLine([...(head?.columns ?? ['row']), 'reason'])
  for (let after = 0; ; ) {
    const rows = await database.query<{ line: number; cells: string[]; reason: string }>(
      sql`select line, cells, reason from import_errors where tenant_id = ${tenantId}::uuid and import_id = ${id}::uuid
        and line > ${after}::int order by line limit ${raw(String(PAGE))}`,
    )
    const width = head?.columns?.length ?? 1
    yield rows.map(({ cells, reason }) => csvLine([...padded(cells, width), reason])).join('')
    if (rows.length < PAGE) return
    after = rows.at(-1)?.line ?? after
  }
}

/** The reason stands in its own column, however many cells the row has. */
const padded = (cells: readonly string[], width: number): string[] =>
  Array.from({ length: width }, (_, index) => cells[index] ?? '')

export const importEndpoints = (uploads: UploadLimits): Endpoint[] => [
  createImport,
  list,
  get,
  uploadEndpoint(uploads),
  errors,
  cancel,
]
