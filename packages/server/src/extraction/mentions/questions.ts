// What a segment asks the other side for, so that "5 would be fine" can be read as the answer to "what time?".
import type { Topic } from './utterance.js'

const questions: readonly (readonly [pattern: RegExp, topic: Topic])[] = [
  [/\b(what|which) time\b|\btime (would|do|should|works|is)\b|\bwhen\b|\bhow (early|late)\b/, 'time'],
  [/\bwhen\b|\b(what|which) (date|day)\b/, 'date'],
  [/\bhow much\b|\b(what|which) (amount|price|budget)\b|\bamount\b/, 'money'],
  [/\bname\b|\bwho am i (speaking|talking)\b|\bwho('s| is) (this|calling)\b/, 'name'],
  [/\baddress\b|\bwhere\b/, 'address'],
  [/\bnumber\b|\breach you\b/, 'phone'],
  [/\be-?mail\b/, 'email'],
  [/\bhow many\b/, 'count'],
]

export function topicsAsked(text: string): ReadonlySet<Topic> {
  const lower = text.toLowerCase()
  return new Set(questions.filter(([pattern]) => pattern.test(lower)).map(([, topic]) => topic))
}
