// The audio of voicemails as their records show it: whether it is there, under which addresses, and what events tell of
// it.
import { type EventType, limits, type Row, voicemails } from '@parley/contract'
import { sql } from '../../database/sql.js'
import type { BaseInput, ReadInput } from '../../http/endpoint.js'
import { cancelFetch } from '../../recordings/fetch-queue.js'
import type { KeptAudio } from '../../recordings/fetch-recordings.js'
import { signedPath } from '../../recordings/signed-address.js'
import {
  BLOB_DROPPED,
  discardBlob,
  dropBlob,
  dropReplaced,
  folderOf,
  listBlob,
  takeBlob,
} from '../../recordings/unnamed-blobs.js'
import type { Bytes } from '../../store/blobs.js'
import type { Reader, Stored } from '../../store/reader.js'
import { type Answer, etag } from '../../store/response.js'
import type { Work } from '../../store/work.js'

export type Voicemail = Row<typeof voicemails>

/** What signing an address takes. */
export type Signing = Pick<BaseInput, 'caller' | 'now' | 'sealer' | 'services'>

/** What is known of the audio of one voicemail. */
export interface AudioState {
  /** The name of the blob; null while there is none. */
  readonly blob: string | null
  readonly isAwaited: boolean
  /** Why the last address could not be fetched. */
  readonly error: string | null
}

export const noAudio: AudioState = { blob: null, isAwaited: false, error: null }

/** A voicemail and its audio as a change leaves them. */
export interface Shown {
  readonly voicemail: Voicemail
  readonly audio: AudioState
}

const API = '/api/v1'

/** Where our own addresses of recordings begin: what a client read and sends back is not fetched. */
export const isOwnAddress = ({ services }: Pick<BaseInput, 'services'>, url: string): boolean =>
  url.startsWith(`${services.publicUrl()}${API}/recordings/`) ||
  url.startsWith(`${services.publicUrl()}${API}/voicemails/`)

export function signedAddress({ services, sealer, caller: { tenantId }, now }: Signing, id: string): string {
  const expiresAt = new Date(now.getTime() + limits.recordingUrlSeconds * 1_000)
  return `${services.publicUrl()}${API}${signedPath(sealer, { tenantId, id, expiresAt })}`
}

const statusOf = ({ blob, isAwaited, error }: AudioState) =>
  isAwaited ? 'pending' : blob !== null ? 'available' : error !== null ? 'failed' : 'none'

function audioFields(input: Signing, id: string, audio: AudioState) {
  const isThere = audio.blob !== null
  return {
    recordingUrl: isThere ? signedAddress(input, id) : null,
    recordingApiUrl: isThere ? `${input.services.publicUrl()}${API}/voicemails/${id}/recording` : null,
    recordingStatus: statusOf(audio),
    recordingError: audio.error,
  }
}

/** Which fields of the audio differ. An address is another one when what it plays is. */
export function changedAudio(before: AudioState, after: AudioState): string[] {
  const differs = {
    recordingUrl: before.blob !== after.blob,
    recordingApiUrl: (before.blob === null) !== (after.blob === null),
    recordingStatus: statusOf(before) !== statusOf(after),
    recordingError: before.error !== after.error,
  }
  return Object.entries(differs).flatMap(([name, isSo]) => (isSo ? [name] : []))
}

