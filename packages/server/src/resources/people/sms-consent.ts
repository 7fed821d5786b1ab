// Who does not want texts: the opt-in status of a number's contact methods, which the words STOP and START of the
// recipient set. It belongs to the number, whoever owns it, and outlives the person.
import { contactMethods, type Row } from '@parley/contract'
import { fenceNamed, finding, type Reader } from '../../store/reader.js'
import type { Work } from '../../store/work.js'
import { newRecord } from '../generic/record-values.js'

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
  const [methods] = await read.lookUp(methodsOf(e164))
  return methods.filter(isTextable)
}

const methodsOf = (e164: string) => finding(contactMethods, { normalizedValue: e164 })
const isTextable = ({ channel }: ContactMethod): boolean => channel === 'sms' || channel === 'phone'

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
  work: Work,
  text: { from: string; body: string; personId: string | null },
): Promise<void> {
  const optInStatus = askedOptIn(text.body)
  if (optInStatus === undefined) return
  // The fence keeps two texts of one number from making two contact methods.
  const [fence, all] = await work.lookUp(fenceNamed(`contact_method:sms:${text.from}`), methodsOf(text.from))
  const methods = all.filter(isTextable)
  if (wordOf(text.body) === AGAIN && !methods.some((method) => method.optInStatus === 'opted_out')) return
  for (const method of methods.filter((one) => one.optInStatus !== optInStatus)) {
    work.update(contactMethods, { ...method, optInStatus })
  }
  if (methods.some(({ channel }) => channel === 'sms')) return
  const owner = text.personId === null ? {} : { ownerType: 'person', ownerId: text.personId }
  const made = { channel: 'sms', value: text.from, normalizedValue: text.from, ...owner, optInStatus }
  work.addFence(fence)
  work.insert(contactMethods, newRecord(contactMethods, work, made))
}
