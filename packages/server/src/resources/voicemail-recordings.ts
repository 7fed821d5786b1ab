// The audio of voicemails: taken as bytes, kept in the blob store, and served under addresses that are signed for five minutes and need no key.
import { limits, type Row, recordSchema, voicemails } from '@parley/contract'
import type { FastifyRequest } from 'fastify'
import { sql } from '../database/sql.js'
import { direct } from '../http/direct.js'
import { type Endpoint, endpoint, type Input } from '../http/endpoint.js'
import { byteRange } from '../recordings/byte-range.js'
import { signedPath, whyRefused } from '../recordings/signed-address.js'
import { type Answer, answers, etag } from '../store/answer.js'
import { ApiError, forbidden, notFound } from '../store/api-error.js'
import type { Blobs, Bytes } from '../store/blobs.js'
import type { Reader, Stored } from '../store/records.js'
import { nextVersion } from './record.js'

type Voicemail = Row<typeof voicemails>

interface Recording {
  readonly blob: string
  readonly mediaType: string
  readonly bytes: number
}

const API = '/api/v1'

/** The address of a recording that does not expire: it asks for a key and redirects to one that needs none. */
export const lastingAddress = ({ services }: Pick<Input, 'services'>, voicemailId: string): string =>
  `${services.publicUrl()}${API}/voicemails/${voicemailId}/recording`

function signedAddress({ services, sealer, caller: { tenantId }, now }: Input, id: string): string {
  const expiresAt = new Date(now.getTime() + limits.recordingUrlSeconds * 1_000)
  return `${services.publicUrl()}${API}${signedPath(sealer, { tenantId, id, expiresAt })}`
}

/** A page of voicemails, each with a fresh address for the audio that it has. */
export async function presentVoicemails(rows: readonly Stored[], input: Input): Promise<string[]> {
  const ids = rows.map(({ id }) => id)
  const found = await input.read.database.read<[string]>(
    sql`select voicemail_id from voicemail_recordings where tenant_id = ${input.caller.tenantId} and voicemail_id = any (${ids}::uuid[])`,
  )
  const recorded = new Set(found.map(([id]) => id))
  return rows.map(({ id, text }) => withAddress(text, recorded.has(id) ? signedAddress(input, id) : null))
}

const withAddress = (text: string, address: string | null): string => `${text.slice(0, -1)},"recordingUrl":${JSON.stringify(address)}}`

export async function voicemailAnswer(status: number, input: Input, voicemail: Voicemail): Promise<Answer> {
  const { id, version } = voicemail
  const [body = null] = await presentVoicemails([{ id, version, text: JSON.stringify(voicemail) }], input)
  return { status, body, headers: { etag: etag(version) }, isComposed: true }
}

async function findRecording({ database }: Reader, tenantId: string, voicemailId: string): Promise<Recording | undefined> {
  const [row] = await database.read<[string, string, number]>(
    sql`select blob, media_type, bytes from voicemail_recordings where tenant_id = ${tenantId} and voicemail_id = ${voicemailId}`,
  )
  return row && { blob: row[0], mediaType: row[1], bytes: row[2] }
}

async function requireVoicemail({ read, params }: Pick<Input, 'read' | 'params'>): Promise<Voicemail> {
  const voicemail = await read.get(voicemails, params['id'] ?? '')
  if (voicemail === undefined) throw notFound()
  return voicemail
}

const folderOf = (tenantId: string, voicemailId: string): string => `${tenantId}/${voicemailId}`

/** Stores the bytes as they come. Nothing refers to them before the handler's change is made. */
export async function keepAudio(blobs: Blobs, tenantId: string, voicemailId: string, source: Bytes, mediaType: string): Promise<Recording> {
  const { name, bytes } = await blobs.put(folderOf(tenantId, voicemailId), source, { bytesMax: limits.recordingBytes, tooLarge })
  return { blob: name, mediaType, bytes }
}

async function receiveAudio({ read, params, caller: { tenantId }, services: { blobs } }: Input, request: FastifyRequest): Promise<Recording> {
  const mediaType = audioType(request.headers['content-type'])
  if (Number(request.headers['content-length'] ?? 0) > limits.recordingBytes) throw tooLarge()
  const { id } = await requireVoicemail({ read, params })
  const source = request.raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  const received = await keepAudio(blobs, tenantId, id, source, mediaType).catch((error: unknown) => {
    // The rest is read and dropped, so that the sender hears why, and can send something else on the same connection.
    request.raw.resume()
    throw error
  })
  const before = await findRecording(read, tenantId, id)
  await blobs.keepOnly(folderOf(tenantId, id), before ? [before.blob, received.blob] : [received.blob])
  return received
}

const tooLarge = (): ApiError =>
  new ApiError('payload_too_large', `A recording has at most ${limits.recordingBytes} bytes`, { limitBytes: limits.recordingBytes })

