// HELP in a text: answered where the side has a message for it. Many carriers answer by themselves, and two answers
// would confuse, so without one nothing is sent.
import type { Change } from '../../store/change.js'
import type { WriteContext } from '../generic/system-caller.js'
import { isOptedOut, wordOf } from '../people/sms-consent.js'
import { maySend, type PhoneNumber } from './phone-numbers.js'
import { addOutboundSms } from './queue-sms.js'

const helpWords = new Set(['HELP', 'INFO'])

/**
 * The answer goes out from the number that was asked, in the same thread. Who has opted out gets no text, this one
 * included.
 */
export async function answerHelp(
  change: Change,
  input: WriteContext,
  {
    from,
    body,
    personId,
    number,
  }: { from: string; body: string; personId: string | null; number: PhoneNumber | undefined },
): Promise<void> {
  const message = input.caller.settings.smsHelpMessage
  if (message === null || !helpWords.has(wordOf(body)) || number === undefined || !maySend(number)) return
  if (await isOptedOut(input.read, from)) return
  await addOutboundSms(change, input, { to: from, personId, body: message, sender: number })
}
