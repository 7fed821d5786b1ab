// How often each rule of the extractor is right, by kind of value: where the table of
// packages/server/src/extraction/rules/confidence.ts comes from, and what a segment costs. The slots that the marked
// conversations have become fact definitions, labelled with the slot's own words; a fact is right when it has the value
// that the slot was last marked with. Usage: npm run build && node bench/extraction-confidence.mjs <dialogues.jsonl>
import { readFileSync } from 'node:fs'
import { extractByRules } from '../packages/server/dist/extraction/rules/extract-by-rules.js'

const [file] = process.argv.slice(2)
if (!file) throw new Error('usage: extraction-confidence.mjs <dialogues.jsonl>')
const dialogues = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))
const valueTypes = { date: 'date', time: 'string', phone: 'string', address: 'string', money: 'number' }

/** Of each service, the slots that are marked anywhere. */
const slotsOf = new Map()
for (const { services, gold } of dialogues) {
  const slots = slotsOf.get(services.join()) ?? new Map()
  for (const { slot, kind } of gold) slots.set(slot, kind)
  slotsOf.set(services.join(), slots)
}

const label = (slot) => slot.replaceAll('_', ' ')
const number = (value) => Number.parseFloat(String(value).replace(/[^\d.]/g, ''))
const words = (value) =>
  String(value)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
const isSame = {
  date: (gold, got) => got === gold,
  time: (gold, got) => got.slice(0, 5) === gold.slice(0, 5),
  phone: (gold, got) => got.replace(/\D/g, '').slice(-10) === gold.replace(/\D/g, '').slice(-10),
  money: (gold, got) => got === number(gold),
  address: (gold, got) => words(got).startsWith(words(gold).split(' ').slice(0, 3).join(' ')),
}

const tallies = new Map()
let [segmentsRead, spentMs] = [0, 0]
for (const { services, gold, segments, referenceDate } of dialogues) {
  const slots = slotsOf.get(services.join())
  const facts = [...slots].map(([slot, kind]) => ({
    key: slot,
    label: label(slot),
    valueType: valueTypes[kind],
    enumValues: [],
    hints: [],
    isMany: false,
  }))
  const context = { startedAt: new Date(`${referenceDate}T09:00:00Z`), timeZone: 'UTC', country: 'US' }
  const began = performance.now()
  const found = extractByRules({ segments, context, vocabulary: { facts, signals: [], workTypes: [] } })
  spentMs += performance.now() - began
  segmentsRead += segments.length
  for (const { key, value, rule } of found.facts) {
    const kind = slots.get(key)
    if (kind === undefined) continue
    const marked = gold.filter(({ slot, value: one }) => slot === key && one !== null)
    const last = marked.at(-1)
    const row = tallies.get(`${rule} ${kind}`) ?? { found: 0, right: 0, wrong: [] }
    row.found++
    if (last && isSame[kind](last.value, value)) row.right++
    else row.wrong.push(`${key} ${JSON.stringify(value)} for ${last?.value}`)
    tallies.set(`${rule} ${kind}`, row)
  }
}
for (const [name, { found, right, wrong }] of [...tallies].sort()) {
  console.log(name.padEnd(28), `found ${found}  right ${right}  ${(right / found).toFixed(2)}`)
  if (process.argv.includes('--wrong')) for (const one of wrong) console.log('   ', one)
}
console.log(`${(spentMs / segmentsRead).toFixed(3)} ms a segment, ${segmentsRead} segments`)
