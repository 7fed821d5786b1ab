// Sending SMS: who gets it, from which number, and why not. The SMS is queued in the commit that answers; the outbox
// takes it to the carrier.
import { people, phoneNumbers, type SmsSend, sms, smsSendBody } from '@parley/contract'
import { type Endpoint, endpoint, type Input } from '../../http/endpoint.js'
import { isE164, isTextable, isWithheld } from '../../http/telephone.js'
import { badRequest, unprocessable } from '../../store/api-error.js'
import type { Reader } from '../../store/reader.js'
import type { Answer } from '../../store/response.js'
import type { Work } from '../../store/work.js'
import type { Carriers } from '../../telephony/carrier.js'
import { hasCarrier } from '../../telephony/carrier-choice.js'
import { crud } from '../generic/crud.js'
import { findByRefs } from '../generic/external-ref-rows.js'
import { listEndpoint } from '../generic/list.js'
import { findPersonByPhone } from '../people/people.js'
import { isOptedOut } from '../people/sms-consent.js'
import { latestThread } from './conversations.js'
import { defaultNumber, maySend, numberWith, type PhoneNumber, simulatedNumber } from './phone-numbers.js'
import { addOutboundSms, type Recipient } from './queue-sms.js'
import { inboundSmsEndpoints } from './receive-sms.js'
import type { Sms } from './sms-event-data.js'
import { presentSms, presentTexts } from './sms-media.js'
import { smsReceiptEndpoints } from './sms-receipts.js'

async function sendSms(input: Input<SmsSend>, carriers: Carriers): Promise<Answer<Sms>> {
  const { work, body: outbound } = input
  const known = await findByRefs(work, sms, outbound.externalRefs)
  if (known) return work.respond(200, known)
  const named = await namedSender(work, outbound)
  const recipient = await recipientOf(work, outbound)
  if (!(await hasCarrier(work, input.caller.environment, carriers))) {
    throw unprocessable('no_carrier', 'Connect a carrier first: an active integration connection of kind telephony')
  }
  if (await isOptedOut(work, recipient.to))
    throw unprocessable('recipient_opted_out', `${recipient.to} has opted out of texts`, { to: recipient.to })
  const sender = await senderFor(work, recipient.to, named)
  const queued = await addOutboundSms(work, {
    ...recipient,
    body: outbound.body,
    sender,
    externalRefs: outbound.externalRefs ?? [],
  })
  return work.respond(201, queued)
}

/** `to` wins over the person's own number. */
async function recipientOf(read: Reader, { to, personId }: SmsSend): Promise<Recipient> {
  if (!to && !personId) throw badRequest('to', 'or personId is required', 'required')
  const person = personId ? await read.get(people, personId) : undefined
  if (personId && person === undefined) throw badRequest('personId', 'names a person that does not exist', 'reference')
  if (to) await requireReachable(read, to)
  if (to) return { to, personId: person?.id ?? (await findPersonByPhone(read, to))?.id ?? null }
  if (!person?.primaryPhone)
    throw unprocessable('person_has_no_phone', 'This person has no primary phone; send `to` instead', { personId })
  return { to: person.primaryPhone, personId: person.id }
}

/** A short code is answered, not written to unasked: a few digits may as well be a number without its area code. */
async function requireReachable(read: Reader, to: string): Promise<void> {
  if (isE164(to)) return
  if (!isTextable(to)) throw unprocessable('recipient_unreachable', unreachable(to), { to })
  if ((await latestThread(read, 'sms', to)) === undefined) {
    throw badRequest(
      'to',
      'must be a phone number in E.164, for example +15550100200; a short code can be texted once it has sent a text',
      'format',
    )
  }
}

/** Names and the words for a withheld number come in, and nothing can go back to them. */
const unreachable = (to: string): string =>
  `No text can be sent to ${isWithheld(to) ? 'a withheld number' : `the sender name ${to}`}; ` +
  'send it to a phone number or a short code'

async function namedSender(read: Reader, { fromPhoneNumberId }: SmsSend): Promise<PhoneNumber | undefined> {
  const named = fromPhoneNumberId ? await read.get(phoneNumbers, fromPhoneNumberId) : undefined
  if (fromPhoneNumberId && named === undefined)
    throw badRequest('fromPhoneNumberId', 'names a phone number that does not exist', 'reference')
  return named
}

/** The number that was named, else the one of the thread, else the default, else in the sandbox a simulated one. */
async function senderFor(work: Work, to: string, named: PhoneNumber | undefined): Promise<PhoneNumber> {
  if (named) {
    if (!maySend(named))
      throw unprocessable('sender_not_active', `${named.e164} is ${named.status} or cannot send texts`, {
        status: named.status,
      })
    return named
  }
  const thread = await latestThread(work, 'sms', to)
  const ofThread = thread?.ourAddress ? await numberWith(work, thread.ourAddress) : undefined
  const sender = ofThread && maySend(ofThread) ? ofThread : await defaultNumber(work)
  const found = sender ?? (work.caller.environment === 'sandbox' ? await simulatedNumber(work) : undefined)
  if (found === undefined)
    throw unprocessable('no_sender_number', 'Name fromPhoneNumberId, or make an active phone number the default')
  return found
}

/** With an address for each picture that is there. */
const shown = (answer: Awaited<ReturnType<Endpoint['handle']>>, input: Input) =>
  'body' in answer && answer.body !== null
    ? { ...answer, body: presentSms(answer.body, input), isComposed: true }
    : answer

/** Which carriers this server can speak to decides whether a live key can send. */
export function smsEndpoints(carriers: Carriers): Endpoint[] {
  const { get: plainGet, create } = crud(sms)
  const get = { ...plainGet, handle: (input: Input) => plainGet.handle(input).then((answer) => shown(answer, input)) }
  const send = endpoint({
    ...create,
    summary: 'Send an SMS',
    description:
      'Queues the text and answers at once; `sms.sent` follows when the carrier has accepted it. Needs `to` or ' +
      '`personId`.',
    operationId: 'sendSms',
    body: smsSendBody,
    handle: (input) => sendSms(input, carriers),
  })
  return [listEndpoint(sms, presentTexts), get, send, ...inboundSmsEndpoints, ...smsReceiptEndpoints]
}
