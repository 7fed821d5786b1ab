import { describe, expect, test } from 'vitest'
import { valuesOf } from './found.js'

const phones = (said: string, country = 'US') => valuesOf('phone', said, { country })

describe('phone numbers', () => {
  test.each([
    ['Call 201-555-0143.', '+12015550143'],
    ['(201) 555-0143 is my number', '+12015550143'],
    ['It is 201.555.0143', '+12015550143'],
    ['2015550143', '+12015550143'],
    ['1-201-555-0143', '+12015550143'],
    ['+1 201 555 0143', '+12015550143'],
    ['+44 20 7946 0018', '+442079460018'],
    ['two oh one, five five five, oh one four three', '+12015550143'],
    ['two zero one five five five zero one four three', '+12015550143'],
    ['area code two oh one, five five five, oh one hundred', '+12015550100'],
    ['two oh one double five five oh one double four', '+12015550144'],
    ['two oh one triple five oh one forty-three', '+12015550143'],
    ['2 0 1 5 5 5 0 1 4 3', '+12015550143'],
    ['eight hundred, five five five, twelve thirty four', '+18005551234'],
    ['plus one, two oh one, 555 0143', '+12015550143'],
    ['I am 25, my number is 201-555-0143, and I have 2 cats', '+12015550143'],
    ['two oh one... five five five... oh one four three', '+12015550143'],
    ['two-oh-one, five-five-five, oh-one-four-three', '+12015550143'],
    ['201 555, uh, 0143', '+12015550143'],
  ])('%s', (said, value) => expect(phones(said)).toEqual([value]))

  test.each([
    ['020 7946 0018', 'GB', '+442079460018'],
    ['oh two oh, seven nine four six, double oh one eight', 'GB', '+442079460018'],
    ['0491 570 006', 'AU', '+61491570006'],
    ['01 99 00 12 34', 'FR', '+33199001234'],
  ])('national forms: %s in %s', (said, country, value) => expect(phones(said, country)).toEqual([value]))

  test('two numbers are two', () => {
    expect(phones('201-555-0143 or 201-555-0144')).toEqual(['+12015550143', '+12015550144'])
    expect(phones('201-555-0143, 201-555-0144')).toEqual(['+12015550143', '+12015550144'])
  })

  test('seven digits belong to the area that was spoken of', () => {
    expect(valuesOf('phone', ['201-555-0143', 'Is that right?', 'Sorry, 555-0144.'])).toEqual([
      '+12015550143',
      '+12015550144',
    ])
    expect(valuesOf('phone', 'It is five five five, oh one hundred.')).toEqual([])
  })

  test.each([
    'for 4 people at 5:30',
    'order number 123456789012',
    'my card is 4242 4242 4242 4242',
    'one, two, three, four, five, six, seven, eight, nine, ten',
    '1, 2, 3, 4, 5, 6, 7, 8, 9, 10',
    '2019-03-08 10:30',
    '$1,234,567.00',
    '1012 Oak Grove Road, 94121',
    'order number 0123456789',
  ])('no phone number: %s', (said) => expect(phones(said)).toEqual([]))
})
