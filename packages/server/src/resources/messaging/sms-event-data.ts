// What the events of a text say.
import { type EventData, messages, type Row, type sms } from '@parley/contract'
import type { Change } from '../../store/change.js'
import type { Reader } from '../../store/reader.js'

export type Sms = Row<typeof sms>

/**
 * The message of a text, pending in the change or stored. A text that came to be without one stands for itself: its
 * event is still told.
 */
export async function messageIdOf(change: Change, read: Reader, smsId: string): Promise<string> {
  const pending = change.pending(messages).find((message) => message.smsId === smsId)
  const [message] = pending ? [pending] : await read.find(messages, { smsId }, 1)
  return message?.id ?? smsId
}

export const smsData = (text: Sms, messageId: string): EventData<'sms.received'> => ({
  smsId: text.id,
  messageId,
  threadId: text.threadId,
  from: text.from,
  to: text.to,
  body: text.body,
  sentAt: text.sentAt,
  personId: text.personId,
  sms: text,
})

/** The same of a text that we sent, which has a number of ours. */
export const sentSmsData = (text: Sms, messageId: string): EventData<'sms.sent'> => ({
  ...smsData(text, messageId),
  from: text.from ?? '',
})
