// A title and a summary in the words of the conversation: why they called, what was learned, what was agreed. Nothing is
// said that nobody said.
import type { FoundField } from '../understanding.js'
import type { Line, Sentence } from './lines.js'

const TITLE_MAX = 80
const SUMMARY_MAX = 1_000
const SHOWN_FIELDS = 12

/** What opens a request and says nothing of it. */
const opening =
  /^(?:(?:hi|hello|hey|good (?:morning|afternoon|evening)|yes|yeah|um+|uh+|so|well|okay|ok|please|there|sure)\b[\s,.!]*)+/i
const introduction =
  /^(?:[Tt]his is|[Mm]y name(?:'s| is)|I'm|I am|[Ii]t's)(?: [A-Z][\p{L}'-]*){1,3}(?:,| and|\.| here| from\b[^,.]*,)\s*/u
const wish =
  /^(?:i(?:'d| would) like (?:you )?to|i(?:'m| am) (?:calling|phoning) (?:because|about|to|as|regarding)|i want(?:ed)? (?:you )?to|i need (?:you )?to|i(?:'m| am) (?:looking|trying|hoping) (?:for|to)|(?:can|could|would|will) you(?: please)?|i(?:'d| would) like|i need|i want|please|i was wondering if you could)\s+/i

const textOf = ({ line, start, end }: Sentence): string => line.text.slice(start, end).trim()

/** The first sentence of the caller that says what it is about. */
function reasonOf(lines: readonly Line[]): string | undefined {
  let first: string | undefined
  for (const line of lines) {
    if (line.isOurs) continue
    for (const said of line.sentences) {
      const bare = textOf(said).replace(opening, '').replace(introduction, '').trim()
      if (isTelling(bare)) return bare
      if (bare !== '') first ??= bare
    }
  }
  return first
}

const isTelling = (text: string): boolean => text.split(/\s+/).length >= 4 && !/^(?:my name|this is|it's)\b/i.test(text)

export function titleOf(lines: readonly Line[]): string | null {
  const reason = reasonOf(lines)
  if (reason === undefined) return null
  const plain = reason.replace(wish, '').replace(/[.!?\s]+$/, '')
  return capital(cut(plain, TITLE_MAX)) || null
}

export function summaryOf(lines: readonly Line[], fields: readonly FoundField[]): string | null {
  const reason = reasonOf(lines)
  if (reason === undefined) return null
  const learned = fields.slice(0, SHOWN_FIELDS).map(({ label, value }) => `${label}: ${shown(value)}`)
  const agreed = outcomeOf(lines)
  const parts = [sentence(capital(reason)), learned.length > 0 ? `${learned.join('; ')}.` : '', agreed ?? '']
  return cut(parts.filter((part) => part !== '').join(' '), SUMMARY_MAX)
}

const settled =
  /\b(?:booked|scheduled|confirmed|reserved|made|sent|arranged|cancell?ed|set up|will (?:call|send|be|have|get|come)|we'll|i'll|all set)\b/i

/** The last thing of ours that settles something. */
function outcomeOf(lines: readonly Line[]): string | undefined {
  const isSettling = (one: Sentence) => !one.isQuestion && settled.test(textOf(one))
  const last = lines.findLast(({ isOurs, sentences }) => isOurs && sentences.some(isSettling))
  const said = last?.sentences.findLast(isSettling)
  return said && sentence(textOf(said))
}

function shown(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value !== 'object' || value === null) return String(value)
  const { formatted, amountCents, currency } = value as { formatted?: string; amountCents?: number; currency?: string }
  return (
    formatted ?? (amountCents === undefined ? JSON.stringify(value) : `${(amountCents / 100).toFixed(2)} ${currency}`)
  )
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

/** Between words, and between characters where a word is longer than that. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text
  const kept = text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')
  return `${kept.replace(/\s+\S*$/, '').replace(/[,;:\s]+$/, '') || kept}…`
}
