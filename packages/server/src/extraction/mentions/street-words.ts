// The words that addresses are made of in the English-speaking countries: kinds of street, compass points, units,
// states and provinces. After the postal services' own lists, without what is never said.
import { phrasesOf } from './phrases.js'

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Kinds of street that are hardly anything else. */
export const streetKinds = words(
  'street st avenue ave av boulevard blvd road rd lane ln highway hwy parkway pkwy expressway freeway turnpike tpke ' +
    'alley terrace ter crescent cres causeway esplanade mews broadway',
)

/** Kinds of street that are ordinary words too: they need capitals or a sign that an address follows. */
export const softStreetKinds = words(
  'way drive dr court ct place pl plaza plz square sq circle cir common commons trail trl loop row path pike run ' +
    'walk gardens garden grove close green hill heights ridge rise view vista park point pt landing crossing bend ' +
    'cove station center centre mall promenade quay wharf route embankment strand yard gate glen meadow hollow pass',
)

/** Kinds of street that stand before the name, as in French and Spanish. */
export const foreignKinds = words('rue chemin allée quai calle avenida camino paseo rua jalan piazza')
export const leadingKinds: ReadonlySet<string> = new Set([
  ...foreignKinds,
  ...words('avenue boulevard via route place square passage'),
])

/** Roads that have numbers for names, and who keeps them. */
export const numberedRoads = words('route highway hwy interstate road')
export const roadOwners = words('state us county provincial old')

export const compass = words('north south east west northeast northwest southeast southwest n s e w ne nw se sw')

/** What a flat or office is called; the value is how it is written. */
export const unitKinds: ReadonlyMap<string, string> = new Map([
  ['apartment', 'Apt'],
  ['apt', 'Apt'],
  ['suite', 'Suite'],
  ['ste', 'Suite'],
  ['unit', 'Unit'],
  ['flat', 'Flat'],
  ['room', 'Room'],
  ['floor', 'Floor'],
  ['level', 'Level'],
  ['building', 'Building'],
  ['#', '#'],
])

/** States, provinces and territories by name; the value is the postal abbreviation. */
const regionNames =
  'alabama:AL|alaska:AK|arizona:AZ|arkansas:AR|california:CA|colorado:CO|connecticut:CT|delaware:DE|' +
  'district of columbia:DC|florida:FL|georgia:GA|hawaii:HI|idaho:ID|illinois:IL|indiana:IN|iowa:IA|kansas:KS|' +
  'kentucky:KY|louisiana:LA|maine:ME|maryland:MD|massachusetts:MA|michigan:MI|minnesota:MN|mississippi:MS|' +
  'missouri:MO|montana:MT|nebraska:NE|nevada:NV|new hampshire:NH|new jersey:NJ|new mexico:NM|new york:NY|' +
  'north carolina:NC|north dakota:ND|ohio:OH|oklahoma:OK|oregon:OR|pennsylvania:PA|rhode island:RI|' +
  'south carolina:SC|south dakota:SD|tennessee:TN|texas:TX|utah:UT|vermont:VT|virginia:VA|washington:WA|' +
  'west virginia:WV|wisconsin:WI|wyoming:WY|puerto rico:PR|alberta:AB|british columbia:BC|manitoba:MB|' +
  'new brunswick:NB|newfoundland and labrador:NL|nova scotia:NS|ontario:ON|prince edward island:PE|quebec:QC|' +
  'saskatchewan:SK|new south wales:NSW|queensland:QLD|south australia:SA|tasmania:TAS|victoria:VIC|' +
  'western australia:WA|australian capital territory:ACT|northern territory:NT'

const regionPairs = regionNames.split('|').map((pair): [string, string] => {
  const [name = '', abbreviation = ''] = pair.split(':')
  return [name, abbreviation]
})
export const regions = phrasesOf(regionPairs)

/** Written in capitals only: "in" and "or" are words. */
export const regionAbbreviations: ReadonlySet<string> = new Set(regionPairs.map(([, abbreviation]) => abbreviation))

const countryNames =
  'united states|united states of america|usa|us|united kingdom|uk|england|scotland|wales|ireland|canada|australia|' +
  'new zealand|france|germany|spain|mexico|india|malaysia'
export const countries = phrasesOf(countryNames.split('|').map((name) => [name, name]))
