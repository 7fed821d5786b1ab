// Texts that come in: from a carrier's webhook, from the sandbox, from a simulation. All of them go through
// `addInboundSms`.
import { type InboundSms, inboundSmsBody, recordSchema, sms } from '@parley/contract'
import { type Endpoint, endpoint, type Input } from '../../http/endpoint.js'
import { isTextable } from '../../http/telephone.js'
import { badRequest } from '../../store/api-error.js'
import type { Change } from '../../store/change.js'
import { answers, json, ok, recordAnswer } from '../../store/response.js'
import { newRecord } from '../generic/record-values.js'
import { findTwin } from '../generic/reference-checks.js'
import type { WriteContext } from '../generic/system-caller.js'
import { findOrMakePerson } from '../people/people.js'
import { applyOptIn } from '../people/sms-consent.js'
import { addMessage, threadFor } from './conversations.js'
import { numberWith } from './phone-numbers.js'
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
  /** What the carrier took the text for, which wins over what it says. */
  readonly optOutType?: 'STOP' | 'START' | 'HELP' | null | undefined
}

/** The text with this id of its provider, if it came in before. */
export async function findInboundSms(
  input: Pick<WriteContext, 'read'>,
  providerMessageId: string | null | undefined,
): Promise<Sms | undefined> {
  return findTwin(input.read, sms, ['direction', 'providerMessageId'], {
    direction: 'inbound',
    providerMessageId: providerMessageId ?? null,
  })
}

/**
 * Records a text that came in: its person, thread and message, what it says about opting in or out, the answer to HELP,
 * and `sms.received`. Whoever calls has looked for it with `findInboundSms` first; a twin that comes at the same time
 * meets the unique index, and its handler runs again and finds it.
 */
export async function addInboundSms(change: Change, input: WriteContext, inbound: InboundText): Promise<Sms> {
  const { from, to, body, sentAt, providerMessageId, mediaUrls = [], numMedia = 0, media, optOutType } = inbound
  const at = sentAt ?? input.now.toISOString()
  const number = await numberWith(input.read, to)
  const phoneNumberId = number?.id ?? null
  const personId = (await findOrMakePerson(change, input, { phone: from, via: 'sms' }))?.id ?? null
  const ends = { channel: 'sms', participantAddress: from, ourAddress: to, direction: 'inbound' } as const
  const thread = await threadFor(change, input, { ...ends, phoneNumberId, personId })
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
  const record = newRecord(
    sms,
    input.caller,
    {
      ...values,
      mediaUrls: kept,
      numMedia: Math.max(numMedia, kept.length),
      sentAt: at,
      providerMessageId: providerMessageId ?? null,
    },
    input.now,
  )
  const { text: received, told } = media
    ? withMedia(change, { ...input, ...media.signing }, record, media.sources)
    : { text: record, told: record }
  change.insert(sms, received)
  const message = addMessage(change, input, {
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
    await applyOptIn(change, input, { from, body: asked, personId })
    await answerHelp(change, input, { from, body: asked, personId, number })
  }
  change.publish('sms.received', smsData(told, message.id))
  return received
}

async function receiveSms(input: Input<InboundSms>): Promise<Change> {
  const { media, ...sent } = input.body
  const sources = media ?? []
  const inbound: InboundText = {
    ...inboundText({ ...sent, ...(media && { media }) }),
    ...(sources.length > 0 && { media: { sources, signing: input } }),
  }
  const known = await findInboundSms(input, inbound.providerMessageId)
  if (known) return ok(known)
  const change = answers(json(201, null))
  return change.withResponse(recordAnswer(201, await addInboundSms(change, input, inbound)))
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
      'For carriers and bridges. Once per `providerMessageId`: the same one again answers 200 with the same SMS. A picture without words has an empty `body`.',
    tag: sms.label,
    body: inboundSmsBody,
    returns: { status: [201, 200], schema: recordSchema(sms) },
    handle: receiveSms,
  }),
]
