import { describe, expect, test } from 'vitest'
import { valuesOf } from './found.js'

/** Said on Friday, 1 March 2019. */
const dates = (said: string | readonly string[]) => valuesOf('date', said)

describe('dates', () => {
  test.each([
    ['March 8th', '2019-03-08'],
    ['march the eighth', '2019-03-08'],
    ['Mar. 8', '2019-03-08'],
    ['the 8th of March', '2019-03-08'],
    ['8 March 2020', '2020-03-08'],
    ['March 8th, 2020', '2020-03-08'],
    ['March eighth twenty twenty', '2020-03-08'],
    ['the twenty-first of June', '2019-06-21'],
    ['May 5 at 5 pm', '2019-05-05'],
    ['2019-04-02', '2019-04-02'],
    ['4/2/2019', '2019-04-02'],
    ['on 4/2', '2019-04-02'],
    ['the 8th of this month', '2019-03-08'],
    ['the 8th of next month', '2019-04-08'],
    ['on the 11th', '2019-03-11'],
    ['the eleventh, please', '2019-03-11'],
    ['the 1st', '2019-03-01'],
    ['January 3rd', '2020-01-03'],
    ['since January 3rd', '2019-01-03'],
    ['today', '2019-03-01'],
    ['later today', '2019-03-01'],
    ['tomorrow morning', '2019-03-02'],
    ['the day after tomorrow', '2019-03-03'],
    ['yesterday', '2019-02-28'],
    ['next Friday', '2019-03-08'],
    ['next Tuesday', '2019-03-05'],
    ['this Sunday', '2019-03-03'],
    ['this coming Monday', '2019-03-04'],
    ['Tuesday next week', '2019-03-05'],
    ['Sunday this week', '2019-03-03'],
    ['on Wednesday', '2019-03-06'],
    ['Tuesday the 12th', '2019-03-12'],
    ['Tuesday, March 12th', '2019-03-12'],
    ['last Monday', '2019-02-25'],
    ['it was on Monday', '2019-02-25'],
    ['in two weeks', '2019-03-15'],
    ['in 3 days', '2019-03-04'],
    ['in a month', '2019-04-01'],
    ['a week from today', '2019-03-08'],
    ['a week from Tuesday', '2019-03-12'],
    ['three days from now', '2019-03-04'],
    ['two days ago', '2019-02-27'],
    ['Christmas Eve', '2019-12-24'],
    ['the fourth of July', '2019-07-04'],
    ['a week from tomorrow', '2019-03-09'],
    ['two weeks from Monday', '2019-03-18'],
    ['the Tuesday after next', '2019-03-12'],
    ['Monday week', '2019-03-11'],
    ['I called on Monday', '2019-02-25'],
    ['I called to book Monday', '2019-03-04'],
    ['Some day next month, say the 3rd', '2019-04-03'],
    ['In May, the 25th', '2019-05-25'],
    ['May I come on the 9th?', '2019-03-09'],
    ['Please return it March 3rd', '2019-03-03'],
  ])('%s', (said, value) => expect(dates(said)).toEqual([value]))

  test.each([
    ['from March 3rd to the 5th', ['2019-03-03', '2019-03-05']],
    ['March 3 to 5', ['2019-03-03', '2019-03-05']],
    ['April 28th until May 2nd', ['2019-04-28', '2019-05-02']],
    ['Friday or Saturday', ['2019-03-08', '2019-03-02']],
    ['the 5th or 6th of April', ['2019-04-05', '2019-04-06']],
    ['April 3rd or the 4th', ['2019-04-03', '2019-04-04']],
  ])('several: %s', (said, values) => expect(dates(said)).toEqual(values))

  test('a bare day is in the month that was spoken of', () => {
    expect(dates(['April 12th, please.', 'That is taken.', 'No, the 14th then.'])).toEqual(['2019-04-12', '2019-04-14'])
    expect(dates(['June 3rd', 'Until when?', 'The 9th'])).toEqual(['2019-06-03', '2019-06-09'])
  })

  test('the day begins in the zone of the organization, and 3/4 is read as its country does', () => {
    const late = new Date('2019-03-02T02:00:00Z')
    expect(valuesOf('date', 'today', { startedAt: late })).toEqual(['2019-03-01'])
    expect(valuesOf('date', 'today', { startedAt: late, timeZone: 'Europe/Berlin' })).toEqual(['2019-03-02'])
    expect(valuesOf('date', 'on 3/4', { country: 'GB' })).toEqual(['2019-04-03'])
    expect(valuesOf('date', 'on 3/25', { country: 'GB' })).toEqual(['2019-03-25'])
  })

  test('a year ends', () => {
    const startedAt = new Date('2026-12-29T15:00:00Z')
    expect(valuesOf('date', ['January 4th', 'ok', 'next Friday', 'ok', 'the 2nd'], { startedAt })).toEqual([
      '2027-01-04',
      '2027-01-08',
      '2027-01-02',
    ])
    expect(valuesOf('date', 'February 29th', { startedAt })).toEqual(['2028-02-29'])
  })

  test.each([
    'Is there anything else I can help you with today?',
    'Thanks for your help today.',
    'How are you doing today?',
    'the 2nd floor',
    'the first option',
    'It may take long',
    'You may 5 times',
    'June said so',
    'in March',
    'February 31st',
    'I march on',
    'Give me a second',
    'The sun is out',
    'room 3/4 full',
    'the third time',
    'This is the first one',
    'We were second in line',
    'for 3 days',
    'a week',
  ])('no date: %s', (said) => expect(dates(said)).toEqual([]))
})
