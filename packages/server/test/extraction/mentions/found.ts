// What the tests of the finders share: a call that begins on Friday, 1 March 2019, in New York.

import type { MentionKind, SpeechContext } from '../../../src/extraction/mention.js'
import { findMentions } from '../../../src/extraction/mentions/find-mentions.js'

export const context: SpeechContext = {
  startedAt: new Date('2019-03-01T15:00:00Z'),
  timeZone: 'America/New_York',
  country: 'US',
}

/** The values of one kind in what is said; alternating speakers where there is more than one text. */
export function valuesOf(
  kind: MentionKind,
  said: string | readonly string[],
  other: Partial<SpeechContext> = {},
): unknown[] {
  const texts = typeof said === 'string' ? [said] : said
  const segments = texts.map((text, index) => ({ speaker: index % 2 === 0 ? 'caller' : 'agent', text }))
  return findMentions(segments, { ...context, ...other })
    .filter((mention) => mention.kind === kind)
    .map(({ value }) => value)
}
