// What operators watch: that the numbers are named as Prometheus asks for, and that the dashboard and the alerts in
// `deploy` go by numbers that exist and lead to a guide that explains them.
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/database/sql.js'
import { createEventFollowing } from '../../src/server/event-following.js'
import { shardsOf } from '../../src/shards/shards.js'
import { newId } from '../../src/store/id.js'
import { type Service, startService } from '../support/service.js'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const fileOf = (path: string) => readFileSync(`${root}${path}`, 'utf8')
const alerts = 'deploy/prometheus/alerts.yml'
const dashboard = 'deploy/grafana/dashboards/parley.json'

let service: Service
let metrics: string
beforeAll(async () => {
  service = await startService({ PARLEY_DATA_DIR: root })
  await service.api.post('/tasks', { title: 'Counted' })
  metrics = await (await fetch(`${service.url}/metrics`)).text()
  metrics += await numbersOfSeveral()
})
afterAll(() => service.stop())

/** What only a node with several servers tells; `shards.test.ts` sees that one does. */
async function numbersOfSeveral(): Promise<string> {
  const { database } = service
  const registry = new Registry()
  const shards = shardsOf(database, [{ name: 'a', database, prepared: Promise.resolve() }])
  createEventFollowing({ shards, registryOf: () => registry, onTrouble: () => undefined })
  return registry.metrics()
}

interface Family {
  readonly name: string
  readonly type: string
}
const families = (): Family[] =>
  [...metrics.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => ({ name, type }))

test('our numbers are named by convention: base units, totals that count, a help text', () => {
  const own = families().filter(({ name }) => name.startsWith('parley_'))
  expect(own.length).toBeGreaterThan(25)
  for (const { name, type } of own) {
    expect(name, 'lower case words').toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/)
    expect(name.endsWith('_total'), `${name} is a ${type}`).toBe(type === 'counter')
    expect(name, 'seconds and bytes, nothing smaller or larger').not.toMatch(
      /_(ms|milliseconds|minutes|kb|mb|kilobytes)(_|$)/,
    )
    if (type === 'histogram') expect(name).toMatch(/_(seconds|bytes)$/)
    expect(metrics).toMatch(new RegExp(`^# HELP ${name} \\S`, 'm'))
  }
})

const expressions = (): string[] =>
  JSON.parse(fileOf(dashboard)).panels.flatMap(({ targets = [] }: any) => targets.map(({ expr }: any) => expr))

/** Numbers as they are asked for: a histogram has three names. */
const askable = () =>
  new Set([
    'up',
    ...families().flatMap(({ name, type }) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  ])
const namesIn = (text: string) => [...new Set(text.match(/\b(?:parley|nodejs|process)_[a-z0-9_]+/g) ?? [])]

test('every number in the alerts and on the dashboard exists, and every one of ours is on the dashboard or explained', () => {
  const known = askable()
  const exprs = expressions()
  expect(exprs.length).toBeGreaterThan(30)
  const unknown = [fileOf(alerts), exprs.join('\n')].flatMap(namesIn).filter((name) => !known.has(name))
  expect(unknown).toEqual([])
  const shown = [exprs.join('\n'), fileOf('docs/guides/monitoring.md'), fileOf('docs/guides/operating.md')].join('\n')
  const unseen = families().filter(({ name }) => name.startsWith('parley_') && !shown.includes(name))
  expect(unseen).toEqual([])
})

test('every alert leads to its section of the guide', () => {
  const guide = fileOf('docs/guides/monitoring.md')
  const names = [...fileOf(alerts).matchAll(/- alert: (\S+)/g)].map(([, name = '']) => name)
  expect(names.length).toBeGreaterThan(10)
  for (const name of names) {
    expect(fileOf(alerts)).toContain(`runbook: docs/guides/monitoring.md#${name.toLowerCase()}`)
    expect(guide).toMatch(new RegExp(`^### ${name}$`, 'm'))
  }
})

const promtool = (...options: string[]) => execFileSync('promtool', options, { encoding: 'utf8' })
const hasPromtool = spawnSync('promtool', ['--version']).status === 0
if (!hasPromtool) console.log('promtool is not here (apt-get install prometheus): the rules were not tried')

/** As recording rules, which is how promtool takes expressions. */
function checkRules(exprs: readonly string[]): string {
  const rules = exprs.map((expr, index) => ({ record: `panel:${index}`, expr }))
  const file = join(tmpdir(), `parley-dashboard-${process.pid}.yml`)
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
  try {
    return promtool('check', 'rules', file)
  } finally {
    rmSync(file)
  }
}

test.skipIf(!hasPromtool)('promtool takes the settings and the rules, and the alerts go off when they should', () => {
  expect(promtool('check', 'config', `${root}deploy/prometheus/prometheus.yml`)).toContain('SUCCESS')
  expect(promtool('test', 'rules', `${root}deploy/prometheus/alerts.test.yml`)).toContain('SUCCESS')
  expect(checkRules(expressions().map((expr) => expr.replaceAll('$__rate_interval', '5m')))).toContain('SUCCESS')
  const lint = spawnSync('promtool', ['check', 'metrics'], { input: metrics, encoding: 'utf8' })
  expect((lint.stdout + lint.stderr).split('\n').filter((line) => line.startsWith('parley_'))).toEqual([])
})

test('they tell of the version, the database, the disk and how long work has waited', async () => {
  const number = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1])
  expect(metrics).toMatch(/^parley_build_info\{version="\d+\.\d+\.\d+[^"]*"\} 1$/m)
  expect(number('parley_database_up')).toBe(1)
  expect(number('parley_database_size_bytes')).toBeGreaterThan(1_000_000)
  expect(number('parley_database_transaction_age')).toBeGreaterThan(0)
  expect(number('parley_data_free_bytes')).toBeGreaterThan(0)
  expect(number('parley_queue_oldest_due_seconds\\{queue="inbound"\\}')).toBe(0)
  const idle = await startService({ PARLEY_ROLE: 'api' })
  try {
    await idle.database.query(sql`insert into understanding_jobs (tenant_id, kind, subject_id, due_at)
      values (${newId(new Date())}, 'sms', ${newId(new Date())}, now() - interval '90 s')`)
    const later = await (await fetch(`${idle.url}/metrics`)).text()
    const age = /^parley_queue_oldest_due_seconds\{queue="understanding"\} (\S+)$/m.exec(later)?.[1]
    expect(Number(age)).toBeGreaterThanOrEqual(89)
  } finally {
    await idle.stop()
  }
})
