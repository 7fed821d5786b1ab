// Who does not want texts: the opt-in status of a number's contact methods, which the words STOP and START of the
// recipient set. It belongs to the number, whoever owns it, and outlives the person.
import { contactMethods, type Row } from '@parley/contract'
import type { Change } from '../../store/change.js'
import type { Reader } from '../../store/reader.js'
import { newRecord, nextVersion } from '../generic/record-values.js'
import type { WriteContext } from '../generic/system-caller.js'

type ContactMethod = Row<typeof contactMethods>
type OptIn = Extract<ContactMethod['optInStatus'], 'opted_in' | 'opted_out'>

const stopWords = new Set(['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT'])
const startWords = new Set(['START', 'UNSTOP'])
/** Means "again" to someone who had said stop, and is ordinary talk to everyone else. */
const AGAIN = 'YES'

/** One number that says no is enough, however many contact methods name it. */
export async function isOptedOut(read: Reader, e164: string): Promise<boolean> {
  return (await textableMethods(read, e164)).some(({ optInStatus }) => optInStatus === 'opted_out')
}

/** Contact methods under which a number gets texts. */
async function textableMethods(read: Reader, e164: string): Promise<ContactMethod[]> {
  const methods = await read.find(contactMethods, { normalizedValue: e164 })
  return methods.filter(({ channel }) => channel === 'sms' || channel === 'phone')
}

/** What the sender of a text asks for with it; undefined when it is ordinary talk. */
function askedOptIn(body: string): OptIn | undefined {
  const word = wordOf(body)
  if (stopWords.has(word)) return 'opted_out'
  return startWords.has(word) || word === AGAIN ? 'opted_in' : undefined
}

/** A text as a word of command: alone, in any case, with or without a full stop. */
export const wordOf = (body: string): string =>
  body
    .trim()
    .replace(/[.!]+$/, '')
    .toUpperCase()

/**
 * Does what an inbound text asks for: all contact methods of the number say so from now on, and one is made where there
 * is none.
 */
export async function applyOptIn(
  change: Change,
  input: WriteContext,
  text: { from: string; body: string; personId: string | null },
): Promise<void> {
  const optInStatus = askedOptIn(text.body)
  if (optInStatus === undefined) return
  // The fence keeps two texts of one number from making two contact methods.
  const fence = await input.read.fence(`contact_method:sms:${text.from}`)
  const methods = await textableMethods(input.read, text.from)
  if (wordOf(text.body) === AGAIN && !methods.some((method) => method.optInStatus === 'opted_out')) return
  for (const method of methods.filter((one) => one.optInStatus !== optInStatus)) {
    change.update(contactMethods, nextVersion({ ...method, optInStatus }, input.now))
  }
  if (methods.some(({ channel }) => channel === 'sms')) return
  const owner = text.personId === null ? {} : { ownerType: 'person', ownerId: text.personId }
  const made = { channel: 'sms', value: text.from, normalizedValue: text.from, ...owner, optInStatus }
  change.fence(fence).insert(contactMethods, newRecord(contactMethods, input.caller, made, input.now))
}
