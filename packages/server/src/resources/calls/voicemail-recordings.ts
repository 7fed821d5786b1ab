// The audio of voicemails over HTTP: taken as bytes, and served under addresses that are signed for five minutes and
// need no key.
import type { Readable } from 'node:stream'
import { limits, recordSchema, voicemails } from '@parley/contract'
import type { FastifyRequest } from 'fastify'
import { sql } from '../../database/sql.js'
import { type Endpoint, endpoint, type ReadInput } from '../../http/endpoint.js'
import { direct } from '../../http/raw-response.js'
import { audioType, isAnyBytes, withToldType } from '../../recordings/audio-type.js'
import { byteRange } from '../../recordings/byte-range.js'
import type { KeptAudio } from '../../recordings/fetch-recordings.js'
import { whyRefused } from '../../recordings/signed-address.js'
import { folderOf } from '../../recordings/unnamed-blobs.js'
import { isMalformed, unpacked } from '../../recordings/unpack.js'
import { ApiError, badRequest, forbidden, notFound } from '../../store/api-error.js'
import type { Blobs } from '../../store/blobs.js'
import type { Reader } from '../../store/reader.js'
import {
  type AudioState,
  audioOf,
  changedAudio,
  type Keeping,
  keepAudio,
  nameAudio,
  publishUpdate,
  signedAddress,
  stopAwaiting,
  type Voicemail,
  voicemailAnswer,
} from './voicemail-audio.js'

export async function findRecording(
  { database }: Reader,
  tenantId: string,
  voicemailId: string,
): Promise<KeptAudio | undefined> {
  const [row] = await database.read<[string, string, number]>(
    sql`select blob, media_type, bytes from voicemail_recordings where tenant_id = ${tenantId}
      and voicemail_id = ${voicemailId}`,
  )
  return row && { blob: row[0], mediaType: row[1], bytes: row[2] }
}

export async function requireVoicemail(read: Reader, id: string): Promise<Voicemail> {
  const voicemail = await read.get(voicemails, id)
  if (voicemail === undefined) throw notFound()
  return voicemail
}

/** Takes a recording as the body of a request. */
export function takeAudio(
  input: Keeping,
  tenantId: string,
  voicemailId: string,
  audio: AudioBytes,
): Promise<KeptAudio> {
  return keepAudio(input, { tenantId, voicemailId }, audio, {
    tooLarge,
    empty: () => badRequest('', 'is empty; send the bytes of the recording', 'empty'),
  })
}

type AudioBytes = Parameters<typeof keepAudio>[2]

async function receiveAudio(input: ReadInput, request: FastifyRequest): Promise<KeptAudio> {
  const { headers } = request
  const mediaType = audioType(headers['content-type'])
  if (mediaType === undefined && !isAnyBytes(headers['content-type'])) throw notAudio()
  if (Number(headers['content-length'] ?? 0) > limits.recordingBytes) throw tooLarge()
  const { id } = await requireVoicemail(input.read, input.params['id'] ?? '')
  const source: AsyncIterable<Buffer> = request.raw.iterator({ destroyOnReturn: false })
  const bytes = unpacked(source, headers['content-encoding'])
  if (bytes === undefined)
    throw new ApiError('unsupported_media_type', 'Content-Encoding must be gzip or br, or left out')
  const keep = async (): Promise<KeptAudio> =>
    takeAudio(input, input.caller.tenantId, id, mediaType ? { bytes, mediaType } : await toldAudio(bytes))
  return keep().catch((error: unknown) => {
    // The rest is read and dropped, so that the sender hears why, and can send something else on the same connection.
    request.raw.resume()
    throw isMalformed(error)
      ? badRequest('', `is not what its Content-Encoding says, ${headers['content-encoding']}`, 'encoding')
      : error
  })
}

/** Which kind of audio bytes of any kind are. */
async function toldAudio(source: AsyncIterable<Buffer>): Promise<AudioBytes> {
  const { mediaType, bytes } = await withToldType(source)
  if (mediaType === undefined) throw notAudio()
  return { mediaType, bytes }
}

const notAudio = (): ApiError =>
  new ApiError('unsupported_media_type', 'Send the bytes of the recording with Content-Type: audio/…')

const tooLarge = (): ApiError =>
  new ApiError('payload_too_large', `A recording has at most ${limits.recordingBytes} bytes`, {
    limitBytes: limits.recordingBytes,
  })

