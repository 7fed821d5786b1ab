import { describe, expect, test } from 'vitest'
import { createMentionFinder, findMentions } from '../../../src/extraction/mentions/find-mentions.js'
import { context } from './found.js'

const call = [
  { speaker: 'agent', text: 'Brightwater Plumbing, how can I help you today?' },
  { speaker: 'caller', text: 'Hi, this is Maria Lopez. I need two technicians next Tuesday at half past four.' },
  { speaker: 'agent', text: 'The visit takes an hour and costs $85.50. Where should we come?' },
  {
    speaker: 'caller',
    text: '48 Juniper Lane, apartment 3, Newark. Call me at 201-555-0143 or maria at example dot com.',
  },
]

describe('a conversation', () => {
  test('gives every kind of mention, in order, each with its place and quote', () => {
    const mentions = findMentions(call, context)
    expect(mentions.map(({ kind, segmentIndex, value }) => [segmentIndex, kind, value])).toEqual([
      [1, 'person', 'Maria Lopez'],
      [1, 'number', 2],
      [1, 'date', '2019-03-05'],
      [1, 'time', '16:30'],
      [2, 'duration', 'PT1H'],
      [2, 'money', { amountCents: 8550, currency: 'USD' }],
      [
        3,
        'address',
        { formatted: '48 Juniper Lane Apt 3, Newark', street: '48 Juniper Lane', unit: 'Apt 3', city: 'Newark' },
      ],
      [3, 'phone', '+12015550143'],
      [3, 'email', 'maria@example.com'],
    ])
    for (const { segmentIndex, start, end, quote } of mentions) {
      expect(call[segmentIndex]?.text.slice(start, end)).toBe(quote)
    }
  })

  test('gives the same segment by segment', () => {
    const finder = createMentionFinder(context)
    expect(call.flatMap((segment) => finder.add(segment))).toEqual(findMentions(call, context))
  })
})
