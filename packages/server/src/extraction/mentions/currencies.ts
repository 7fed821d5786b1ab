// What currencies are called. A plain dollar is the one of the organization's country.

/** Stands for the dollar of the country until that is known. */
export const DOLLAR = 'dollar'

const dollars: ReadonlyMap<string, string> = new Map([
  ['CA', 'CAD'],
  ['AU', 'AUD'],
  ['NZ', 'NZD'],
  ['SG', 'SGD'],
  ['HK', 'HKD'],
])
export const dollarOf = (country: string): string => dollars.get(country) ?? 'USD'

const named = (rows: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(rows).flatMap(([currency, words]) => words.split(' ').map((word) => [word, currency])))

export const currencySymbols = named({ [DOLLAR]: '$', GBP: '£', EUR: '€', JPY: '¥', INR: '₹' })

const currencyNames = named({
  [DOLLAR]: 'dollar dollars buck bucks',
  GBP: 'pound pounds quid sterling',
  EUR: 'euro euros',
  JPY: 'yen',
  INR: 'rupee rupees',
})

const poundCountries = new Set(['GB', 'IE', 'IM', 'JE', 'GG', 'GI'])

/** Where nobody pays in pounds, they are a weight. */
export const currencyNamed = (word: string, country: string): string | undefined =>
  /^pounds?$/.test(word) && !poundCountries.has(country) ? undefined : currencyNames.get(word)

/** As written before or after an amount. */
export const currencyCodes = named({ USD: 'usd', CAD: 'cad', AUD: 'aud', NZD: 'nzd', GBP: 'gbp', EUR: 'eur' })
