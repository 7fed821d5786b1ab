// What the events of an SMS say.
import { type EventData, messages, type Row, type sms } from '@parley/contract'
import type { Work } from '../../store/work.js'

export type Sms = Row<typeof sms>

/** The message of an SMS. One that came to be without any stands for itself: its event is still told. */
export async function messageIdOf(work: Work, smsId: string): Promise<string> {
  const [message] = await work.find(messages, { smsId }, 1)
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

/** The same of an SMS that we sent, which has a number of ours. */
export const sentSmsData = (text: Sms, messageId: string): EventData<'sms.sent'> => ({
  ...smsData(text, messageId),
  from: text.from ?? '',
})
