// Queues an SMS as part of a change, whoever wants it sent.
import { type ExternalRef, sms } from '@parley/contract'
import type { Work } from '../../store/work.js'
import { enqueueText, QUEUED } from '../../telephony/sms-queue.js'
import { writeRefs } from '../generic/external-ref-rows.js'
import { newRecord } from '../generic/record-values.js'
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
  work: Work,
  { to, personId, body, sender, externalRefs = [] }: QueuedText,
): Promise<Sms> {
  const { e164: from, id: phoneNumberId } = sender
  const ends = { channel: 'sms', participantAddress: to, ourAddress: from, direction: 'outbound' } as const
  const thread = await threadFor(work, { ...ends, phoneNumberId, personId })
  const values = {
    direction: 'outbound',
    from,
    to,
    body,
    status: 'queued',
    threadId: thread.id,
    personId,
    phoneNumberId,
    sentAt: work.now.toISOString(),
  }
  const queued = work.insert(sms, newRecord(sms, work, { ...values, externalRefs }))
  await writeRefs(work, sms, undefined, queued)
  addMessage(work, {
    thread,
    channel: 'sms',
    direction: 'outbound',
    body,
    from,
    to,
    personId,
    smsId: queued.id,
  })
  work.addStatement(enqueueText(work.tenantId, queued.id, work.now), 1, { recurs: true })
  work.announce(QUEUED)
  return queued
}
