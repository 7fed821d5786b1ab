// What leaves for a model, and what is believed of its answer.
import { describe, expect, test } from 'vitest'
import { maskCards } from '../../../src/extraction/model/mask-cards.js'
import { checkAnswer } from '../../../src/extraction/model/model-answer.js'
import { modelRequest } from '../../../src/extraction/model/model-request.js'
import { talk, wanted } from '../../support/understanding/talk.js'

test.each([
  ['my card is 4111 1111 1111 1111, thanks', 'my card is **** **** **** ****, thanks'],
  ['5500-0000-0000-0004', '****-****-****-****'],
  ['378282246310005.', '***************.'],
  ['order 4111 1111 1111 1112', 'order 4111 1111 1111 1112'],
  ['call 212-555-0142', 'call 212-555-0142'],
])('card numbers are masked, and nothing else: %s', (said, left) => expect(maskCards(said)).toBe(left))

const conversation = {
  segments: talk('A: How can I help?\nC: I have 3 dogs, come on the 5th. My card is 4111 1111 1111 1111.'),
  context: { startedAt: new Date('2026-03-02T15:00:00Z'), timeZone: 'America/New_York', country: 'US' },
  vocabulary: {
    facts: [
      wanted({ key: 'dogs', valueType: 'number', hints: ['puppies'] }),
      wanted({ key: 'visit', valueType: 'date' }),
      wanted({ key: 'size', valueType: 'enum', enumValues: ['small', 'large'] }),
    ],
    signals: [{ key: 'urgent', label: 'Urgent', phrases: ['now'] }],
    workTypes: [{ canonicalKind: 'job' as const, label: 'Job', hints: [], fieldSchema: null, requiredFields: [] }],
  },
}

test('the request has a schema made from the definitions, and no card number', () => {
  const request: any = modelRequest('some-model', conversation)
  const { schema, strict } = request.response_format.json_schema
  expect(strict).toBe(true)
  expect(Object.keys(schema.properties.facts.properties)).toEqual(
    expect.arrayContaining(['dogs', 'visit', 'size', 'primary_email']),
  )
  expect(schema.properties.facts.properties.size.anyOf[0].properties.value.enum).toEqual(['small', 'large'])
  expect(schema.properties.signals.items.properties.kind.enum).toEqual(['urgent'])
  expect(schema.properties.canonicalKind.enum).toEqual(['job', null])
  expect(JSON.stringify(request)).not.toContain('4111')
  expect(request.messages[1].content).toContain('[1] caller: I have 3 dogs')
})

describe('of an answer', () => {
  const said = (value: unknown, quote: string, line = 1) => ({ value, quote, line, confidence: 0.8 })
  const check = (facts: object, more: object = {}) => checkAnswer({ facts, ...more }, conversation, 'm')

  test('what was said is kept, with its place', () => {
    const checked = check(
      { dogs: said(3, '3 dogs'), visit: null },
      { canonicalKind: 'job', title: 'Dogs', summary: 'Three dogs.' },
    )
    expect(checked?.understanding).toMatchObject({
      extractor: 'model:m',
      canonicalKind: 'job',
      title: 'Dogs',
      summary: 'Three dogs.',
    })
    expect(checked?.understanding.facts).toMatchObject([
      {
        key: 'dogs',
        value: 3,
        confidence: 0.8,
        rule: 'model',
        evidence: [{ segmentIndex: 1, start: 7, end: 13, quote: '3 dogs' }],
      },
    ])
    expect(checked?.dropped).toEqual({ quote: 0, type: 0, key: 0 })
  })

  test('a quote in another line is found there', () => {
    expect(check({ dogs: said(3, '3 DOGS', 0) })?.understanding.facts[0]?.evidence[0]?.segmentIndex).toBe(1)
  })

  test('inventions are dropped and counted', () => {
    const checked = check(
      {
        dogs: said('three', '3 dogs'),
        visit: said('2026-02-30', 'the 5th'),
        size: said('huge', '3 dogs'),
        colour: said('red', '3 dogs'),
        primary_email: said('a@example.com', 'a@example.com'),
      },
      {
        signals: [
          { kind: 'fire', quote: '3 dogs', line: 1 },
          { kind: 'urgent', quote: 'right now', line: 1 },
        ],
        canonicalKind: 'matter',
      },
    )
    expect(checked?.understanding).toMatchObject({ facts: [], signals: [], canonicalKind: null })
    expect(checked?.dropped).toEqual({ quote: 2, type: 3, key: 2 })
  })

  test('a certainty that it claims is not taken for one', () => {
    expect(check({ dogs: { ...said(3, '3 dogs'), confidence: 1 } })?.understanding.facts[0]?.confidence).toBe(0.9)
    expect(check({ dogs: { ...said(3, '3 dogs'), confidence: 'very' } })?.understanding.facts[0]?.confidence).toBe(0.5)
  })

  test.each([[null], ['text'], [[]], [{ facts: [] }], [{}]])('%j is none', (answer) =>
    expect(checkAnswer(answer, conversation, 'm')).toBeUndefined(),
  )
})
