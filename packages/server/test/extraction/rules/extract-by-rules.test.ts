// What the rules make of conversations: which value goes to which field, and what is left alone.
import { describe, expect, test } from 'vitest'
import { extractByRules } from '../../../src/extraction/rules/extract-by-rules.js'
import type { RulesMemory } from '../../../src/extraction/understanding.js'
import { talk, understood, valuesOf, wanted } from '../../support/understanding/talk.js'

describe('a field is found', () => {
  test('by its label in the same sentence', () => {
    const facts = [
      wanted({ key: 'move_date', valueType: 'date' }),
      wanted({ key: 'inspection_date', valueType: 'date' }),
    ]
    const found = understood('C: The inspection is on March 5th and we move on March 20th.', { facts })
    expect(valuesOf(found)).toEqual({ inspection_date: '2026-03-05', move_date: '2026-03-20' })
  })

  test('by a hint', () => {
    const facts = [wanted({ key: 'unit_count', valueType: 'number', hints: ['radiators'] })]
    const found = understood('C: We have seven radiators in the house.', { facts })
    expect(valuesOf(found)).toEqual({ unit_count: 7 })
  })

  test('by the question that was asked before', () => {
    const facts = [wanted({ key: 'move_date', valueType: 'date' }), wanted({ key: 'visit_date', valueType: 'date' })]
    const found = understood(
      `A: When would you like to move?
       C: March 20th would be great.`,
      { facts },
    )
    expect(valuesOf(found)).toEqual({ move_date: '2026-03-20' })
    expect(found.facts[0]).toMatchObject({
      rule: 'question',
      evidence: [{ segmentIndex: 1, quote: 'March 20th', start: 0, end: 10 }],
    })
  })

  test('by an enum value, unless it is denied', () => {
    const facts = [wanted({ key: 'fuel', valueType: 'enum', enumValues: ['gas', 'oil', 'heat pump'] })]
    expect(valuesOf(understood('C: It is an old oil furnace.', { facts }))).toEqual({ fuel: 'oil' })
    expect(valuesOf(understood('C: It is not oil, it is a heat pump.', { facts }))).toEqual({ fuel: 'heat pump' })
  })

  test('by a yes or no to the question just asked', () => {
    const facts = [wanted({ key: 'has_pets', valueType: 'boolean', hints: ['pets', 'dog or cat'] })]
    const asked = (answer: string) => valuesOf(understood(`A: Do you have any pets?\nC: ${answer}`, { facts }))
    expect(asked('Yes, two of them.')).toEqual({ has_pets: true })
    expect(asked('No, we do not.')).toEqual({ has_pets: false })
    expect(asked('Why do you ask?')).toEqual({})
  })

  test('by words that follow its name, or a short answer', () => {
    const facts = [
      wanted({ key: 'policy_number', valueType: 'string', hints: ['policy'] }),
      wanted({ key: 'breed', valueType: 'string' }),
    ]
    const found = understood(
      `C: Hi, my policy is AB-4471, and I have a question.
       A: What breed is the dog?
       C: It's a golden retriever.`,
      { facts },
    )
    expect(valuesOf(found)).toEqual({ policy_number: 'AB-4471', breed: 'golden retriever' })
  })

  test('when we say it and the caller says yes', () => {
    const found = understood(
      `C: Can someone come and look at the boiler?
       A: I can send somebody on March 9th at 2:30 pm. Does that work?
       C: Yes, perfect.`,
    )
    expect(valuesOf(found)).toEqual({ preferred_date: '2026-03-09', preferred_time: '14:30' })
    expect(found.facts[0]?.evidence.map(({ segmentIndex }) => segmentIndex)).toEqual([1, 2])
  })
})

describe('a correction wins', () => {
  test.each([
    ['No, the 14th.', '2026-03-14'],
    ['Sorry, I meant the 15th of March.', '2026-03-15'],
    ['Actually, make it March 16th.', '2026-03-16'],
  ])('%s', (said, day) => {
    const facts = [wanted({ key: 'move_date', valueType: 'date' }), wanted({ key: 'visit_date', valueType: 'date' })]
    const found = understood(
      `C: We want to move on March 13th.
       A: So the move is on March 13th, is that right?
       C: ${said}`,
      { facts },
    )
    expect(valuesOf(found)).toEqual({ move_date: day })
  })

  test('and what the caller denies is gone', () => {
    const found = understood(
      `A: I have you down for March 13th. Is that right?
       C: No, that's wrong.`,
    )
    expect(valuesOf(found)).toEqual({})
  })

  test('but a no to another question denies nothing', () => {
    const found = understood(
      `C: March 13th please.
       A: March 13th is booked. Is there anything else?
       C: No, that's all.`,
    )
    expect(valuesOf(found)).toEqual({ preferred_date: '2026-03-13' })
  })
})

