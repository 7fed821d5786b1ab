// Fetching the audio of voicemails from where carriers keep it: which address is taken, and how the worker's result is
// committed.
import { voicemails } from '@parley/contract'
import { sql } from '../../database/sql.js'
import { judgeUrl, type Network } from '../../delivery/transport/address-policy.js'
import type { Input, Services } from '../../http/endpoint.js'
import { FetchFailure } from '../../recordings/fetch-failure.js'
import {
  type ClaimedFetch,
  enqueueFetch,
  FETCH_QUEUED,
  finishFetch,
  holdsFetch,
  retryFetch,
} from '../../recordings/fetch-queue.js'
import type { FetchParts, FetchResult, KeptAudio } from '../../recordings/fetch-recordings.js'
import { badRequest } from '../../store/api-error.js'
import type { Bytes } from '../../store/blobs.js'
import { Reader } from '../../store/reader.js'
import { commitAsSystem, type SystemParts } from '../generic/system-caller.js'
import {
  type AudioState,
  audioOf,
  changedAudio,
  dropAudio,
  isOwnAddress,
  keepAudio,
  nameAudio,
  publishUpdate,
} from './voicemail-audio.js'

const WORKER = 'recording-fetcher'

/**
 * The address that a body names, if it is one to fetch from: what we gave ourselves comes back with a record that was
 * read.
 */
export function addressIn(input: Pick<Input, 'body' | 'services'>, opened: readonly Network[]): string | undefined {
  const { recordingUrl } = input.body
  if (typeof recordingUrl !== 'string' || isOwnAddress(input, recordingUrl)) return undefined
  const judgement = judgeUrl(recordingUrl, opened)
  if (judgement.kind === 'accepted') return recordingUrl
  throw badRequest('recordingUrl', judgement.message.replace(/^The url /, '').replace(/\.$/, ''), 'url')
}

/** Queues the fetch from an address. One that is under way or was good is not begun again; one that failed is. */
export async function awaitAudio(
  { work, sealer }: Pick<Input, 'work' | 'sealer'>,
  voicemailId: string,
  address: string | undefined,
  before: AudioState,
): Promise<AudioState> {
  if (address === undefined) return before
  const { database, tenantId, now } = work
  const [known] = await database.read<[Buffer]>(sql`select address from recording_fetches
    where tenant_id = ${tenantId} and voicemail_id = ${voicemailId} and error is null`)
  if (known && sealer.open(known[0]) === address) return before
  work.addStatement(enqueueFetch(tenantId, voicemailId, sealer.seal(address), now), 1, { recurs: true })
  work.announce(FETCH_QUEUED)
  return { ...before, isAwaited: true, error: null }
}

export interface FetchingParts extends SystemParts {
  readonly services: Services
  readonly download: (
    address: string,
    stopping: AbortSignal,
    take: (audio: { bytes: Bytes; mediaType: string }) => Promise<KeptAudio>,
  ) => Promise<KeptAudio>
}

export function recordingFetching(parts: FetchingParts): Pick<FetchParts, 'fetch' | 'settle'> {
  return {
    fetch: (claimed, stopping) => fetchAudio(parts, claimed, stopping),
    settle: (claimed, result) => settle(parts, claimed, result),
  }
}

const refuse = { tooLarge: () => new FetchFailure('too_large', true), empty: () => new FetchFailure('empty', false) }

function fetchAudio(
  { database, sealer, services, clock, download }: FetchingParts,
  claimed: ClaimedFetch,
  stopping: AbortSignal,
): Promise<KeptAudio> {
  const keeping = { read: new Reader(database, claimed.tenantId), services, now: clock() }
  return download(sealer.open(claimed.address), stopping, (audio) => keepAudio(keeping, claimed, audio, refuse))
}

async function settle(parts: FetchingParts, claimed: ClaimedFetch, result: FetchResult): Promise<void> {
  const { database, sealer, services } = parts
  const { tenantId, voicemailId } = claimed
  await commitAsSystem(parts, tenantId, WORKER, async (work) => {
    // Whoever took over after our lease lapsed decides now, and so does whoever sent the audio or another address
    // meanwhile.
    if (!(await holdsFetch(database, claimed))) {
      if (result.kind === 'kept') dropAudio(work, voicemailId, result.audio)
      return
    }
    if (result.kind === 'again') return work.addStatement(retryFetch(claimed, result.dueAt), 1, { recurs: true })
    const error = result.kind === 'failed' ? result.error : null
    work.addStatement(finishFetch(claimed, error), 1, { recurs: true })
    const existing = await work.get(voicemails, voicemailId)
    if (existing === undefined) return
    const before = await audioOf(work, voicemailId)
    const audio: AudioState = {
      blob: result.kind === 'kept' ? result.audio.blob : before.blob,
      isAwaited: false,
      error,
    }
    const voicemail = work.update(voicemails, existing, { searchUnchanged: true })
    if (result.kind === 'kept') nameAudio(work, voicemailId, result.audio)
    const { caller, now } = work
    const signing = { caller, now, sealer, services }
    publishUpdate(work, signing, { voicemail, audio }, changedAudio(before, audio))
  })
}
