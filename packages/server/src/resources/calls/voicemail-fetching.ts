// Fetching the audio of voicemails from where carriers keep it: which address is taken, and what the voicemail shows of
// it.
import { voicemails } from '@parley/contract'
import { sql } from '../../database/sql.js'
import { judgeUrl, type Network } from '../../delivery/transport/address-policy.js'
import type { Input } from '../../http/endpoint.js'
import { enqueueFetch, FETCH_QUEUED } from '../../recordings/fetch-queue.js'
import type { KeptAudio } from '../../recordings/fetch-recordings.js'
import { badRequest } from '../../store/api-error.js'
import type { Work } from '../../store/work.js'
import { type AudioState, audioOf, changedAudio, isOwnAddress, publishUpdate, type Signing } from './voicemail-audio.js'

/** What a fetch came to. */
export interface FetchedFile {
  readonly voicemailId: string
  readonly audio: KeptAudio | undefined
  readonly error: string | null
}

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

/** The voicemail with what became of the fetch; false when it is gone. */
export async function showAudio(work: Work, signing: Signing, { voicemailId, audio: kept, error }: FetchedFile) {
  const existing = await work.get(voicemails, voicemailId)
  if (existing === undefined) return false
  const before = await audioOf(work, voicemailId)
  const audio: AudioState = { blob: kept?.blob ?? before.blob, isAwaited: false, error }
  const voicemail = work.update(voicemails, existing, { searchUnchanged: true })
  publishUpdate(work, signing, { voicemail, audio }, changedAudio(before, audio))
  return true
}
