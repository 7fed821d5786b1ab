// Measures what the built-in rules cost: CPU time per segment of a conversation, for the whole of it and beside
// JSON.parse of the same segments, and whether a long call costs more per segment than a short one.
// Usage: npm run build && node bench/extraction.mjs [segments, 20000]
const begin = performance.now()
const { createMentionFinder } = await import('../packages/server/dist/extraction/mentions/find-mentions.js')
const loadMs = performance.now() - begin

const count = Number(process.argv[2] ?? 20_000)
const limitMs = 2
const context = { startedAt: new Date('2026-03-02T15:00:00Z'), timeZone: 'America/New_York', country: 'US' }
const script = [
  ['agent', 'Brightwater Plumbing, this is Dana. How can I help you today?'],
  ['caller', 'Hi, this is Maria Lopez, I have a leak under the kitchen sink and it has been dripping for three days.'],
  ['agent', 'I am sorry to hear that. What is the address, and is there a number where we can reach you?'],
  ['caller', 'It is 48 Juniper Lane, apartment 3, Newark, New Jersey 07102, and my number is 201-555-0143.'],
  [
    'agent',
    'Thank you. We could send somebody next Tuesday between 2 and 4 in the afternoon, or on the 14th at half past nine.',
  ],
  ['caller', 'Tuesday is fine. What would that cost? Last time I paid a hundred and twenty dollars.'],
  ['agent', 'The visit is $85.50 for the first hour, then forty dollars for each half hour. Which email may I use?'],
  ['caller', 'maria dot lopez at example dot com. There are two sinks, by the way.'],
  ['agent', 'Okay.'],
  ['caller', 'Great, thanks, bye.'],
]
const segmentAt = (index) => {
  const [speaker, text] = script[index % script.length]
  return { speaker, text }
}

/** ms of CPU time that `work` takes for each of so many segments. */
function cpuPerSegment(segments, work) {
  const before = process.cpuUsage()
  work(segments)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000 / segments
}

function hear(segments) {
  const finder = createMentionFinder(context)
  let mentions = 0
  for (let index = 0; index < segments; index++) mentions += finder.add(segmentAt(index)).length
  return mentions
}

const texts = script.map(([speaker, text]) => JSON.stringify({ id: '01KJQH7VM8T6M3N5P7R9V0XCZ4', speaker, text }))
function parse(segments) {
  for (let index = 0; index < segments; index++) JSON.parse(texts[index % texts.length])
}

const firstMs = cpuPerSegment(script.length, hear)
hear(2_000)
parse(2_000)
const [shortMs, longMs, parseMs] = [
  cpuPerSegment(count, (segments) => {
    for (let heard = 0; heard < segments; heard += script.length) hear(script.length)
  }),
  cpuPerSegment(count, hear),
  cpuPerSegment(count, parse),
]
const characters = script.reduce((sum, [, text]) => sum + text.length, 0) / script.length

console.log(`loading the rules            ${loadMs.toFixed(0)} ms, once`)
console.log(`the first conversation       ${firstMs.toFixed(2)} ms of CPU a segment (the phone library is loaded)`)
console.log(
  `calls of ${script.length} segments         ${shortMs.toFixed(3)} ms of CPU a segment of ${characters.toFixed(0)} characters`,
)
console.log(`one call of ${count} segments  ${longMs.toFixed(3)} ms`)
console.log(
  `JSON.parse of a segment      ${parseMs.toFixed(4)} ms: the rules cost ${(longMs / parseMs).toFixed(0)} times that`,
)
if (Math.max(shortMs, longMs) > limitMs) {
  console.error(`more than ${limitMs} ms a segment`)
  process.exitCode = 1
}
