// The words that addresses are made of in the English-speaking countries: kinds of street, compass points, units,
// states and provinces. After the postal services' own lists, without what is never said.

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Kinds of street that are hardly anything else. */
export const streetKinds = words(
  'street st avenue ave av boulevard blvd road rd lane ln highway hwy parkway pkwy expressway freeway turnpike tpke ' +
    'alley terrace ter crescent cres causeway esplanade mews broadway',
)

/** Kinds of street that are ordinary words too: they need capitals or a sign that an address follows. */
export const softStreetKinds = words(
  'way drive dr court ct place pl plaza plz square sq circle cir common commons trail trl loop row path pike run walk ' +
    'gardens garden grove close green hill heights ridge rise view vista park point pt landing crossing bend cove ' +
    'station center centre mall promenade quay wharf route embankment strand yard gate glen meadow hollow pass',
)

/** Kinds of street that stand before the name, as in French and Spanish. */
export const leadingKinds = words('rue avenue boulevard chemin allée quai calle avenida camino via route rua place')

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

/** By their words, so that they can be met token by token. */
export const regions: readonly (readonly [words: readonly string[], abbreviation: string])[] = regionNames
  .split('|')
  .map((pair) => pair.split(':'))
  .map(([name = '', abbreviation = '']) => [name.split(' '), abbreviation])

/** Written in capitals only: "in" and "or" are words. */
export const regionAbbreviations: ReadonlySet<string> = new Set([...regions.map(([, short]) => short), 'DC'])

export const countries: readonly (readonly string[])[] = [
  'united states',
  'united states of america',
  'usa',
  'us',
  'united kingdom',
  'uk',
  'england',
  'scotland',
  'wales',
  'ireland',
  'canada',
  'australia',
  'new zealand',
  'france',
  'germany',
  'spain',
  'mexico',
].map((name) => name.split(' '))
