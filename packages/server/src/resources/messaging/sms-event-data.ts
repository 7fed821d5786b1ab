// What the events of a text say.
import { messages, type Row, type sms } from '@parley/contract'
import type { Change } from '../../store/change.js'
import type { Reader } from '../../store/reader.js'

export type Sms = Row<typeof sms>

/** The message of a text, pending in the change or stored. */
export async function messageIdOf(change: Change, read: Reader, smsId: string): Promise<string | null> {
  const pending = change.pending(messages).find((message) => message.smsId === smsId)
  const [message] = pending ? [pending] : await read.find(messages, { smsId }, 1)
  return message?.id ?? null
}

export const smsData = (text: Sms, messageId: string | null) => ({
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