export const putRecording: Endpoint = endpoint({
  method: 'PUT',
  path: '/voicemails/{id}/recording',
  scope: 'WRITE',
  operationId: 'putVoicemailRecording',
  summary: 'Send the audio of a voicemail',
  description: [
    `The body is the recording itself, \`audio/*\`, up to ${limits.recordingBytes / 1024 / 1024} MiB,`,
    '`Content-Encoding` gzip, br or none. Of `application/octet-stream` the first bytes tell which audio it is.',
    'Sending it again replaces it.',
  ].join(' '),
  tag: voicemails.label,
  returns: { status: 200, schema: recordSchema(voicemails) },
  idempotent: false,
  // Some generators write nothing that works for two.
  receives: 'application/octet-stream',
  receive: receiveAudio,
  async handle(input) {
    const { work } = input
    const audio = input.received as KeptAudio
    const existing = await requireVoicemail(work, input.params.id)
    const before = await audioOf(work, existing.id)
    const after: AudioState = { blob: audio.blob, isAwaited: false, error: null }
    const voicemail = work.update(voicemails, existing, { searchUnchanged: true })
    const shown = { voicemail, audio: after }
    nameAudio(work, voicemail.id, audio)
    stopAwaiting(work, voicemail.id)
    publishUpdate(work, input, shown, changedAudio(before, after))
    return voicemailAnswer(200, input, shown)
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
    const { read, params } = input
    const { id } = await requireVoicemail(read, params.id)
    if ((await findRecording(read, input.caller.tenantId, id)) === undefined) throw notFound()
    return { status: 302, body: null, headers: { location: signedAddress(input, id) } }
  },
})

const rangePastEnd = (bytes: number): ApiError =>
  new ApiError('range_not_satisfiable', `The recording has ${bytes} bytes`, undefined, {
    'content-range': `bytes */${bytes}`,
  })

const serveRecording: Endpoint = endpoint({
  method: 'GET',
  path: '/recordings/{tenantId}/{id}/{expires}/{signature}',
  scope: 'none',
  operationId: 'downloadRecording',
  summary: 'Download a recording by its signed address',
  tag: voicemails.label,
  returns: {
    status: [200, 206, 302],
    schema: null,
    mediaTypes: ['audio/*'],
    description: 'The bytes of the recording; takes one `Range`. Where the store signs addresses, a redirect to it.',
  },
  plainParams: ['tenantId', 'id', 'expires', 'signature'],
  compress: false,
  async handle({ read, params, sealer, services, now }) {
    const refusal = whyRefused(sealer, params, now)
    if (refusal)
      throw forbidden(
        refusal,
        refusal === 'expired'
          ? 'This address has expired; read the voicemail again'
          : 'This address is not one of ours',
      )
    const { tenantId = '', id = '' } = params
    return direct(async ({ request, reply }) => {
      const location = await storeAddress(read, services.blobs, { tenantId, id }, request.headers)
      if (location !== undefined) return reply.code(302).headers({ location, 'cache-control': 'no-store' }).send()
      const { found, range, bytes } = await openRecording(read, services.blobs, { tenantId, id }, request.headers)
      return reply
        .code(range ? 206 : 200)
        .headers(headersOf(found, id, range))
        .send(bytes)
    })
  },
})

/**
 * The store's own address, where it signs them: good for five minutes, and as a download, never to be shown in a page.
 * Pages of ours get the bytes from here: their policy lets them load from no other origin.
 */
async function storeAddress(
  read: Reader,
  { signedUrl }: Blobs,
  { tenantId, id }: { tenantId: string; id: string },
  headers: FastifyRequest['headers'],
): Promise<string | undefined> {
  if (signedUrl === undefined || headers['sec-fetch-site'] === 'same-origin') return undefined
  const found = await findRecording(read, tenantId, id)
  if (found === undefined) throw notFound()
  return signedUrl(folderOf({ tenantId, voicemailId: id }), found.blob, {
    seconds: limits.recordingUrlSeconds,
    contentType: found.mediaType,
    fileName: `voicemail-${id}`,
  })
}

type Range = { readonly start: number; readonly end: number } | undefined

interface Opened {
  readonly found: KeptAudio
  readonly range: Range
  readonly bytes: Readable
}

/** One that is replaced between the look-up and the opening is looked up again. */
async function openRecording(
  read: Reader,
  blobs: Blobs,
  { tenantId, id }: { tenantId: string; id: string },
  headers: FastifyRequest['headers'],
  before?: string,
): Promise<Opened> {
  const found = await findRecording(read, tenantId, id)
  if (found === undefined || found.blob === before) throw notFound()
  const range = rangeOf(headers, found)
  const bytes = await blobs.open(folderOf({ tenantId, voicemailId: id }), found.blob, range)
  return bytes ? { found, range, bytes } : openRecording(read, blobs, { tenantId, id }, headers, found.blob)
}

const tagOf = ({ blob }: KeptAudio): string => `"${blob}"`

function rangeOf(headers: FastifyRequest['headers'], found: KeptAudio): Range {
  const isSame = headers['if-range'] === undefined || headers['if-range'] === tagOf(found)
  const range = isSame ? byteRange(headers.range, found.bytes) : 'whole'
  if (range === 'unsatisfiable') throw rangePastEnd(found.bytes)
  return range === 'whole' ? undefined : range
}

function headersOf(found: KeptAudio, id: string, range: Range): Record<string, string> {
  return {
    etag: tagOf(found),
    'accept-ranges': 'bytes',
    'content-type': found.mediaType,
    'content-length': String(range ? range.end - range.start + 1 : found.bytes),
    'content-disposition': `attachment; filename="voicemail-${id}"`,
    'content-security-policy': "default-src 'none'; sandbox",
    ...(range && { 'content-range': `bytes ${range.start}-${range.end}/${found.bytes}` }),
  }
}

export const voicemailRecordingEndpoints: Endpoint[] = [putRecording, getRecording, serveRecording]
