// Names of people, where somebody says whose name it is: "this is Maria Lopez", "my name is …", "Dr. Chen", or the
// answer to "May I have your name?". Names without such a sign are left alone: they may be places or products.
import type { Found } from '../mention.js'
import { phrasesOf, readPhrase } from './phrases.js'
import { countedWords } from './spoken-numbers.js'
import {
  endOf,
  isBoundary,
  isCapitalized,
  isGlued,
  isWord,
  startOf,
  type Utterance,
  wordAt,
  writtenAt,
} from './utterance.js'

/** After a strong sign a name follows even without capitals; a loose one needs more after the name as well. */
type Sign = 'strong' | 'plain' | 'loose'

const signs = phrasesOf([
  ...(
    'my name is|my names|my full name is|the name is|names|first name is|last name is|under the name of|' +
    'under the name|in the name of|patient name is|customer name is|her name is|his name is|their name is|' +
    'you are speaking with|youre speaking with|youre speaking to'
  )
    .split('|')
    .map((text): [string, Sign] => [text, 'strong']),
  ...'this is|i am|im|call me|speaking with|ask for|speak to|speak with'
    .split('|')
    .map((text): [string, Sign] => [text, 'plain']),
  ...'it is|its'.split('|').map((text): [string, Sign] => [text, 'loose']),
])
/** What people say after their name. */
const afterName = new Set(['speaking', 'calling', 'here', 'from', 'again', 'with'])
const titles = new Set(['mr', 'mrs', 'ms', 'miss', 'dr', 'doctor', 'professor', 'prof'])
/** Small words inside a name. */
const particles = new Set(['de', 'da', 'del', 'della', 'van', 'von', 'der', 'den', 'la', 'le', 'bin', 'al', 'el', 'st'])
/** Words that are written with a capital or follow a sign and are no name. */
const notNames = new Set([
  ...(
    'a an the and or but if so then is are was were be been it its i im you he she we they this that these those ' +
    'there here not no yes yeah okay ok sure just going calling looking trying interested sorry happy glad fine good ' +
    'great very really about for from with at in on of to my your his her our their what who when where how all also ' +
    'available ready done right correct wrong wondering hoping needing wanting having planning thinking currently ' +
    'actually still now calling please thanks thank hello hi hey spelled spell speaking regarding because asap'
  ).split(' '),
  ...countedWords('january february march april may june july august september october november december', 1).keys(),
  ...'monday tuesday wednesday thursday friday saturday sunday today tomorrow'.split(' '),
])
/** "This is Brightwater Plumbing." */
const businesses = new Set(
  (
    'plumbing heating cooling services service inc llc ltd airlines hotel restaurant clinic dental group company ' +
    'roofing electric electrical law bank support desk team center centre office medical repair repairs cleaning ' +
    'landscaping insurance realty properties apartments motors auto shop store salon spa pizza cafe solutions'
  ).split(' '),
)
/** Hyphens count. */
const NAME_WORDS_MAX = 6

export function findPersons(utterance: Utterance): Found[] {
  const found: Found[] = []
  for (let index = 0; index < utterance.tokens.length; index++) {
    const name = readNameAt(utterance, index)
    if (name === undefined) continue
    found.push({
      kind: 'person',
      start: startOf(utterance, name.from),
      end: endOf(utterance, name.next - 1),
      value: name.value,
    })
    index = name.next - 1
  }
  return found
}

function readNameAt(utterance: Utterance, index: number) {
  if (titles.has(wordAt(utterance, index))) {
    const after = wordAt(utterance, index + 1) === '.' ? index + 2 : index + 1
    const isTitle = isCapitalized(utterance, index)
    return isTitle ? readName(utterance, after, false) : undefined
  }
  const sign = readPhrase(utterance, index, signs)
  if (sign !== undefined) return readSigned(utterance, sign.next, sign.value)
  const introduced = startsSentence(utterance, index) ? readName(utterance, index, false) : undefined
  if (introduced !== undefined && wordAt(utterance, introduced.next) === 'speaking') return introduced
  return index === 0 && utterance.asked.has('name') ? readAnswer(utterance) : undefined
}

function readSigned(utterance: Utterance, index: number, sign: Sign) {
  const isLower = sign !== 'loose' && !utterance.hasCapitals
  const name = readName(utterance, skipTitle(utterance, index), isLower)
  if (name === undefined || businesses.has(wordAt(utterance, name.next - 1))) return undefined
  const isPlain = sign === 'strong' || (sign === 'plain' && !isLower)
  return isPlain || utterance.asked.has('name') || afterName.has(wordAt(utterance, name.next)) ? name : undefined
}

const startsSentence = (utterance: Utterance, index: number): boolean =>
  isBoundary(utterance, index - 1) && isCapitalized(utterance, index)

const skipTitle = (utterance: Utterance, index: number): number => {
  if (!titles.has(wordAt(utterance, index))) return index
  return wordAt(utterance, index + 1) === '.' ? index + 2 : index + 1
}

/** The whole answer, or its first sentence, is the name. */
function readAnswer(utterance: Utterance) {
  const opening = ['sure', 'yes', 'yeah', 'its', 'oh'].includes(wordAt(utterance, 0)) ? 1 : 0
  const from = wordAt(utterance, opening) === ',' ? opening + 1 : opening
  const name = readName(utterance, from, !utterance.hasCapitals)
  return name && isBoundary(utterance, name.next) ? name : undefined
}

function readName(utterance: Utterance, from: number, takesLower: boolean) {
  let next = from
  for (; next < from + NAME_WORDS_MAX; next++) {
    const word = wordAt(utterance, next)
    const isParticle = next > from && particles.has(word) && isWord(wordAt(utterance, next + 1))
    if (word === '-' && next > from && isGlued(utterance, next + 1)) continue
    const isName =
      isWord(word) &&
      !notNames.has(word) &&
      !afterName.has(word) &&
      (isCapitalized(utterance, next) || takesLower || isParticle)
    if (!isName) break
  }
  while (next > from && (particles.has(wordAt(utterance, next - 1)) || wordAt(utterance, next - 1) === '-')) next--
  if (next === from) return undefined
  const words = Array.from({ length: next - from }, (_, offset) => nameWord(utterance, from + offset))
  return { from, next, value: words.join(' ').replaceAll(' - ', '-') }
}

const nameWord = (utterance: Utterance, index: number): string => {
  const written = writtenAt(utterance, index)
  return isCapitalized(utterance, index) || particles.has(written)
    ? written
    : written.charAt(0).toUpperCase() + written.slice(1)
}
