// Speed of calls: segments coming in against pgbench inserting the same rows, the surface of a long call against the
// call itself, and how long a segment takes from its commit to a hundred viewers on another node. Usage: npm run build
// && node bench/calls.mjs [seconds a measurement]
import { request as httpRequest } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { startDatabase } from './support/database.mjs'
import { pgbench } from './support/pgbench.mjs'
import { requirePrograms, startNode } from './support/processes.mjs'
import { printTable } from './support/table.mjs'
import { measure } from './support/wrk.mjs'

requirePrograms('wrk', 'pgbench')
const seconds = Number(process.argv[2] ?? 8)
const BATCH = 20
const database = await startDatabase()
const { client, tenantId, key } = database
const auth = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
const text = 'I would like somebody to come and look at the sink, it has been leaking since yesterday.'
const results = []

try {
  const parley = await startNode('parley-server.mjs', [database.url])
  await ingest(parley)
  await surface(parley)
  await stream(parley)
  await parley.stop()
} catch (error) {
  console.error(error)
  process.exit(1)
} finally {
  await database.stop()
}
process.exitCode = printTable(`Calls, ${seconds} s each, Node ${process.version}`, results) ? 0 : 1

async function post(url, body) {
  const answer = await fetch(url, { method: 'POST', headers: auth, body: JSON.stringify(body) })
  if (answer.status >= 300) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

async function beginCalls({ url }, count) {
  const calls = Array.from({ length: count }, (_, index) =>
    post(`${url}/api/v1/calls`, {
      direction: 'inbound',
      from: `+1555${String(index).padStart(7, '0')}`,
      to: '+15559999999',
      status: 'in_progress',
    }),
  )
  return (await Promise.all(calls)).map(({ id }) => id)
}

/**
 * Sixty-four calls at once, each sending batch after batch, in turns with pgbench so that both meet the same machine.
 */
async function ingest(parley) {
  const rounds = 3
  const [ours, ceiling] = [[], []]
  for (let round = 0; round < rounds; round++) {
    const ids = await beginCalls(parley, 64)
    const lua = `local ids = {${ids.map((id) => `'${id}'`).join(',')}}
      -- The warm-up says other sequence numbers than the run: what was said before would be looked up. The load shares two cores with what it measures, so it
      -- writes nothing but those.
      local n, first, parts = -1, (os.time() % 50000) * 20000, {}
      for i = 0, ${BATCH - 1} do
        parts[2 * i + 2] = string.format(',"speaker":"caller","text":"${text}","startMs":%d,"endMs":%d,"confidence":0.93}', i * 100, i * 100 + 90)
      end
      function request()
        n = n + 1
        local from = first + math.floor(n / ${ids.length}) * ${BATCH}
        for i = 0, ${BATCH - 1} do
          parts[2 * i + 1] = (i == 0 and '{"sequence":' or ',{"sequence":') .. (from + i)
        end
        return wrk.format('POST', '/api/v1/calls/' .. ids[n % ${ids.length} + 1] .. '/segments', { ['authorization'] = 'Bearer ${key}', ['content-type'] = 'application/json' }, '{"segments":[' .. table.concat(parts) .. ']}')
      end`
    ours.push((await measure(parley.url, { lua, seconds })).perSecond)
    ceiling.push(await sameRows())
  }
  const [best, most] = [Math.max(...ours), Math.max(...ceiling)]
  results.push(
    { what: `pgbench, ${BATCH} segments`, value: most },
    { what: `segments in batches of ${BATCH}`, value: best, ratio: best / most, against: 'of pgbench', target: 0.4 },
  )
}

async function sameRows() {
  const values = Array.from(
    { length: BATCH },
    (_, index) =>
      `(${index}, gen_random_uuid(), 'caller', '${text}', ${index * 100}, ${index * 100 + 90}, 0.93::float8, true, 2::bigint)`,
  )
  const statement = `insert into call_segments (tenant_id, call_id, sequence, id, speaker, text, start_ms, end_ms, confidence, is_final, revision) select '${tenantId}'::uuid, c.id, r.* from (values ${values.join(', ')}) r, (select gen_random_uuid() as id) c`
  return pgbench(database.url, { statement, mode: 'prepared', seconds })
}

/** A call with 2,000 segments and 50 facts. */
async function surface(parley) {
  const [id] = await beginCalls(parley, 1)
  const path = `${parley.url}/api/v1/calls/${id}`
  for (let from = 0; from < 2_000; from += 500) {
    await post(`${path}/segments`, {
      segments: Array.from({ length: 500 }, (_, index) => ({
        sequence: from + index,
        speaker: 'caller',
        text,
        startMs: (from + index) * 100,
      })),
    })
  }
  await post(`${path}/facts`, {
    facts: Array.from({ length: 50 }, (_, index) => ({ key: `fact_${index}`, value: index, confidence: 0.9 })),
  })
  await client.query('vacuum analyze call_segments, facts, events, calls, call_activity')
  const options = { headers: { authorization: `Bearer ${key}` }, connections: 8, seconds }
  const one = await measure(path, options)
  const whole = await measure(`${path}/surface`, options)
  results.push(
    { what: 'get one call, p50', value: one.p50Ms, unit: 'ms' },
    {
      what: 'surface, p50',
      value: whole.p50Ms,
      unit: 'ms',
      ratio: whole.p50Ms / one.p50Ms,
      against: 'times get one',
      target: 3,
      isAtMost: true,
    },
  )
}

/** Two hundred segments a second into one call; a hundred viewers of it on another node. */
async function stream(parley) {
  const [id] = await beginCalls(parley, 1)
  const other = await startNode('parley-server.mjs', [database.url])
  const arrivals = []
  const viewers = Array.from({ length: 100 }, () =>
    view(`${other.url}/api/v1/calls/${id}/stream`, (sequence, at) => arrivals.push([sequence, at])),
  )
  await Promise.all(viewers.map(({ open }) => open))
  const committed = new Map()
  const began = Date.now()
  for (let batch = 0; batch < seconds * 40; batch++) {
    await sleep(Math.max(0, began + batch * 25 - Date.now()))
    const segments = Array.from({ length: 5 }, (_, index) => ({
      sequence: batch * 5 + index,
      speaker: 'caller',
      text,
      startMs: batch * 25,
    }))
    void post(`${parley.url}/api/v1/calls/${id}/segments`, { segments }).then(() =>
      segments.forEach(({ sequence }) => committed.set(sequence, Date.now())),
    )
  }
  await sleep(1_000)
  const delays = arrivals.map(([sequence, at]) => at - committed.get(sequence)).sort((a, b) => a - b)
  const expected = seconds * 200 * viewers.length
  if (delays.length !== expected) throw new Error(`${delays.length} arrivals instead of ${expected}`)
  const at = (share) => Math.max(0, delays[Math.floor(delays.length * share)])
  results.push(
    { what: 'segment to 100 viewers on another node, p50', value: at(0.5), unit: 'ms' },
    {
      what: 'the same, p99',
      value: at(0.99),
      unit: 'ms',
      ratio: at(0.99) / 300,
      against: 'of 300 ms',
      target: 1,
      isAtMost: true,
    },
  )
  for (const viewer of viewers) viewer.close()
  await other.stop()
}

/** Reads a stream and tells of each segment when its bytes have come. */
function view(url, tell) {
  let opened
  const open = new Promise((resolve) => (opened = resolve))
  const request = httpRequest(url, { headers: { authorization: `Bearer ${key}` }, agent: false }, (response) => {
    let text = ''
    response.setEncoding('utf8')
    response.on('data', (chunk) => {
      const at = Date.now()
      const blocks = (text + chunk).split('\n\n')
      text = blocks.pop()
      for (const block of blocks) {
        if (block.includes('event: surface')) opened()
        const data = block.includes('event: transcript') ? /^data: (.*)$/m.exec(block)?.[1] : undefined
        for (const { sequence } of data ? JSON.parse(data).segments : []) tell(sequence, at)
      }
    })
  })
  request.on('error', () => {})
  request.end()
  return { open, close: () => request.destroy() }
}
