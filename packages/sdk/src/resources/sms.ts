// SMS: send, list, and what carriers and bridges report.
import type { ApiPromise } from '../api-promise.js'
import type { SmsVerbs } from '../generated/entities.js'
import type { Sms, SmsCreate } from '../generated/records.js'
import type { InboundSms, SmsReceipt } from '../generated/shapes.js'
import { ask, type RequestOptions, type Send } from '../transport.js'
import { act, verbs } from './verbs.js'

export interface SmsMessages extends SmsVerbs {
  /** Queues an SMS, as `create` does; the event `sms.sent` follows when the carrier has taken it. */
  send(body: SmsCreate, options?: RequestOptions): ApiPromise<Sms>
  /** Records an SMS that came in. */
  receive(body: InboundSms, options?: RequestOptions): ApiPromise<Sms>
  /** Records a carrier's receipt; one that comes late changes nothing. */
  report(id: string, body: SmsReceipt, options?: RequestOptions): ApiPromise<Sms>
}

export function sms(send: Send): SmsMessages {
  const plain: SmsVerbs = verbs(send, 'sms')
  return {
    ...plain,
    send: plain.create,
    receive: (body, options) => ask(send, { method: 'POST', path: '/sms/inbound', body, options }),
    report: (id, body, options) => act(send, 'sms', id, 'status', body, options),
  }
}
