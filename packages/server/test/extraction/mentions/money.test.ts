import { describe, expect, test } from 'vitest'
import { valuesOf } from './found.js'

const money = (said: string | readonly string[], country = 'US') => valuesOf('money', said, { country })
const usd = (amountCents: number) => ({ amountCents, currency: 'USD' })

describe('amounts of money', () => {
  test.each([
    ['$35', 3500],
    ['It is $ 4,350 a month', 435000],
    ['$12,886.54 remain', 1288654],
    ['$2950.', 295000],
    ['170 bucks', 17000],
    ['1,170 dollars', 117000],
    ['five hundred and twenty bucks', 52000],
    ['one thousand three hundred and thirty dollars', 133000],
    ['thirteen hundred dollars', 130000],
    ['a hundred dollars', 10000],
    ['a hundred and twenty dollars', 12000],
    ['twelve dollars and fifty cents', 1250],
    ['twelve dollars fifty', 1250],
    ['99 cents', 99],
    ['two grand', 200000],
    ['$2k', 200000],
    ['$1.5 million', 150000000],
    ['250 USD', 25000],
    ['USD 250', 25000],
    ['US$250', 25000],
    ['forty-five dollars', 4500],
    ['two and a half thousand dollars', 250000],
    ['five bucks', 500],
    ['I paid 45.50 last week', 4550],
    ['I can pay up to five hundred.', 50000],
  ])('%s', (said, cents) => expect(money(said)).toEqual([usd(cents)]))

  test('several', () => {
    expect(money('$20 to $30')).toEqual([usd(2000), usd(3000)])
    expect(money('between 20 and 30 dollars')).toEqual([usd(2000), usd(3000)])
  })

  test.each([
    ['£20', 'US', 'GBP', 2000],
    ['twenty quid', 'GB', 'GBP', 2000],
    ['forty pounds', 'GB', 'GBP', 4000],
    ['€19.99', 'US', 'EUR', 1999],
    ['15 euros', 'US', 'EUR', 1500],
    ['$20', 'CA', 'CAD', 2000],
    ['20 dollars', 'AU', 'AUD', 2000],
    ['50 pence', 'GB', 'GBP', 50],
  ])('%s in %s', (said, country, currency, amountCents) => {
    expect(money(said, country)).toEqual([{ amountCents, currency }])
  })

  test('a bare number is an amount where an amount was asked for', () => {
    expect(money(['Send money', 'How much would you like to transfer?', 'I want to send 1,250 please'])).toEqual([
      usd(125000),
    ])
    expect(money(['Send money', 'How much would you like to transfer?', 'For 2 people, $80.'])).toEqual([usd(8000)])
  })

  test.each([
    '4 stars',
    'a 5 percent fee',
    'the dollar is weak',
    '20 people',
    'It weighs 20 grams',
    'I have a hundred',
    '20 pounds of flour',
    'Can I pay on the 5th?',
    'I paid on March 5',
  ])('no money: %s', (said) => expect(money(said)).toEqual([]))
})
