// Whatever is said, and however long: finders answer, in bounds, the same each time, at a cost that grows with the text.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMentionFinder, findMentions } from '../../../src/extraction/mentions/find-mentions.js'
import { context } from './found.js'

/** Words that finders look for, so that chance makes sentences which matter. */
const words =
  'at on the of in from to and a half past quarter 5 30 12 : . , - / # $ ( ) + @ am pm o clock noon evening next this week ' +
  'Tuesday march 8 th first twenty five oh double hundred thousand dollars cents dot com maria my name is Main Street ' +
  'Avenue apartment CA 94121 located address day days hours ago 201 555 0143 2019 constructor __proto__ toString'
const speech = fc.array(fc.constantFrom(...words.split(' ')), { maxLength: 40 }).map((said) => said.join(' '))
const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.string({ maxLength: 200 }), speech)
const segments = fc.array(fc.record({ speaker: fc.constantFrom('caller', 'agent', ''), text }), { maxLength: 6 })

describe('any conversation', () => {
  test('gives mentions in bounds, in order, without overlap, the same each time', () => {
    fc.assert(
      fc.property(segments, (said) => {
        const mentions = findMentions(said, context)
        expect(findMentions(said, context)).toEqual(mentions)
        let [segment, end] = [0, 0]
        for (const mention of mentions) {
          if (mention.segmentIndex !== segment) [segment, end] = [mention.segmentIndex, 0]
          expect(mention.start).toBeGreaterThanOrEqual(end)
          expect(mention.end).toBeGreaterThan(mention.start)
          expect(said[segment]?.text.slice(mention.start, mention.end)).toBe(mention.quote)
          end = mention.end
        }
      }),
      { numRuns: 250 },
    )
  })

  test('gives canonical values', () => {
    fc.assert(
      fc.property(segments, (said) => {
        for (const { kind, value } of findMentions(said, context)) {
          if (kind === 'date') expect(value).toMatch(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/)
          if (kind === 'time') expect(value).toMatch(/^([01]\d|2[0-3]):[0-5]\d$/)
          if (kind === 'phone') expect(value).toMatch(/^\+[1-9]\d{6,14}$/)
          if (kind === 'email') expect(value).toMatch(/^[^\s@]+@[^\s@]+\.[^\s@]+$/)
          if (kind === 'money') expect(Number.isSafeInteger(value.amountCents)).toBe(true)
          if (kind === 'number') expect(Number.isFinite(value)).toBe(true)
          if (kind === 'duration') expect(value).toMatch(/^P(T(\d+H)?(\d+M)?([\d.]+S)?|\d+[DWMY])$/)
        }
      }),
      { numRuns: 250 },
    )
  })

  test('may have an unknown zone, country or time', () => {
    const odd = { startedAt: new Date(Number.NaN), timeZone: 'Mars/Base', country: '??' }
    expect(findMentions([{ speaker: 'a', text: 'Call +1 201-555-0143 tomorrow' }], odd)).toMatchObject([
      { kind: 'phone', value: '+12015550143' },
      { kind: 'date', value: '1970-01-02' },
    ])
  })
})

/** Fragments that begin something long and never end it. */
const hostile = [
  ...[
    '5',
    '1,',
    '1,111',
    '5.',
    'a.',
    'a@',
    '@',
    'at a dot ',
    'a dot ',
    'twenty ',
    'one hundred ',
    'double ',
    '201 555 ',
  ],
  ...[
    'March 5 to ',
    'the 5th or ',
    '5 to ',
    'half past ',
    'Main ',
    '12 Main ',
    '12 Main Street, ',
    'located at A, 1, ',
  ],
  ...[
    '$',
    '# ',
    '. ',
    '-',
    'A-',
    "o'",
    'and a half ',
    'my name is ',
    'A ',
    'thousand ',
    '201-555-0143 or ',
    '\u0301',
    '🦜',
  ],
]

/** What one segment of this length costs, in ms: the least of several tries, since others use this machine too. */
function costOf(fragment: string, length: number): number {
  const said = { speaker: 'caller', text: fragment.repeat(Math.ceil(length / fragment.length)) }
  const tries = Array.from({ length: 3 }, () => {
    const finder = createMentionFinder(context)
    const begin = process.cpuUsage()
    finder.add(said)
    const { user, system } = process.cpuUsage(begin)
    return (user + system) / 1_000
  })
  return Math.min(...tries)
}

describe('a long segment', () => {
  test.each(hostile)('of %j costs in proportion to its length', (fragment) => {
    const [short, long] = [costOf(fragment, 1_000), costOf(fragment, 8_000)]
    expect(long).toBeLessThan(8 * Math.max(short, 5) * 4)
  })
})
