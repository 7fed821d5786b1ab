// Who calls or texts, as Twilio writes it: numbers, spellings of a withheld number, and addresses that are no numbers.
import { isE164, isWithheld } from '../../http/telephone.js'

export interface Caller {
  /** Null when no number was shown, or it is none. */
  readonly from: string | null
  /** The SIP or client address, where it is one. */
  readonly address?: string
}

/** The words on a telephone's keys: ANONYMOUS, RESTRICTED, BLOCKED, UNKNOWN, UNAVAILABLE. */
const withheldNumbers = new Set(['266696687', '7378742833', '2562533', '8656696', '86282452253'])
const withheldWords = new Set(['blocked', 'private', 'withheld'])

export function callerOf(from: string | undefined): Caller {
  const text = (from ?? '').trim()
  if (/^(sip|sips|client):/i.test(text)) return { from: null, address: text }
  const digits = text.replace(/^\+(1(?=\d{10}$))?/, '')
  const isHidden =
    text === '' ||
    isWithheld(text) ||
    withheldWords.has(text.toLowerCase()) ||
    withheldNumbers.has(digits) ||
    withheldNumbers.has(text.replace(/^\+1?/, ''))
  return { from: isHidden ? null : text }
}

/** A channel of its own, such as WhatsApp, that is no SMS. */
export const channelOf = (address: string | undefined): string | undefined =>
  /^([a-z]+):/i.exec((address ?? '').trim())?.[1]?.toLowerCase()

export const numberIn = (address: string | undefined): string | null => {
  const text = (address ?? '').trim()
  return isE164(text) ? text : null
}
