// What taking in conversations costs: how fast requests of a provider are accepted, signed and logged, as a ratio of the
// API's own create, and the CPU time of reading a segment. Usage: npm run build && node bench/intake.mjs [seconds a
// measurement]
import { createHmac } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from './support/alternately.mjs'
import { startDatabase } from './support/database.mjs'
import { liveReadingMs } from './support/live-reading.mjs'
import { requirePrograms, startNode } from './support/processes.mjs'
import { printTable } from './support/table.mjs'
import { measure } from './support/wrk.mjs'

requirePrograms('wrk')
const seconds = Number(process.argv[2] ?? 8)
const SIGNED = 20_000
const READING_MS = 2
const accountSid = `AC${'0a'.repeat(16)}`
const authToken = 'a token for benchmarks only'
const reading = await liveReadingMs()
const database = await startDatabase()
const auth = { authorization: `Bearer ${database.key}`, 'content-type': 'application/json' }
const settings = JSON.stringify({ PARLEY_ROLE: 'api', PARLEY_RATE_LIMIT_INBOUND: '1000000:1000000' })
const folder = await mkdtemp(join(tmpdir(), 'parley-intake-'))
const creating = `wrk.method = 'POST'
wrk.body = '{"title":"Call Dana back"}'`
const results = []

try {
  const parley = await startNode('parley-server.mjs', [database.url, settings])
  const made = await fetch(`${parley.url}/api/v1/integration-connections`, {
    method: 'POST',
    headers: auth,
    body: JSON.stringify({ provider: 'twilio', name: 'Phones', config: { accountSid }, credentials: { authToken } }),
  })
  const { inboundUrls } = await made.json()
  const requests = await signedRequests(inboundUrls.sms)
  const [inbound, created] = [[], []]
  // In turns, so that both meet the same machine.
  for (let round = 0; round < 3; round++) {
    inbound.push((await measure(inboundUrls.sms, { seconds, lua: sendingFrom(requests) })).perSecond)
    created.push((await measure(`${parley.url}/api/v1/tasks`, { seconds, headers: auth, lua: creating })).perSecond)
  }
  const [taken, made2] = [median(inbound), median(created)]
  results.push({ what: 'POST /tasks', value: made2 })
  results.push({ what: 'inbound SMS, signed and logged', value: taken, ratio: taken / made2, against: 'of a create' })
  await parley.stop()
} catch (error) {
  console.error(error)
  process.exitCode = 1
} finally {
  await database.stop()
  await rm(folder, { recursive: true })
}
const { ms, segmentCount, definitions } = reading
results.push({
  what: `extraction by rules, each of ${segmentCount} segments, live, ${definitions} definitions`,
  value: ms,
  unit: 'ms of CPU',
  ratio: ms / READING_MS,
  against: `of ${READING_MS} ms`,
  target: 1,
  isAtMost: true,
})
if (!printTable(`Intake, ${seconds} s each, Node ${process.version}`, results)) process.exitCode = 1

/** A file of requests, each with its signature: wrk cannot sign. */
async function signedRequests(url) {
  const lines = Array.from({ length: SIGNED }, (_, index) => {
    const form = {
      AccountSid: accountSid,
      Body: `Is the shop open? ${index}`,
      From: `+1415${String(5_550_000 + (index % 1_000))}`,
      MessageSid: `SM${String(index).padStart(32, '0')}`,
      NumMedia: '0',
      To: '+15005550006',
    }
    const text = Object.keys(form)
      .sort()
      .reduce((all, name) => all + name + form[name], url)
    const signature = createHmac('sha1', authToken).update(text).digest('base64')
    return `${signature}\t${new URLSearchParams(form)}`
  })
  const file = join(folder, 'requests.txt')
  await writeFile(file, lines.join('\n'))
  return file
}

function sendingFrom(file) {
  return `local requests = {}
for line in io.lines('${file}') do
  local signature, body = line:match('^(.-)\\t(.*)$')
  requests[#requests + 1] = { signature, body }
end
local at = 0
function request()
  at = at % #requests + 1
  local headers = { ['Content-Type'] = 'application/x-www-form-urlencoded', ['X-Twilio-Signature'] = requests[at][1] }
  return wrk.format('POST', nil, headers, requests[at][2])
end`
}