/** The type without its parameters; what is no audio is not taken, so that nothing else is ever served. */
function audioType(header: string | undefined): string {
  const [, type] = /^(audio\/[a-z0-9][a-z0-9.+-]{0,100}) *(;|$)/i.exec(header ?? '') ?? []
  if (type === undefined) throw new ApiError('unsupported_media_type', 'Send the bytes of the recording with Content-Type: audio/…')
  return type.toLowerCase()
}

export const putRecording: Endpoint = endpoint({
  method: 'PUT',
  path: '/voicemails/{id}/recording',
  scope: 'WRITE',
  operationId: 'putVoicemailRecording',
  summary: 'Send the audio of a voicemail',
  description: `The body is the recording itself, \`audio/*\`, up to ${limits.recordingBytes / 1024 / 1024} MiB. Sending it again replaces it.`,
  tag: voicemails.label,
  returns: { status: 200, schema: recordSchema(voicemails) },
  idempotent: false,
  receives: 'audio/*',
  receive: receiveAudio,
  async handle(input) {
    const { caller, now } = input
    const { blob, mediaType, bytes } = input.received as Recording
    const voicemail = nextVersion(await requireVoicemail(input), now)
    const { id, version } = voicemail
    const body = withAddress(JSON.stringify(voicemail), signedAddress(input, id))
    return answers({ status: 200, body, headers: { etag: etag(version) } })
      .update(voicemails, voicemail)
      .also(
        sql`insert into voicemail_recordings (tenant_id, voicemail_id, blob, media_type, bytes)
          select ${caller.tenantId}::uuid, ${id}::uuid, ${blob}, ${mediaType}, ${bytes}::bigint from proceed
          on conflict (tenant_id, voicemail_id) do update set blob = excluded.blob, media_type = excluded.media_type, bytes = excluded.bytes returning 1`,
        1,
        { recurs: true },
      )
  },
})

const getRecording: Endpoint = endpoint({
  method: 'GET',
  path: '/voicemails/{id}/recording',
  scope: 'READ',
  operationId: 'getVoicemailRecording',
  summary: 'Go to the audio of a voicemail',
  description: 'Redirects to a signed address that is good for five minutes; 404 until the audio is there.',
  tag: voicemails.label,
  returns: { status: 302, schema: null },
  async handle(input) {
    const { id } = await requireVoicemail(input)
    if ((await findRecording(input.read, input.caller.tenantId, id)) === undefined) throw notFound()
    return { status: 302, body: null, headers: { location: signedAddress(input, id) } }
  },
})

const rangePastEnd = (bytes: number): ApiError =>
  new ApiError('range_not_satisfiable', `The recording has ${bytes} bytes`, undefined, { 'content-range': `bytes */${bytes}` })

const serveRecording: Endpoint = endpoint({
  method: 'GET',
  path: '/recordings/{tenantId}/{id}/{expires}/{signature}',
  scope: 'none',
  operationId: 'downloadRecording',
  summary: 'Download a recording by its signed address',
  tag: voicemails.label,
  returns: { status: [200, 206], schema: null, mediaTypes: ['audio/*'], description: 'The bytes of the recording; takes one Range' },
  plainParams: ['tenantId', 'id', 'expires', 'signature'],
  compress: false,
  async handle({ read, params, sealer, services, now }) {
    const refusal = whyRefused(sealer, params, now)
    if (refusal) throw forbidden(refusal, refusal === 'expired' ? 'This address has expired; read the voicemail again' : 'This address is not one of ours')
    const { tenantId = '', id = '' } = params
    const found = await findRecording(read, tenantId, id)
    if (found === undefined) throw notFound()
    return direct(async ({ request, reply }) => {
      const tag = `"${found.blob.slice(0, 32)}"`
      const isSame = request.headers['if-range'] === undefined || request.headers['if-range'] === tag
      const range = isSame ? byteRange(request.headers.range, found.bytes) : 'whole'
      if (range === 'unsatisfiable') throw rangePastEnd(found.bytes)
      const { start, end } = range === 'whole' ? { start: 0, end: found.bytes - 1 } : range
      const bytes = await services.blobs.open(folderOf(tenantId, id), found.blob, found.bytes === 0 ? undefined : { start, end })
      if (bytes === undefined) throw notFound()
      return reply
        .code(range === 'whole' ? 200 : 206)
        .headers({
          etag: tag,
          'accept-ranges': 'bytes',
          'content-type': found.mediaType,
          'content-length': String(end - start + 1),
          'content-disposition': `attachment; filename="voicemail-${id}"`,
          'content-security-policy': "default-src 'none'; sandbox",
          ...(range !== 'whole' && { 'content-range': `bytes ${start}-${end}/${found.bytes}` }),
        })
        .send(bytes)
    })
  },
})

export const voicemailRecordingEndpoints: Endpoint[] = [putRecording, getRecording, serveRecording]
