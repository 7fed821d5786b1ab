// HELP in an SMS: answered where the tenant has a message for it. Many carriers answer by themselves, and two answers
// would confuse, so without one nothing is sent.

import type { Work } from '../../store/work.js'
import { isOptedOut, wordOf } from '../people/sms-consent.js'
import { maySend, type PhoneNumber } from './phone-numbers.js'
import { addOutboundSms } from './queue-sms.js'

const helpWords = new Set(['HELP', 'INFO'])

/**
 * The answer goes out from the number that was asked, in the same thread. Who has opted out gets no text, this one
 * included.
 */
export async function answerHelp(
  work: Work,
  {
    from,
    body,
    personId,
    number,
  }: { from: string; body: string; personId: string | null; number: PhoneNumber | undefined },
): Promise<void> {
  const message = work.caller.settings.smsHelpMessage
  if (message === null || !helpWords.has(wordOf(body)) || number === undefined || !maySend(number)) return
  if (await isOptedOut(work, from)) return
  await addOutboundSms(work, { to: from, personId, body: message, sender: number })
}
