import { describe, expect, test } from 'vitest'
import { valuesOf } from './found.js'

describe('counts', () => {
  test.each([
    ['a table for 4 people', 4],
    ['two bedrooms', 2],
    ['a 2-bedroom flat', 2],
    ['a party of six', 6],
    ['a table for 4, please', 4],
    ['I need one ticket', 1],
    ['twenty-five chairs', 25],
    ['a dozen eggs', 12],
    ['two hundred and fifty flyers', 250],
    ['a couple of rooms', 2],
  ])('%s', (said, value) => expect(valuesOf('number', said)).toEqual([value]))

  test('a count answers how many', () => {
    expect(valuesOf('number', ['A table.', 'For how many?', 'Five.'])).toEqual([5])
  })

  test.each(['that one is fine', 'one of them', 'another one please', '$45', 'at 5 pm', 'March 3rd', 'for two hours'])(
    'no count: %s',
    (said) => expect(valuesOf('number', said)).toEqual([]),
  )
})

describe('durations', () => {
  test.each([
    ['two hours', 'PT2H'],
    ['half an hour', 'PT30M'],
    ['an hour and a half', 'PT1H30M'],
    ['two and a half hours', 'PT2H30M'],
    ['1.5 hours', 'PT1H30M'],
    ['a 45-minute visit', 'PT45M'],
    ['an hour and fifteen minutes', 'PT1H15M'],
    ['1 hour 20 minutes', 'PT1H20M'],
    ['for 3 nights', 'P3D'],
    ['90 minutes', 'PT1H30M'],
    ['a couple of weeks', 'P2W'],
    ['six months', 'P6M'],
    ['a year and a half', 'P18M'],
    ['three quarters of an hour', 'PT45M'],
    ['3 business days', 'P3D'],
    ['a quarter of an hour', 'PT15M'],
    ['30 seconds', 'PT30S'],
  ])('%s', (said, value) => expect(valuesOf('duration', said)).toEqual([value]))

  test.each(['in two weeks', 'three days from now', 'two days ago', 'five miles per hour', 'next month', 'what a day'])(
    'no duration: %s',
    (said) => expect(valuesOf('duration', said)).toEqual([]),
  )
})
