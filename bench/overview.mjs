// Search over everything and the numbers of the overview, on many calls with transcripts: how long the slowest of twenty
// requests take, one after the other.
// Usage: npm run build && node bench/overview.mjs [calls]
import { calls, shapeOf } from '../packages/contract/dist/index.js'
import { newRecord } from '../packages/server/dist/resources/generic/record-values.js'
import { startDatabase } from './support/database.mjs'
import { startNode } from './support/processes.mjs'
import { printTable } from './support/table.mjs'

const rows = Number(process.argv[2] ?? 1_000_000)
const ASKED = 60
const database = await startDatabase()
const { client, tenantId, organizationId, key } = database
const results = []

try {
  const started = Date.now()
  await fill()
  console.log(
    `Filled ${rows.toLocaleString('en')} calls of 90 days in ${Math.round((Date.now() - started) / 1_000)} s.`,
  )
  const parley = await startNode('parley-server.mjs', [database.url])
  const at = (days) => encodeURIComponent(new Date(started - days * 86_400_000).toISOString())
  await measure(parley, '/search, a common word', 150, (n) => `/search?q=word${n % 50}`)
  await measure(parley, '/search, two words', 150, (n) => `/search?q=word${n % 50}%20rare${n}`)
  await measure(parley, '/search, one call', 150, (n) => `/search?q=only${n * 97}`)
  await measure(parley, '/search, as somebody types', 150, (n) => `/search?q=${'caller'.slice(0, 1 + (n % 6))}`)
  await measure(
    parley,
    '/stats, a week by the day',
    300,
    (n) => `/stats?from=${at(8 + (n % 50))}&to=${at(1 + (n % 50))}`,
  )
  await measure(parley, '/stats, 90 days by the day', 300, () => `/stats?from=${at(90)}&to=${at(0)}`)
  await measure(
    parley,
    '/stats, 31 days by the hour',
    300,
    (n) => `/stats?interval=hour&from=${at(41 - (n % 10))}&to=${at(10 - (n % 10))}`,
  )
  await parley.stop()
} finally {
  await database.stop()
}
process.exitCode = printTable(`${rows.toLocaleString('en')} calls, Node ${process.version}`, results) ? 0 : 1

async function measure(parley, what, limitMs, path) {
  const times = []
  for (let n = 0; n < ASKED; n++) {
    const begun = performance.now()
    const response = await fetch(`${parley.url}/api/v1${path(n)}`, { headers: { authorization: `Bearer ${key}` } })
    if (!response.ok) throw new Error(`${path(n)}: ${response.status} ${await response.text()}`)
    await response.arrayBuffer()
    times.push(performance.now() - begun)
  }
  times.sort((a, b) => a - b)
  const [median, p95] = [times[ASKED >> 1], times[Math.ceil(ASKED * 0.95) - 1]]
  const against = `of ${limitMs} ms at p95, ${Math.round(median)} at the median`
  results.push({ what, value: p95, unit: 'ms', ratio: p95 / limitMs, against, target: 1, isAtMost: true })
}

/** Straight into the tables, as the triggers would leave them. */
async function fill() {
  const made = { caller: { organizationId }, now: new Date() }
  const record = newRecord(calls, made, { direction: 'inbound', from: '+15550100200', to: '+15550100100' })
  const text = JSON.stringify({
    ...record,
    id: '%ID%',
    status: '%STATUS%',
    startedAt: '%AT%',
    answeredAt: '%ANSWERED%',
  })
  await client.query('alter table calls disable trigger user')
  for (let at = 0; at < rows; at += 100_000) {
    await client.query(
      `insert into calls (tenant_id, id, version, updated_at, shape, record, search)
       select $1, uuid_v7(at), 1, at, ${shapeOf(calls)}, replace(replace(replace(replace($2, '%ID%', uuid_v7(at)::text), '%AT%', iso(at)),
           '"%ANSWERED%"', case when n % 4 = 0 then 'null' else to_json(iso(at + n % 40 * interval '1 s'))::text end),
           '%STATUS%', case when n % 4 = 0 then 'missed' else 'completed' end)::json,
         array_to_tsvector(array['15550100200', 'caller', 'only' || n])
       from (select n, now() - ($5 - n) * (interval '90 days' / $5) as at from generate_series($3::int, $4::int) n) i`.replaceAll(
        /iso\(((?:[^()]|\([^()]*\))*)\)/g,
        `to_char(($1) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
      ),
      [tenantId, text, at, Math.min(at + 100_000, rows) - 1, rows],
    )
  }
  // The id within the record is another one than the row's; nothing here reads it.
  await client.query('alter table calls enable trigger user')
  await client.query(`insert into call_transcripts (tenant_id, id, search)
    select tenant_id, id, array_to_tsvector(array(select distinct 'word' || (random() * 400)::int from generate_series(1, 40)) || ('rare' || (random() * 5000)::int))
    from calls`)
  await client.query(
    `insert into stats select c.tenant_id, s.*, count(*) from calls c, stats_of_call(c.started_at, c.record) s group by 1, 2, 3, 4, 5`,
  )
  await client.query('vacuum analyze calls, call_transcripts, stats')
}
