// A conversation written down as people read it: `A:` is ours, `C:` is the caller.
import { extractByRules } from '../../../src/extraction/rules/extract-by-rules.js'
import type { Understanding, Vocabulary, WantedFact } from '../../../src/extraction/understanding.js'

export function talk(text: string): { speaker: 'agent' | 'caller'; text: string }[] {
  return text
    .trim()
    .split('\n')
    .map((line) => line.trim())
    .map((line) => ({ speaker: line.startsWith('A:') ? 'agent' : 'caller', text: line.slice(2).trim() }))
}

export const wanted = (fact: Partial<WantedFact> & Pick<WantedFact, 'key' | 'valueType'>): WantedFact => ({
  label: fact.key.charAt(0).toUpperCase() + fact.key.slice(1).replaceAll('_', ' '),
  enumValues: [],
  hints: [],
  isMany: false,
  ...fact,
})

/** What the rules make of it, on Monday the 2nd of March 2026, 10 in the morning in New York. */
export function understood(text: string, vocabulary: Partial<Vocabulary> = {}): Understanding {
  return extractByRules({
    segments: talk(text),
    context: { startedAt: new Date('2026-03-02T15:00:00Z'), timeZone: 'America/New_York', country: 'US' },
    vocabulary: { facts: [], signals: [], workTypes: [], ...vocabulary },
  })
}

export const valuesOf = ({ facts }: Pick<Understanding, 'facts'>): Record<string, unknown> =>
  Object.fromEntries(facts.map(({ key, value }) => [key, value]))
