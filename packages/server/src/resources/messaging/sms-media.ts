// What came with an SMS: fetched from where the carrier keeps it into our own store, and shown under addresses that are
// signed at each read.
import { limits, sms } from '@parley/contract'
import type { BaseInput } from '../../http/endpoint.js'
import { enqueueFetch, FETCH_QUEUED } from '../../recordings/fetch-queue.js'
import type { KeptAudio } from '../../recordings/fetch-recordings.js'
import { signedPath } from '../../recordings/signed-address.js'
import { newId } from '../../store/id.js'
import type { Stored } from '../../store/reader.js'
import type { Work } from '../../store/work.js'
import type { Sms } from './sms-event-data.js'

type Media = Sms['media'][number]
type Signing = Pick<BaseInput, 'caller' | 'now' | 'sealer' | 'services'>

/** Something that came with an SMS, and where the carrier keeps it. */
export interface MediaSource {
  readonly contentType: string
  readonly url: string
}

function mediaAddress({ services, sealer, caller: { tenantId }, now }: Signing, id: string): string {
  const expiresAt = new Date(now.getTime() + limits.recordingUrlSeconds * 1_000)
  return `${services.publicUrl()}/api/v1${signedPath(sealer, { tenantId, id, expiresAt })}`
}

/** The SMS with what came with it, each to be fetched; and the same as its event tells it. */
export function withMedia(
  work: Work,
  { sealer, services }: Pick<Signing, 'sealer' | 'services'>,
  text: Sms,
  sources: readonly MediaSource[],
): { readonly text: Sms; readonly told: Sms } {
  const media = sources.map(
    ({ contentType }): Media => ({ id: newId(work.now), contentType, bytes: null, status: 'pending', url: null }),
  )
  for (const [index, { id }] of media.entries()) {
    const address = sealer.seal(sources[index]?.url ?? '')
    const statement = enqueueFetch(work.tenantId, id, address, work.now, { kind: 'sms', id: text.id })
    work.addStatement(statement, 1, { recurs: true })
    work.announce(FETCH_QUEUED)
  }
  // Whoever hears of the SMS may ask for them at once: they are there a moment later.
  const { caller, now } = work
  const told = media.map((one) => ({ ...one, url: mediaAddress({ caller, now, sealer, services }, one.id) }))
  return { text: { ...text, media }, told: { ...text, media: told } }
}

/** The SMS with what became of a fetch; false when it is gone. */
export async function showMedia(
  work: Work,
  _signing: Signing,
  { voicemailId: id, audio }: { readonly voicemailId: string; readonly audio: KeptAudio | undefined },
  smsId: string | null,
): Promise<boolean> {
  const before = smsId === null ? undefined : await work.get(sms, smsId)
  if (before === undefined) return false
  const fetched: Partial<Media> = audio
    ? { status: 'available', bytes: audio.bytes, contentType: audio.mediaType }
    : { status: 'failed' }
  const media = before.media.map((one) => (one.id === id ? { ...one, ...fetched } : one))
  work.update(sms, { ...before, media }, { searchUnchanged: true })
  return true
}

/** An SMS as it is read: what is there has an address. */
export function presentSms(text: string, input: Signing): string {
  if (!text.includes('"status":"available"')) return text
  const record: Sms = JSON.parse(text)
  const media = record.media.map((one) =>
    one.status === 'available' ? { ...one, url: mediaAddress(input, one.id) } : one,
  )
  return JSON.stringify({ ...record, media })
}

export const presentTexts = (rows: readonly Stored[], input: Signing): string[] =>
  rows.map(({ text }) => presentSms(text, input))