describe('the built-in facts', () => {
  test('are the caller’s own name, e-mail, phone and address, and when they want it', () => {
    const found = understood(
      `A: Harbor Plumbing, our number is 212-555-0199. What is your name?
       C: My name is Maria Lopez.
       A: And your email and a number to reach you?
       C: maria at example dot com, and 212-555-0142.
       A: What is the address?
       C: 18 Quay Street, apartment 4. Could you come tomorrow at 4:15 pm?`,
    )
    expect(valuesOf(found)).toMatchObject({
      display_name: 'Maria Lopez',
      primary_email: 'maria@example.com',
      primary_phone: '+12125550142',
      preferred_date: '2026-03-03',
      preferred_time: '16:15',
    })
    expect(valuesOf(found)['service_address']).toMatch(/^18 Quay Street/)
  })

  test('leave to a definition what it wants', () => {
    const facts = [wanted({ key: 'pickup_address', valueType: 'string' })]
    const found = understood('C: The pickup is at 18 Quay Street.', { facts })
    expect(Object.keys(valuesOf(found))).toEqual(['pickup_address'])
  })
})

describe('signals', () => {
  const signals = [{ key: 'angry', label: 'Angry', phrases: ['angry', 'this is unacceptable'] }]
  const fires = (text: string) => understood(text, { signals }).signals.length > 0

  test.each([
    'C: I am really angry about this.',
    'C: No, I am angry!',
    'C: I cannot wait and I am angry',
    'C: This is unacceptable.',
  ])('fire on %s', (text) => expect(fires(text)).toBe(true))
  test.each([
    'C: I am not angry.',
    "C: I'm not at all angry",
    'C: She was never really angry',
    'A: I hear that you are angry.',
  ])('do not fire on %s', (text) => expect(fires(text)).toBe(false))
})

describe('the draft', () => {
  const workTypes = [
    {
      canonicalKind: 'job' as const,
      label: 'Boiler repair',
      hints: ['boiler', 'heating'],
      fieldSchema: { properties: { boilerAge: { type: 'integer' }, fuel: { enum: ['gas', 'oil'] } } },
      requiredFields: ['boilerAge', 'fuel', 'service_address'],
    },
    { canonicalKind: 'matter' as const, label: 'Matter', hints: ['lawyer'], fieldSchema: null, requiredFields: [] },
  ]

  test('has the kind that the caller talks of, its fields, and what is missing', () => {
    const found = understood(
      `C: Hi, I'd like to have my boiler looked at, it is leaking.
       A: Is it gas or oil, which fuel?
       C: Gas.`,
      { workTypes },
    )
    expect(found.canonicalKind).toBe('job')
    expect(found.fields.map(({ key, value }) => [key, value])).toEqual([['fuel', 'gas']])
    expect(found.facts).toEqual([])
    expect(found.missingFields).toEqual(['boilerAge', 'service_address'])
    expect(found.title).toBe('Have my boiler looked at, it is leaking')
    expect(found.summary).toContain('fuel: gas')
  })

  test('a field of work goes by the title that people gave it', () => {
    const fieldSchema = { properties: { plate_no: { type: 'string', title: 'Breed of the dog' } } }
    const kind = { canonicalKind: 'job' as const, label: 'Walk', hints: ['walk'], fieldSchema, requiredFields: [] }
    const found = understood('A: What breed is the dog for the walk?\nC: Beagle.', { workTypes: [kind] })
    expect(found.fields.map(({ key, label, value }) => [key, label, value])).toEqual([
      ['plate_no', 'Breed of the dog', 'Beagle'],
    ])
  })

  test('has a title of bounded length, cut between words', () => {
    const { title } = understood(`C: I need ${'somebody to come and look '.repeat(20)}`)
    expect(title?.length).toBeLessThanOrEqual(81)
    expect(title).toMatch(/\w…$/)
  })
})

test('nothing is made of nothing', () => {
  expect(understood('C: ')).toMatchObject({ facts: [], signals: [], title: null, summary: null })
})

test('a call that is read as it goes on is read like one that is read whole, by the definitions of the moment', () => {
  const segments = talk(`C: My name is Maria Lopez. The boiler burst, we have three radiators.
    A: That is urgent?
    C: I am not angry, but the boiler burst, and we have four radiators. Sorry, five radiators.
    A: On March 13th?
    C: No, the 14th. I am angry now.`)
  const facts = [wanted({ key: 'unit_count', valueType: 'number', hints: ['radiators'] })]
  const burst = { key: 'burst', label: 'Burst', phrases: ['boiler burst'] }
  const context = { startedAt: new Date('2026-03-02T15:00:00Z'), timeZone: 'America/New_York', country: 'US' }
  const memory: RulesMemory = {}
  for (let said = 1; said <= segments.length; said++) {
    // The last words are heard with one more definition.
    const angry = said < segments.length ? [] : [{ key: 'angry', label: 'Angry', phrases: ['angry'] }]
    const conversation = {
      segments: segments.slice(0, said),
      context,
      vocabulary: { facts, signals: [burst, ...angry], workTypes: [] },
    }
    expect(extractByRules({ ...conversation, memory })).toEqual(extractByRules(conversation))
  }
  expect(extractByRules({ segments, context, vocabulary: { facts, signals: [burst], workTypes: [] }, memory })).toEqual(
    extractByRules({ segments, context, vocabulary: { facts, signals: [burst], workTypes: [] } }),
  )
})
