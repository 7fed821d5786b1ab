// How people say yes, no and "I meant something else".
import { plain, type Span, type Word } from './words.js'

const yes =
  /^(?:(?:um+|uh+|oh|well|hi|ok(?:ay)?|so)[,\s]+)*(?:yes|yeah|yep|yup|ya|sure|correct|exactly|absolutely|definitely|of course|certainly|right|indeed|affirmative|(?:that|it|this)(?:'s| is| sounds| would be| works)(?: all)? (?:right|correct|good|great|perfect|fine|true)|i (?:do|am|have|did|would|was|can|will)\b(?! not)|we (?:do|are|have|did|would|were|can|will)\b(?! not)|sounds (?:good|great|right|perfect)|(?:that|this)(?:'ll| will| would| one)? (?:works?|do|be (?:fine|great|good|perfect|ok(?:ay)?)|is (?:ok(?:ay)?|fine|good|great))|confirmed|great|ok(?:ay)?|perfect|please do|go ahead)\b/
const no =
  /^(?:(?:um+|uh+|oh|well|ok(?:ay)?|so|actually)[,\s]+)*(?:no|nope|nah|not (?:really|at all|yet|exactly)|negative|never|(?:that|it|this)(?:'s| is) (?:not|wrong|incorrect)|i (?:don't|do not|am not|haven't|have not|didn't|wouldn't|can't|won't)|i'm not|we (?:don't|do not|are not|aren't|haven't|didn't|can't|won't))\b/

export type Answer = 'yes' | 'no'

/** What the beginning of an answer says. */
export function answerIn(text: string): Answer | undefined {
  const said = plain(text).trim()
  return no.test(said) ? 'no' : yes.test(said) ? 'yes' : undefined
}

const correction =
  /\b(?:no,|no wait|wait|actually|sorry|i mean(?:t)?|make (?:it|that)|rather|instead|correction|change (?:it|that)|let's (?:do|make|say)|scratch that|my mistake)\b|^no\b/

/** Whether something said before is taken back here. */
export const isCorrection = (text: string): boolean => correction.test(plain(text))

const negations = new Set(
  `not no never don't dont didn't didnt doesn't doesnt isn't isnt wasn't wasnt aren't arent won't wont wouldn't can't
  cant cannot couldn't haven't hasn't hadn't without hardly neither nor nothing nobody none stop stopped ain't`.split(
    /\s+/,
  ),
)
/** How far before a phrase a negation reaches, in words. */
const REACH = 4
/** A new clause begins: what was negated before is no more. */
const clauseEnd = /[,;:.!?]|\b(?:but|and|because|although|though|however)\b/

/** Whether what stands at a place is denied by the words before it, as in "I am not at all angry". */
export function isNegated(text: string, words: readonly Word[], { start }: Span): boolean {
  const before = words.filter((word) => word.end <= start).slice(-REACH)
  return before.some(
    (word) =>
      negations.has(word.text) && !clauseEnd.test(plain(text.slice(word.end, start))) && !isRhetorical(text, word),
  )
}

/** "No, I am angry" and "why not" deny nothing that follows. */
const isRhetorical = (text: string, word: Word): boolean => word.text === 'no' && /^\s*,/.test(text.slice(word.end))
