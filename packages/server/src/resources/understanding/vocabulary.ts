// What an organization listens for, read from its definitions, and how its conversations are to be read: in which
// country and time zone.
import { factDefinitions, phoneNumbers, type Row, signalDefinitions, workTypeDefinitions } from '@parley/contract'
import type { SpeechContext } from '../../extraction/mention.js'
import type { Vocabulary, WantedFact } from '../../extraction/understanding.js'
import type { Caller } from '../../http/endpoint.js'
import { countryOf } from '../../http/telephone.js'
import type { Reader } from '../../store/reader.js'

/** As many definitions of each sort are listened for; the oldest go first. */
const DEFINITIONS_MAX = 500

export async function vocabularyOf(read: Reader): Promise<Vocabulary> {
  const [facts, signals, workTypes] = await Promise.all([
    read.find(factDefinitions, {}, DEFINITIONS_MAX),
    read.find(signalDefinitions, {}, DEFINITIONS_MAX),
    read.find(workTypeDefinitions, { enabled: true }, DEFINITIONS_MAX),
  ])
  return {
    facts: facts.map(wantedFact),
    signals: signals.filter(({ enabled, phrases }) => enabled && phrases.length > 0),
    workTypes,
  }
}

const wantedFact = (definition: Row<typeof factDefinitions>): WantedFact => ({
  ...definition,
  enumValues: definition.enumValues ?? [],
  isMany: definition.cardinality === 'many',
})

const FALLBACK_COUNTRY = 'US'

/** National numbers are those of `defaultCountry`, else of the country of the organization's own numbers, else US. */
export async function speechContextOf(
  read: Reader,
  { settings }: Pick<Caller, 'settings'>,
  startedAt: Date,
  timeZone = settings.timezone,
): Promise<SpeechContext> {
  const country = settings.defaultCountry ?? (await countryOfNumbers(read)) ?? FALLBACK_COUNTRY
  return { startedAt, timeZone, country }
}

async function countryOfNumbers(read: Reader): Promise<string | undefined> {
  const numbers = await read.find(phoneNumbers, { status: 'active' }, 20)
  const ordered = numbers.toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault))
  return ordered.map(({ e164 }) => countryOf(e164)).find((country) => country !== undefined)
}
