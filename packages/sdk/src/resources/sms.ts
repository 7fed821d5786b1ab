// Texts: send, list, and what carriers and bridges report.
import type { Sms, SmsCreate } from '../records.js'
import { ask, path, type RequestOptions, type Send } from '../transport.js'
import { records } from './records.js'

/** `to` or `personId` is needed. */
export interface SmsSend {
  body: string
  to?: string | null | undefined
  personId?: string | null | undefined
  fromPhoneNumberId?: string | null | undefined
  externalRefs?: SmsCreate['externalRefs']
}

export interface InboundSms {
  /** A number, a short code, a sender's name, or null where the carrier shows none. */
  from: string | null
  to: string
  /** May be left out where `mediaUrls` or `numMedia` tells of pictures. */
  body?: string | null | undefined
  mediaUrls?: string[] | undefined
  numMedia?: number | undefined
  sentAt?: string | null | undefined
  /** The same one again is answered with the same text. */
  providerMessageId?: string | null | undefined
}

export interface SmsReceipt {
  status: Sms['status']
  errorCode?: string | null | undefined
  errorMessage?: string | null | undefined
  at?: string | null | undefined
}

export const sms = (send: Send) => {
  const { list, get } = records(send, 'sms')
  return {
    list,
    get,
    /** Queues a text; the event `sms.sent` follows when the carrier has taken it. */
    send: (body: SmsSend, options?: RequestOptions): Promise<Sms> => ask(send, { method: 'POST', path: '/sms', body, options }),
    /** Records a text that came in. */
    receive: (body: InboundSms, options?: RequestOptions): Promise<Sms> => ask(send, { method: 'POST', path: '/sms/inbound', body, options }),
    /** Records a carrier's receipt; one that comes late changes nothing. */
    report: (id: string, body: SmsReceipt, options?: RequestOptions): Promise<Sms> =>
      ask(send, { method: 'POST', path: path`/sms/${id}/status`, body, options }),
  }
}
