// `PUT /imports/{id}/file`: takes the file of an import as it comes, whole or in parts that follow each other, and
// queues the import once all of it is here. What a broken connection leaves behind is swept.
import { randomUUID } from 'node:crypto'
import { importJob } from '@parley/contract'
import type { FastifyRequest } from 'fastify'
import { sql } from '../../database/sql.js'
import { type Endpoint, endpoint, type ReadInput } from '../../http/endpoint.js'
import { ApiError, badRequest, conflict } from '../../store/api-error.js'
import { json } from '../../store/response.js'
import { IMPORT_CHANGED, requireImport } from './import-jobs.js'

export interface UploadLimits {
  /** Of one file, as it is sent. */
  readonly fileBytes: number
}

/** How many files of this size a tenant may have here at once. */
const FILES_OF_TENANT = 4

interface Received {
  readonly start: number
  readonly bytes: number
  readonly blob: string
  readonly isLast: boolean
}

export const importFolder = (tenantId: string, importId: string): string => `${tenantId}/import-${importId}`

export const uploadEndpoint = ({ fileBytes }: UploadLimits): Endpoint =>
  endpoint({
    method: 'PUT',
    path: '/imports/{id}/file',
    scope: 'WRITE',
    operationId: 'putImportFile',
    summary: 'Send the file of an import',
    description: [
      'The body is the file itself, or a part of it with `Content-Range: bytes <first>-<last>/<total>`. Parts come in',
      'their order; after a break go on from `receivedBytes`. A file packed with gzip is taken as it is. With its last',
      'byte the import is queued.',
    ].join(' '),
    tag: 'Imports',
    idempotent: false,
    receives: 'application/octet-stream',
    returns: { status: 202, schema: importJob },
    receive: (input, request) => receivePart(input, request, fileBytes),
    async handle(input) {
      const { work, params } = input
      const { job } = await requireImport(work, params.id)
      const { start, bytes, blob, isLast } = input.received as Received
      if (job.status !== 'awaiting_file') throw hasFile(job.status)
      if (start !== 0 && job.receivedBytes !== start) throw notThere(job.receivedBytes)
      const receivedBytes = start + bytes
      const status = isLast ? 'queued' : job.status
      work.addStatement(
        sql`update imports i set received_bytes = ${receivedBytes}::bigint, status = ${status},
            touched_at = ${work.now}::timestamptz from not_a_replay
          where i.tenant_id = ${work.tenantId}::uuid and i.id = ${job.id}::uuid and i.status = 'awaiting_file'
            and i.received_bytes = ${job.receivedBytes}::bigint returning 1`,
        1,
      )
      work.addStatement(
        sql`update import_parts p set bytes = ${bytes}::bigint from not_a_replay
          where p.tenant_id = ${work.tenantId}::uuid and p.import_id = ${job.id}::uuid and p.blob = ${blob}
          returning 1`,
        1,
      )
      // A file that is sent from its beginning takes the place of what was here.
      if (start === 0)
        work.addStatement(
          sql`update import_parts p set bytes = null, listed_at = to_timestamp(0) from not_a_replay
            where p.tenant_id = ${work.tenantId}::uuid and p.import_id = ${job.id}::uuid and p.blob <> ${blob}
            returning 1`,
        )
      if (isLast) work.announce(IMPORT_CHANGED)
      return json(202, { ...job, receivedBytes, status })
    },
  })

async function receivePart(input: ReadInput, request: FastifyRequest, fileBytes: number): Promise<Received> {
  const { headers } = request
  const { read, services, now } = input
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (!['identity', 'gzip', 'x-gzip'].includes(encoding))
    throw new ApiError('unsupported_media_type', 'Send the file as it is, or packed with gzip')
  const { job } = await requireImport(read, input.params['id'] ?? '')
  const range = rangeOf(headers['content-range'])
  if (job.status !== 'awaiting_file') throw hasFile(job.status)
  if (range.start !== 0 && range.start !== job.receivedBytes) throw notThere(job.receivedBytes)
  if ((range.total ?? 0) > fileBytes) throw tooLarge(fileBytes)
  await requireRoom(read, fileBytes)
  const blob = randomUUID()
  await read.database.query(
    sql`insert into import_parts (tenant_id, import_id, start, blob, listed_at)
      values (${read.tenantId}::uuid, ${job.id}::uuid, ${range.start}::bigint, ${blob}, ${now}::timestamptz)`,
  )
  const source: AsyncIterable<Buffer> = request.raw.iterator({ destroyOnReturn: false })
  const folder = importFolder(read.tenantId, job.id)
  const bytesMax = range.end === undefined ? fileBytes : range.end - range.start + 1
  const bytes = await services.blobs
    .put(folder, blob, source, { bytesMax, tooLarge: () => tooLarge(fileBytes) })
    .catch(async (error: unknown) => {
      // The rest is read and dropped, so that the sender hears why.
      request.raw.resume()
      // What cannot be removed now is swept later, with its row.
      await services.blobs.remove(folder, blob).then(
        () =>
          read.database.query(sql`delete from import_parts where tenant_id = ${read.tenantId}::uuid
            and import_id = ${job.id}::uuid and blob = ${blob}`),
        () => undefined,
      )
      throw error
    })
  if (range.end !== undefined && bytes !== bytesMax)
    throw badRequest('Content-Range', `names ${bytesMax} bytes, but ${bytes} came`, 'range')
  if (bytes === 0) throw badRequest('', 'must be the file; it is empty', 'required')
  const isLast = range.end === undefined || (range.total !== undefined && range.end + 1 === range.total)
  return { start: range.start, bytes, blob, isLast }
}

interface ContentRange {
  readonly start: number
  /** The last byte of this part; undefined for a whole file. */
  readonly end: number | undefined
  /** Undefined where it is not known yet. */
  readonly total: number | undefined
}

function rangeOf(header: string | undefined): ContentRange {
  if (header === undefined) return { start: 0, end: undefined, total: undefined }
  const [, start, end, total] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/.exec(header.trim()) ?? []
  const range = { start: Number(start), end: Number(end), total: total === '*' ? undefined : Number(total) }
  if (start === undefined || range.end < range.start || (range.total ?? Number.MAX_SAFE_INTEGER) <= range.end)
    throw badRequest('Content-Range', 'must be such as bytes 0-1048575/7340032', 'range')
  return range
}

/** Bytes that wait for nobody count too, until they are swept. */
async function requireRoom({ database, tenantId }: ReadInput['read'], fileBytes: number): Promise<void> {
  const [row] = await database.query<{ bytes: number }>(
    sql`select coalesce(sum(bytes), 0)::bigint as bytes from import_parts where tenant_id = ${tenantId}::uuid`,
  )
  if ((row?.bytes ?? 0) < FILES_OF_TENANT * fileBytes) return
  throw conflict('import_room', 'Too many files wait to be imported; wait until some are done', {
    bytes: row?.bytes ?? 0,
  })
}

const hasFile = (status: string): ApiError =>
  conflict('state', `The import is ${status} and takes no file any more; make another`, { status })
const notThere = (receivedBytes: number): ApiError =>
  conflict('import_offset', `${receivedBytes} bytes are here; go on from there`, { receivedBytes })
const tooLarge = (limitBytes: number): ApiError =>
  new ApiError('payload_too_large', `A file has at most ${limitBytes} bytes, and a part as many as it says`, {
    limitBytes,
  })

/** The parts of a file in their order. */
export const partsOf = (tenantId: string, importId: string) =>
  sql`select blob from import_parts where tenant_id = ${tenantId}::uuid and import_id = ${importId}::uuid
    and bytes is not null order by start`