async function audioOfAll(
  { database, tenantId }: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, AudioState>> {
  const rows = await database.read<[string, string | null, boolean, string | null]>(
    sql`select w.id, r.blob, f.due_at is not null, f.error from unnest(${ids}::uuid[]) w (id)
      left join voicemail_recordings r on r.tenant_id = ${tenantId}::uuid and r.voicemail_id = w.id
      left join recording_fetches f on f.tenant_id = ${tenantId}::uuid and f.voicemail_id = w.id`,
  )
  return new Map(rows.map(([id, blob, isAwaited, error]) => [id, { blob, isAwaited, error }]))
}

export const audioOf = async (read: Reader, id: string): Promise<AudioState> =>
  (await audioOfAll(read, [id])).get(id) ?? noAudio

/** A page of voicemails, each with a fresh address for the audio that it has. */
export async function presentVoicemails(
  rows: readonly Stored[],
  input: Signing & Pick<ReadInput, 'read'>,
): Promise<string[]> {
  const audio = await audioOfAll(
    input.read,
    rows.map(({ id }) => id),
  )
  return rows.map(({ id, text }) => present(text, audioFields(input, id, audio.get(id) ?? noAudio)))
}

const present = (text: string, audio: object): string => `${text.slice(0, -1)},${JSON.stringify(audio).slice(1)}`

export function voicemailAnswer(status: number, input: Signing, { voicemail, audio }: Shown): Answer {
  const body = present(JSON.stringify(voicemail), audioFields(input, voicemail.id, audio))
  return { status, body, headers: { etag: etag(voicemail.version) }, isComposed: true }
}

export function publishVoicemail(
  work: Work,
  type: EventType & `voicemail.${string}`,
  input: Signing,
  { voicemail, audio }: Shown,
  more: object = {},
): void {
  const { id: voicemailId, callSessionId, callerNumber, transcript, personId } = voicemail
  const fields = audioFields(input, voicemailId, audio)
  const { recordingUrl, recordingApiUrl } = fields
  const told = {
    voicemailId,
    callSessionId,
    callerNumber,
    transcript,
    recordingUrl,
    recordingApiUrl,
    personId,
    voicemail: { ...voicemail, ...fields },
  }
  work.publish(type, { ...told, ...more })
}

/** External references are written by whoever syncs, and say nothing about the voicemail itself. */
export function publishUpdate(work: Work, input: Signing, shown: Shown, changed: readonly string[]): void {
  const changedFields = changed.filter((field) => field !== 'externalRefs')
  if (changedFields.length > 0) publishVoicemail(work, 'voicemail.updated', input, shown, { changedFields })
}

/** What storing audio takes. */
export type Keeping = Pick<BaseInput, 'services' | 'now'> & { readonly read: Reader }

/** Stores the bytes as they come. Nothing names them before a change does; if none ever does, they are swept. */
export async function keepAudio(
  { read: { database }, services: { blobs }, now }: Keeping,
  owner: { tenantId: string; voicemailId: string },
  { bytes: source, mediaType }: { bytes: Bytes; mediaType: string },
  refuse: { tooLarge: () => Error; empty: () => Error },
  bytesMax: number = limits.recordingBytes,
): Promise<KeptAudio> {
  const place = await listBlob(database, owner, now)
  try {
    const bytes = await blobs.put(folderOf(owner), place.blob, source, {
      bytesMax,
      tooLarge: refuse.tooLarge,
    })
    if (bytes === 0) throw refuse.empty()
    return { blob: place.blob, mediaType, bytes }
  } catch (error) {
    // What cannot be removed now is swept later.
    await discardBlob(database, blobs, place).catch(() => undefined)
    throw error
  }
}

/** Makes these bytes the audio of the voicemail. What was before leaves the disk once this is committed. */
export function nameAudio(work: Work, voicemailId: string, { blob, mediaType, bytes }: KeptAudio): void {
  const { tenantId, now } = work
  const place = { tenantId, voicemailId, blob }
  work.addStatement(
    sql`insert into voicemail_recordings (tenant_id, voicemail_id, blob, media_type, bytes)
      select ${tenantId}::uuid, ${voicemailId}::uuid, ${blob}, ${mediaType}, ${bytes}::bigint from not_a_replay
      on conflict (tenant_id, voicemail_id) do update
        set blob = excluded.blob, media_type = excluded.media_type, bytes = excluded.bytes returning 1`,
    1,
    { recurs: true },
  )
  work.addStatement(takeBlob(place), 1, { recurs: true })
  work.addStatement(dropReplaced(place, now), undefined, { recurs: true })
  work.announce(BLOB_DROPPED)
}

/** Nobody wants these bytes any more. */
export function dropAudio(work: Work, voicemailId: string, { blob }: KeptAudio): void {
  const { tenantId, now } = work
  work.addStatement(dropBlob({ tenantId, voicemailId, blob }, now), undefined, { recurs: true })
  work.announce(BLOB_DROPPED)
}

/** The audio was sent by hand: what was to be fetched is not awaited any more. */
export const stopAwaiting = (work: Work, voicemailId: string): void =>
  work.addStatement(cancelFetch(work.tenantId, voicemailId), undefined, { recurs: true })
