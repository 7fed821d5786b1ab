import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { searchText, tsqueryOf, wordsOf } from '../../src/store/search-words.js'

/** What Postgres does with the two: every word asked for is the beginning of a word of the row. */
function finds(q: string, ...values: string[]): boolean {
  const held = searchText(values).split(' ')
  const asked = [...(tsqueryOf(q) ?? '').matchAll(/'([^']+)':\*/g)].map(([, word]) => word ?? '')
  return asked.length > 0 && asked.every((word) => held.some((one) => one.startsWith(word)))
}

/** Any code points at all, and such as people write. */
const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ unit: 'grapheme', maxLength: 60 }))
const numRuns = 1_000

describe('words', () => {
  test.each([
    ['WR-000123', ['wr', '000123']],
    ["O'Brien", ['o', 'brien']],
    ['ann.lee+home@example.org', ['ann', 'lee', 'home', 'example', 'org']],
    ['snake_case C++', ['snake', 'case', 'c']],
    ['again Again AGAIN', ['again']],
    [' \t\u0000 – !', []],
    ['\ud800 a \udfff', ['a']],
  ])('%j is cut at all that is neither letter nor digit', (text, words) => {
    expect(wordsOf(text)).toEqual(words)
  })

  test.each([
    ['élève', 'ELEVE'],
    ['Müller', 'muller'],
    ['Straße', 'STRASSE'],
    ['Łódź', 'lodz'],
    ['Øresund', 'oresund'],
    ['İstanbul', 'istanbul'],
    ['Diyarbakır', 'DIYARBAKIR'],
    ['ὀδός', 'ΟΔΟΣ'],
    ['Ёлкин', 'елкин'],
    ['ﬁn Ⅳ ½ ｆｕｌｌ', 'fin iv 1 2 full'],
    ['שָׁלוֹם', 'שלום'],
    ['مُحَمَّد', 'محـــمد'],
    ['Donau\u00addampf', 'donaudampf'],
    ['Hawaiʻi, OʼBrien, O’Brien', "hawai'i, o'brien"],
    ['한국어', '한국어'.normalize('NFD')],
  ])('%s is %s: case, accents and ways of writing do not matter', (one, other) => {
    expect(wordsOf(one)).toEqual(wordsOf(other))
  })

  test.each([
    ['はは', 'ぱぱ'],
    ['की', 'का'],
  ])('%s is not %s: those marks make another word', (one, other) => {
    expect(wordsOf(one)).not.toEqual(wordsOf(other))
  })

  test('the end of a Greek word is found while it is still being typed', () => {
    expect(finds('ΟΔΟΣ', 'οδόστρωμα')).toBe(true)
  })

  test('text without spaces is cut into pairs, so that any part of it is found', () => {
    expect(wordsOf('東京都')).toEqual(['東京', '京都', '都'])
    expect(wordsOf('iPhone用ケース')).toEqual(['iphone', '用ケ', 'ケー', 'ース', 'ス'])
    for (const part of ['京', '京都', '都', '東京都', 'สวัส', 'ดี']) expect(finds(part, '東京都', 'สวัสดี')).toBe(true)
    expect(finds('都京', '東京都')).toBe(false)
  })

  test('plain ASCII, which takes a short cut, is cut as any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
        expect(wordsOf(`${text} ·`)).toEqual(wordsOf(text))
      }),
      { numRuns },
    )
  })

  test('any text is found by itself, by each of its words and by any beginning of one', () => {
    fc.assert(
      fc.property(anyText, fc.nat(), (text, length) => {
        const words = wordsOf(text)
        fc.pre(words.length > 0)
        expect(finds(text, text)).toBe(true)
        for (const word of words)
          expect(finds([...word].slice(0, 1 + (length % word.length)).join(''), text)).toBe(true)
      }),
      { numRuns },
    )
  })

  test('no word can leave the quotes of a tsquery or the spaces of a row', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const word of wordsOf(text)) expect(word).toMatch(/^[\p{L}\p{N}\p{M}]+$/u)
      }),
      { numRuns },
    )
  })
})

describe('the words of a row', () => {
  test.each(['+1 (555) 010', '555 010', '(555) 010-1234', '5550101234', '+15550101234', '1234', '555.010'])(
    'a telephone number is found as %s',
    (typed) => {
      expect(finds(typed, 'Ann', '+15550101234')).toBe(true)
    },
  )

  test.each(['+33 1 23 45 67 89', '1 23 45', '456789'])('one that is grouped in twos is found as %s', (typed) => {
    expect(finds(typed, '+33123456789')).toBe(true)
  })

  test('only telephone numbers are found by their middle', () => {
    expect(searchText(['WR-0001234567', '123456', 'Ann 15550101234', '12345678901234567'])).toBe(
      'wr 0001234567 123456 ann 15550101234 12345678901234567',
    )
  })

  test('are bounded in length and number, whatever is stored', () => {
    const long = searchText(['𒀀'.repeat(100_000)])
    expect(long.split(' ')).toEqual(['𒀀'.repeat(64)])
    expect(finds('𒀀'.repeat(200), '𒀀'.repeat(100_000))).toBe(true)
    const many = searchText([Array.from({ length: 5_000 }, (_, index) => `w${index}`).join(' '), '+15550101234'])
    expect(many.split(' ')).toHaveLength(2_000)
  })

  test('may be none', () => {
    expect(searchText([])).toBe('')
    expect(searchText(['', '—'])).toBe('')
  })
})

describe('a query', () => {
  test('asks for every word as a prefix, and only once for a word that another begins with', () => {
    expect(tsqueryOf('WR-000123')).toBe("'000123':* & 'wr':*")
    expect(tsqueryOf('ann a An Annette b')).toBe("'annette':* & 'b':*")
  })

  test('without any word asks for nothing', () => {
    expect(tsqueryOf('')).toBeUndefined()
    expect(tsqueryOf(" '& ' :* !")).toBeUndefined()
  })

  test('of 200 characters stays bounded', () => {
    expect(tsqueryOf('ﷺ'.repeat(200))?.split(' & ')).toHaveLength(4)
    const letters = Array.from({ length: 200 }, (_, index) => String.fromCodePoint(0x4e00 + index * 7)).join('')
    expect(tsqueryOf(letters)?.split(' & ').length).toBeLessThanOrEqual(200)
  })
})
