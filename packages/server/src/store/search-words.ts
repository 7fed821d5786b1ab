// Cuts text into the words that search works on: the same function for the words of a row and the words of a query, so
// that the two always agree. It knows nothing of tables; how a page of matches is found is in search.ts.

/**
 * A longer word is cut here, in rows and queries alike: a lexeme holds 2,046 bytes, and nobody types more to find
 * something.
 */
const wordCharactersMax = 64

/**
 * What a row holds beyond these is not searchable. They cover 20,000 characters of prose, and at their longest they
 * take half of the 1 MB of a tsvector.
 */
const rowWordsMax = 2_000

/** The 200 characters of a query never reach this, unless they are ligatures that stand for whole phrases. */
const queryWordsMax = 200

/** The words of `text`, distinct, in the order of their first appearance. */
export function wordsOf(text: string): string[] {
  const words = new Set<string>()
  for (const run of runsOf(text)) {
    if (isUnspaced.test(run)) addPairs(run, words)
    else words.add(cut(run))
  }
  return [...words]
}

/**
 * The words of a row, joined by single spaces, for `array_to_tsvector(string_to_array($1, ' '))`. Without any word it
 * is empty, and so is that tsvector.
 */
export function searchText(values: readonly string[]): string {
  const words = new Set<string>()
  for (const value of values) {
    if (words.size >= rowWordsMax) break
    for (const word of wordsOf(value)) words.add(word)
    for (const tail of phoneTails(value)) words.add(tail)
  }
  return [...words].slice(0, rowWordsMax).join(' ')
}

/**
 * The tsquery that wants every word of `q` as a prefix, such as `'000123':* & 'wr':*`; cast it with `::tsquery`.
 * It is undefined when `q` holds no word at all: then nothing matches, and the page is empty. (A blank `q` is no
 * search: the caller settles that first.) Where the whole of `q` is a telephone number, rows that hold it in E.164
 * match too: the digits that are typed at home are not always a tail of it.
 */
export function tsqueryOf(q: string, number?: string): string | undefined {
  const typed = everyWord(q)
  const called = number === undefined ? undefined : everyWord(number)
  // Without spaces around its `&` the alternative stays one condition, which search.ts takes as one word.
  return called === undefined || typed === called ? typed : `${called} | ${typed?.replaceAll(' & ', '&')}`
}

function everyWord(q: string): string | undefined {
  const words = wordsOf(q).slice(0, queryWordsMax).sort()
  // In sorted order the words that begin with a word follow it directly. Such a word is asked for by its longer
  // neighbour already.
  const needed = words.filter((word, index) => !words[index + 1]?.startsWith(word))
  // No word can hold a quote or a backslash, so none needs escaping.
  return needed.length === 0 ? undefined : needed.map((word) => `'${word}':*`).join(' & ')
}

/** Whether values hold every asked word as a prefix: what a tsquery says of a row, for rows that have no tsvector. */
export function matches(asked: readonly string[], values: readonly string[]): boolean {
  const words = searchText(values).split(' ')
  return asked.every((prefix) => words.some((word) => word.startsWith(prefix)))
}

/** Most text is ASCII, where the same cut costs a tenth. */
function runsOf(text: string): readonly string[] {
  return (isAscii.test(text) ? text.toLowerCase().match(/[a-z0-9]+/g) : fold(text).match(runs)) ?? []
}

const isAscii = /^[\x00-\x7f]*$/

/** Case and accents do not matter, nor do the several ways in which Unicode writes one letter. */
function fold(text: string): string {
  const bare = text.normalize('NFKD').replace(ignored, '').toLowerCase()
  return bare.replace(particular, (letter) => plainLetters[letter] ?? letter).normalize('NFC')
}

/**
 * What a reader does not count as a letter: accents, Hebrew and Arabic points, joiners, the soft hyphen, the Arabic
 * stretch. The vowel signs of India and of South-East Asia are marks to Unicode too, but words differ by them, as か and
 * が do: those stay.
 */
const markedScripts = ['Inherited', 'Latin', 'Greek', 'Cyrillic', 'Hebrew', 'Arabic', 'Syriac']
const ofMarkedScripts = `[${markedScripts.map((script) => `\\p{sc=${script}}`).join('')}\\u00ad]`
const ignored = new RegExp(`(?![\\u3099\\u309a])(?=[\\p{Mn}\\p{Me}\\p{Cf}])${ofMarkedScripts}|\\u0640`, 'gu')

/**
 * Letters that Unicode does not take apart, as those who lack the key type them; ς is only σ at the end of a word,
 * where a prefix may not end.
 */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ı: 'i',
  ς: 'σ',
}
const particular = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'gu')

/**
 * Runs of letters, digits and their marks. Apostrophes that Unicode calls letters (ʼ, ʻ) part words as ' does. Scripts
 * that are written without spaces make runs of their own, so that `iPhone用` is cut before `用`.
 */
const character = String.raw`(?![\u02b9-\u02ff])[\p{L}\p{N}\p{M}]`
const unspacedScripts = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
const unspaced = `[${unspacedScripts.map((script) => `\\p{scx=${script}}`).join('')}]`
const runs = new RegExp(`(?:(?=${unspaced})${character})+|(?:(?!${unspaced})${character})+`, 'gu')
const isUnspaced = new RegExp(`^${unspaced}`, 'u')

function cut(word: string): string {
  return word.length <= wordCharactersMax ? word : [...word].slice(0, wordCharactersMax).join('')
}

/**
 * Chinese, Japanese, Thai and the like do not part their words, so a run of them becomes the pairs of neighbouring
 * characters, and the last character alone: `東京都` is `東京`, `京都` and `都`. A query of one character is then the prefix of
 * some pair, and a longer one asks for all its pairs.
 */
function addPairs(run: string, words: Set<string>): void {
  const characters = [...run]
  for (const [index, first] of characters.entries()) words.add(first + (characters[index + 1] ?? ''))
}

/**
 * A telephone number is stored as `+15550101234` but typed as `(555) 010-1234`, or as its last four digits.
 * Its row therefore also holds every tail of its digits, so that each group of digits somebody types is the prefix of
 * one.
 */
function phoneTails(value: string): string[] {
  if (value.length > 40 || !/^\+?[\d\s().-]+$/.test(value)) return []
  const digits = value.replace(/\D/g, '')
  if (digits.length < 7 || digits.length > 15) return []
  return Array.from({ length: digits.length - 1 }, (_, start) => digits.slice(start))
}
