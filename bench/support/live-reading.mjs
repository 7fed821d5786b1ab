// What the rules cost while people talk: a call is read segment by segment as the live worker does it, mentions and
// rules over an organization's definitions, and the CPU time of this process is shared out among the segments.

import { extractByRules } from '../../packages/server/dist/extraction/rules/extract-by-rules.js'
import { createListener } from '../../packages/server/dist/resources/understanding/listen.js'

const context = { startedAt: new Date('2026-03-02T15:00:00Z'), timeZone: 'America/New_York', country: 'US' }
const script = [
  ['agent', 'Brightwater Plumbing, this is Dana. How can I help you today?'],
  ['caller', 'Hi, this is Maria Lopez, I have a leak under the kitchen sink and it has been dripping for three days.'],
  ['agent', 'I am sorry to hear that. What is the address, and is there a number where we can reach you?'],
  ['caller', 'It is 48 Juniper Lane, apartment 3, Newark, New Jersey 07102, and my number is 201-555-0143.'],
  ['agent', 'Thank you. Does next Tuesday between 2 and 4 in the afternoon suit, or the 14th at half past nine?'],
  ['caller', 'Tuesday is fine. What would that cost? Last time I paid a hundred and twenty dollars.'],
  ['agent', 'The visit is $85.50 for the first hour. How old is the boiler, and do you own the house?'],
  ['caller', 'Yes, we own it. The boiler is 12 years old, I think. No, 14 years, it was there before us.'],
  ['agent', 'Which email may I use for the confirmation?'],
  ['caller', 'maria dot lopez at example dot com. There are two sinks, by the way, and I am not angry.'],
]

const things = ['boiler', 'roof', 'sink', 'pump', 'meter', 'window', 'garage', 'garden', 'cellar', 'kitchen']
const wanted = [
  { what: 'age', valueType: 'number', hints: (thing) => [`how old is the ${thing}`, `age of the ${thing}`] },
  { what: 'visit date', valueType: 'date', hints: (thing) => [`day for the ${thing}`] },
  { what: 'state', valueType: 'enum', enumValues: ['leaking', 'broken', 'cold', 'fine'], hints: () => [] },
  { what: 'is owned', valueType: 'boolean', hints: (thing) => [`own the ${thing}`] },
]

/** Forty facts and ten signals, as an organization might define them. */
const facts = things.flatMap((thing) =>
  wanted.map(({ what, valueType, enumValues = [], hints }) => ({
    key: `${thing}_${what.replaceAll(' ', '_')}`,
    label: `${thing} ${what}`,
    valueType,
    enumValues,
    hints: hints(thing),
    isMany: false,
  })),
)
const signals = things.map((thing) => ({ key: `${thing}_alarm`, label: thing, phrases: [`${thing} burst`, 'angry'] }))
const vocabulary = { facts, signals, workTypes: [] }

/** ms of CPU time a segment, of a call of so many, the median of a few calls. */
export async function liveReadingMs(segmentCount = 400, calls = 5) {
  await readCall(segmentCount, 'to warm up')
  const costs = []
  for (let call = 0; call < calls; call++) {
    const before = process.cpuUsage()
    await readCall(segmentCount, `call ${call}`)
    const { user, system } = process.cpuUsage(before)
    costs.push((user + system) / 1_000 / segmentCount)
  }
  return { ms: costs.toSorted((a, b) => a - b)[Math.floor(calls / 2)], definitions: facts.length, segmentCount }
}

/** After every segment all that was said is read once more, with what is remembered of it. */
async function readCall(segmentCount, key) {
  const listener = createListener(1)
  const segments = []
  let found
  for (let index = 0; index < segmentCount; index++) {
    const [speaker, text] = script[index % script.length]
    segments.push({ speaker, text })
    const heard = await listener.listen(key, segments, context)
    found = extractByRules({ segments, context, vocabulary, ...heard })
  }
  if (found.facts.length < 5) throw new Error(`The rules found ${found.facts.length} facts, which is no measurement`)
}
