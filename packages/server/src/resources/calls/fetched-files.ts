// Files that are fetched from where others keep them: the audio of voicemails and calls, and what came with texts. What
// may be fetched for whom, and how the worker's result is committed with the record that it belongs to.
import { limits } from '@parley/contract'
import type { Services } from '../../http/endpoint.js'
import { attachmentType, audioTypeOf } from '../../recordings/audio-type.js'
import { type FetchError, FetchFailure } from '../../recordings/fetch-failure.js'
import { type ClaimedFetch, finishFetch, holdsFetch, retryFetch } from '../../recordings/fetch-queue.js'
import type { FetchParts, FetchResult, KeptAudio } from '../../recordings/fetch-recordings.js'
import type { Bytes } from '../../store/blobs.js'
import { Reader } from '../../store/reader.js'
import type { Work } from '../../store/work.js'
import { commitAsSystem, type SystemParts } from '../generic/system-caller.js'
import { showMedia } from '../messaging/sms-media.js'
import { showCallRecording } from './call-recording.js'
import { dropAudio, keepAudio, nameAudio, type Signing } from './voicemail-audio.js'
import { type FetchedFile, showAudio } from './voicemail-fetching.js'

const WORKER = 'recording-fetcher'

/** What is taken from an address. */
export interface Wanted {
  readonly accept: string
  /** The media type to keep; undefined for one that is not taken. */
  readonly typeOf: (header: string | undefined, path: string) => string | undefined
  readonly otherType: FetchError
  readonly bytesMax: number
  /** What opens the file at its provider. */
  readonly authorization?: string | undefined
}

const audio: Wanted = {
  accept: 'audio/*',
  typeOf: audioTypeOf,
  otherType: 'not_audio',
  bytesMax: limits.recordingBytes,
}
const wanted: Readonly<Record<ClaimedFetch['owner'], Wanted>> = {
  voicemail: audio,
  call: audio,
  sms: { accept: '*/*', typeOf: attachmentType, otherType: 'unsupported_type', bytesMax: limits.smsMediaBytes },
}

export interface FetchingParts extends SystemParts {
  readonly services: Services
  readonly download: (
    address: string,
    stopping: AbortSignal,
    take: (file: { bytes: Bytes; mediaType: string }) => Promise<KeptAudio>,
    wanted: Wanted,
  ) => Promise<KeptAudio>
  /** The header that opens a file at a provider that the tenant is connected to. */
  readonly authorize: (tenantId: string, address: string) => Promise<string | undefined>
}

export function recordingFetching(parts: FetchingParts): Pick<FetchParts, 'fetch' | 'settle'> {
  return {
    fetch: (claimed, stopping) => fetchFile(parts, claimed, stopping),
    settle: (claimed, result) => settle(parts, claimed, result),
  }
}

const refuse = { tooLarge: () => new FetchFailure('too_large', true), empty: () => new FetchFailure('empty', false) }

async function fetchFile(parts: FetchingParts, claimed: ClaimedFetch, stopping: AbortSignal): Promise<KeptAudio> {
  const { database, sealer, services, clock, download } = parts
  const keeping = { read: new Reader(database, claimed.tenantId), services, now: clock() }
  const address = sealer.open(claimed.address)
  const what = { ...wanted[claimed.owner], authorization: await parts.authorize(claimed.tenantId, address) }
  return download(address, stopping, (file) => keepAudio(keeping, claimed, file, refuse, what.bytesMax), what)
}

type Show = (work: Work, signing: Signing, fetched: FetchedFile, ownerId: string | null) => Promise<boolean>

/** How the record that a file belongs to shows it; false when the record is gone. */
const shows: Readonly<Record<ClaimedFetch['owner'], Show>> = {
  voicemail: showAudio,
  call: showCallRecording,
  sms: showMedia,
}

async function settle(parts: FetchingParts, claimed: ClaimedFetch, result: FetchResult): Promise<void> {
  const { database, sealer, services } = parts
  const { tenantId, voicemailId, owner, ownerId } = claimed
  await commitAsSystem(parts, tenantId, WORKER, async (work) => {
    // Whoever took over after our lease lapsed decides now, and so does whoever sent the file or another address
    // meanwhile.
    if (!(await holdsFetch(database, claimed))) {
      if (result.kind === 'kept') dropAudio(work, voicemailId, result.audio)
      return
    }
    if (result.kind === 'again') return work.addStatement(retryFetch(claimed, result.dueAt), 1, { recurs: true })
    const error = result.kind === 'failed' ? result.error : null
    const kept = result.kind === 'kept' ? result.audio : undefined
    work.addStatement(finishFetch(claimed, error), 1, { recurs: true })
    const { caller, now } = work
    const isThere = await shows[owner](
      work,
      { caller, now, sealer, services },
      { voicemailId, audio: kept, error },
      ownerId,
    )
    if (isThere && kept) nameAudio(work, voicemailId, kept)
  })
}
