// Texts that come in: from a carrier's webhook, from the sandbox, from a simulation. All of them go through
// `addInboundSms`.
import { type InboundSms, inboundSmsBody, recordSchema, sms } from '@parley/contract'
import { type Endpoint, endpoint, type Input } from '../../http/endpoint.js'
import { isTextable } from '../../http/telephone.js'
import { badRequest } from '../../store/api-error.js'
import { findingBy } from '../../store/reader.js'
import type { Answer } from '../../store/response.js'
import type { Work } from '../../store/work.js'
import { newRecord } from '../generic/record-values.js'
import { findOrMakePerson, personLookups } from '../people/people.js'
import { applyOptIn } from '../people/sms-consent.js'
import { addMessage, threadFor, threadLookups } from './conversations.js'
import { numberLookup, numberWith } from './phone-numbers.js'
import { type Sms, smsData } from './sms-event-data.js'
import { answerHelp } from './sms-help-reply.js'
import { type MediaSource, withMedia } from './sms-media.js'

export interface InboundText {
  /** Null when the sender shows no number. */
  readonly from: string | null
  readonly to: string
  readonly body: string
  readonly mediaUrls?: readonly string[]
  readonly numMedia?: number
  readonly sentAt?: string | null | undefined
  readonly providerMessageId?: string | null | undefined
  /** What came with it, to be fetched; needs what signs addresses. */
  readonly media?: { readonly sources: readonly MediaSource[]; readonly signing: Pick<Input, 'sealer' | 'services'> }
  /** What the carrier took the SMS for, which wins over what it says. */
  readonly optOutType?: 'STOP' | 'START' | 'HELP' | null | undefined
}

/** The SMS with this id of its provider, if it came in before. */
export async function findInboundSms(
  work: Work,
  providerMessageId: string | null | undefined,
): Promise<Sms | undefined> {
  if (typeof providerMessageId !== 'string') return undefined
  const [[known]] = await work.lookUp(inboundLookup(providerMessageId))
  return known
}

const inboundLookup = (providerMessageId: string) =>
  findingBy('providerMessageId', sms, { direction: 'inbound', providerMessageId }, 1)

/** Fetches all that recording an inbound SMS looks up, in one round trip. */
async function fetchInboundAhead(work: Work, { from, to, providerMessageId }: InboundText): Promise<void> {
  const ends = { channel: 'sms', participantAddress: from ?? '', ourAddress: to } as const
  await work.fetchAhead(
    ...(typeof providerMessageId === 'string' ? [[inboundLookup(providerMessageId)]] : []),
    [numberLookup(to)],
    ...(from === null ? [] : [personLookups(from), threadLookups(ends)]),
  )
}

/**
 * Records an SMS that came in: its person, thread and message, what it says about opting in or out, the answer to HELP,
 * and `sms.received`. Whoever calls has looked for it with `findInboundSms` first; a twin that comes at the same time
 * meets the unique index, and its handler runs again and finds it.
 */
export async function addInboundSms(work: Work, inbound: InboundText): Promise<Sms> {
  const { from, to, body, sentAt, providerMessageId, mediaUrls = [], numMedia = 0, media, optOutType } = inbound
  const at = sentAt ?? work.now.toISOString()
  const number = await numberWith(work, to)
  const phoneNumberId = number?.id ?? null
  const personId = (await findOrMakePerson(work, { phone: from, via: 'sms' }))?.id ?? null
  const ends = { channel: 'sms', participantAddress: from, ourAddress: to, direction: 'inbound' } as const
  const thread = await threadFor(work, { ...ends, phoneNumberId, personId })
  const values = {
    direction: 'inbound',
    from,
    fromWithheld: from === null,
    to,
    body,
    status: 'received',
    threadId: thread.id,
    personId,
    phoneNumberId,
  }
  const kept = mediaUrls.length > 0 ? mediaUrls : (media?.sources ?? []).map(({ url }) => url)
  const counted = { mediaUrls: kept, numMedia: Math.max(numMedia, kept.length) }
  const said = { ...values, ...counted, sentAt: at, providerMessageId: providerMessageId ?? null }
  const record = newRecord(sms, work, said)
  const { text, told } = media ? withMedia(work, media.signing, record, media.sources) : { text: record, told: record }
  const received = work.insert(sms, text)
  const message = addMessage(work, {
    thread,
    channel: 'sms',
    direction: 'inbound',
    body,
    from,
    to,
    personId,
    smsId: received.id,
    at,
  })
  if (isTextable(from)) {
    const asked = optOutType ?? body
    await applyOptIn(work, { from, body: asked, personId })
    await answerHelp(work, { from, body: asked, personId, number })
  }
  work.publish('sms.received', smsData(told, message.id))
  return received
}

async function receiveSms({ work, body, sealer, services }: Input<InboundSms>): Promise<Answer<Sms>> {
  const { media: sources = [] } = body
  const inbound: InboundText = {
    ...inboundText(body),
    ...(sources.length > 0 && { media: { sources, signing: { sealer, services } } }),
  }
  await fetchInboundAhead(work, inbound)
  const known = await findInboundSms(work, inbound.providerMessageId)
  if (known) return work.respond(200, known)
  return work.respond(201, await addInboundSms(work, inbound))
}

/** A picture needs no words. */
function inboundText({ body, media = [], ...sent }: InboundSms): InboundText {
  const hasMedia = (sent.mediaUrls ?? []).length > 0 || media.length > 0 || (sent.numMedia ?? 0) > 0
  if (!hasMedia && (body ?? '').trim() === '')
    throw badRequest('body', 'is required unless mediaUrls or numMedia tells of pictures', 'required')
  return { ...sent, body: body ?? '' }
}

export const inboundSmsEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/sms/inbound',
    scope: 'WRITE',
    operationId: 'receiveSms',
    summary: 'Record an inbound SMS',
    description:
      'For carriers and bridges. Once per `providerMessageId`: the same one again answers 200 with the same SMS. ' +
      'A picture without words has an empty `body`.',
    tag: sms.label,
    body: inboundSmsBody,
    returns: { status: [201, 200], schema: recordSchema(sms) },
    handle: receiveSms,
  }),
]
