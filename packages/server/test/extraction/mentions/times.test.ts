import { describe, expect, test } from 'vitest'
import { valuesOf } from './found.js'

const times = (said: string | readonly string[]) => valuesOf('time', said)

describe('times of day', () => {
  test.each([
    ['Can you come at 4:15 pm?', '16:15'],
    ['at 4:15PM', '16:15'],
    ['around 7 p.m. please', '19:00'],
    ['We open at 8 a.m.', '08:00'],
    ['12 pm works', '12:00'],
    ['12 am is too late', '00:00'],
    ['The slot is 14:30.', '14:30'],
    ['by 09:00 sharp', '09:00'],
    ['half past 11 in the morning', '11:30'],
    ['quarter to 5 in the evening', '16:45'],
    ['a quarter past seven in the morning', '07:15'],
    ['ten past six in the evening', '18:10'],
    ['twenty minutes to nine in the morning', '08:40'],
    ["12 o'clock in the afternoon", '12:00'],
    ['8 o’clock at night', '20:00'],
    ['six o clock in the evening', '18:00'],
    ['evening 5 would suit me', '17:00'],
    ['Morning 10:30 is best', '10:30'],
    ['let us say noon', '12:00'],
    ['12 noon is fine', '12:00'],
    ['until midnight', '00:00'],
    ['seven thirty pm', '19:30'],
    ['at five oh five in the morning', '05:05'],
    ['4 in the afternoon', '16:00'],
    ['the 3.30 pm one', '15:30'],
    ['at eleven forty five am', '11:45'],
    ['2 in the morning', '02:00'],
    ['quarter to twelve at night', '23:45'],
    ['quarter to one in the afternoon', '12:45'],
    ['half past twelve in the afternoon', '12:30'],
    ['5ish in the evening', '17:00'],
    ['quarter to midnight', '23:45'],
    ['quarter past midnight', '00:15'],
    ['ten minutes to noon', '11:50'],
    ['twenty-five to nine in the morning', '08:35'],
    ['afternoon at 2:45', '14:45'],
    ['we meet at 1800 hours', '18:00'],
    ['after half five', '17:30'],
  ])('%s', (said, value) => expect(times(said)).toEqual([value]))

  test.each([
    ['Could you come tomorrow evening at 7?', ['19:00']],
    ['In the morning, say 9:15?', ['09:15']],
    ['tonight at 8', ['20:00']],
    ['at 8 tonight', ['20:00']],
    ['Does 5 work, or is 5:30 better, in the afternoon?', ['17:30']],
  ])('the part of the day is told elsewhere: %s', (said, values) => expect(times(said)).toEqual(values))

  test.each([
    ['between 2 and 4 pm', ['14:00', '16:00']],
    ['from 9 am to 5 pm', ['09:00', '17:00']],
    ['from 9 to 5', ['09:00', '17:00']],
    ['from 10 until 11:30 in the morning', ['10:00', '11:30']],
    ['11 to 2 pm', ['11:00', '14:00']],
    ['9:00-10:30 am', ['09:00', '10:30']],
    ['either 3 pm or 4:30 pm', ['15:00', '16:30']],
  ])('ranges: %s', (said, values) => expect(times(said)).toEqual(values))

  test('an open hour is the one named before', () => {
    expect(times(['I need it at 7 am.', 'So 7:00, right?', 'Yes, at 7.'])).toEqual(['07:00', '07:00', '07:00'])
  })

  test('the question tells the part of the day', () => {
    expect(times(['A table.', 'At what time in the evening?', 'At 8.'])).toEqual(['20:00'])
  })

  test('an open hour is within business hours where nothing else is known', () => {
    expect(times('at 9')).toEqual(['09:00'])
    expect(times('at 3')).toEqual(['15:00'])
  })

  test('a bare number is a time where a time was asked for', () => {
    expect(times(['Hello', 'What time works for you?', '5 would be great.'])).toEqual(['17:00'])
    expect(times(['Hello', 'How many people?', '5 would be great.'])).toEqual([])
  })

  test.each([
    'A table for 5 people',
    'I need 3 tickets at 20 dollars',
    'It takes about 2 hours',
    'We are at 12 Hudson Street',
    'Have a good afternoon',
    'See you in the morning',
    'from 2 to 4 bedrooms',
    'I am 45',
    'The score was 3 to 2',
    'on the first',
    'Call 201-555-0143',
    'about 4 miles',
    'after 3 days',
    'Chapter 11 of the book',
    'It is one of those',
    'at one point',
    'I am at 5 percent',
    'half of 12 people',
    'a quarter of 8 rooms',
    'Good evening, a table for 7 people',
  ])('no time: %s', (said) => expect(times(said)).toEqual([]))
})
