// Queues a text as part of a change, whoever wants it sent.
import { type ExternalRef, sms } from '@parley/contract'
import type { Change } from '../../store/change.js'
import { enqueueText, QUEUED } from '../../telephony/sms-queue.js'
import { writeRefs } from '../generic/external-ref-rows.js'
import { newRecord } from '../generic/record-values.js'
import type { WriteContext } from '../generic/system-caller.js'
import { addMessage, threadFor } from './conversations.js'
import type { PhoneNumber } from './phone-numbers.js'
import type { Sms } from './sms-event-data.js'

export interface Recipient {
  readonly to: string
  readonly personId: string | null
}

interface QueuedText extends Recipient {
  readonly body: string
  readonly sender: PhoneNumber
  readonly externalRefs?: readonly ExternalRef[]
}

/** Its thread, its message and its place in the outbox. */
export async function addOutboundSms(
  change: Change,
  input: WriteContext,
  { to, personId, body, sender, externalRefs = [] }: QueuedText,
): Promise<Sms> {
  const { e164: from, id: phoneNumberId } = sender
  const ends = { channel: 'sms', participantAddress: to, ourAddress: from, direction: 'outbound' } as const
  const thread = await threadFor(change, input, { ...ends, phoneNumberId, personId })
  const values = {
    direction: 'outbound',
    from,
    to,
    body,
    status: 'queued',
    threadId: thread.id,
    personId,
    phoneNumberId,
    sentAt: input.now.toISOString(),
  }
  const queued = newRecord(sms, input.caller, { ...values, externalRefs }, input.now)
  change.insert(sms, queued)
  await writeRefs(change, input, sms, undefined, queued)
  addMessage(change, input, {
    thread,
    channel: 'sms',
    direction: 'outbound',
    body,
    from,
    to,
    personId,
    smsId: queued.id,
  })
  change.addStatement(enqueueText(input.read.tenantId, queued.id, input.now), 1, { recurs: true }).announce(QUEUED)
  return queued
}
