// Traces and metrics as a collector gets them: one trace from the caller's request over the commit to the attempt that
// another node makes, nothing of what people said, and nothing at all unless it is asked for.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { sql } from '../../src/database/sql.js'
import { readTraceparent } from '../../src/telemetry/tracing.js'
import { closeAfterTest } from '../support/after-each.js'
import { startCollector, valuesOf } from '../support/servers/otlp-collector.js'
import { clientOf, type Service } from '../support/service.js'
import { until } from '../support/until.js'
import { ok, subscriber } from '../support/webhooks/sending.js'
import { startSending, subscribe } from '../support/webhooks/webhooks.js'

async function started(env: Record<string, string>): Promise<Service> {
  const service = await startSending(env)
  closeAfterTest(() => service.stop())
  return service
}

const quickly = { OTEL_BSP_SCHEDULE_DELAY: '50', OTEL_METRIC_EXPORT_INTERVAL: '200' }
const isOf = (values: Record<string, unknown>, wanted: Record<string, string>) =>
  Object.entries(wanted).every(([name, value]) => values[name] === value)
const callersTrace = '4bf92f3577b34da6a3ce929d0e0e4736'
const callersSpan = '00f067aa0ba902b7'
const traceparent = `00-${callersTrace}-${callersSpan}-01`

test('one trace: the request of a caller, its commit, and the attempt that another node makes', async () => {
  const collector = await startCollector()
  // Traces that nobody brings are not kept here; what a caller brings is.
  const service = await started({
    ...quickly,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=of%20ours',
    OTEL_SERVICE_NAME: 'shops',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0',
    PARLEY_ROLE: 'api',
  })
  const worker = await service.node({ PARLEY_ROLE: 'worker' })
  const { url, received } = await subscriber(ok)
  const { id: subscriptionId } = await subscribe(service.api, `${url}/hooks/path-with-secret?token=t0ken`)
  await service.api.post('/tasks', { title: 'Nobody asked for a trace of this' })
  const task = await service.api.post(
    '/tasks?unknown=+15550142',
    { title: 'Call Grace on +15550142', description: 'She said her pin' },
    { traceparent },
  )
  expect(task.status).toBe(400)
  const made = await service.api.post('/tasks', { title: 'Call Grace on +15550142' }, { traceparent })
  expect(made.status).toBe(201)
  await until(
    async () => collector.spans.filter(({ name }) => name === 'POST').length,
    (count) => count === 1,
  )
  await until(
    async () => collector.spans.length,
    (count) => count === 4,
  )

  const [refused, request] = collector.spans.filter(({ name }) => name === 'POST /api/v1/tasks')
  const commit = collector.spans.find(({ name }) => name === 'commit')
  const attempt = collector.spans.find(({ name }) => name === 'POST')
  expect(new Set(collector.spans.map(({ traceId }) => traceId))).toEqual(new Set([callersTrace]))
  expect(refused).toMatchObject({ attributes: { 'http.response.status_code': 400 }, isError: false })
  expect(request).toMatchObject({
    kind: 2,
    parentSpanId: callersSpan,
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/api/v1/tasks',
      'http.response.status_code': 201,
      'parley.environment': 'sandbox',
      'parley.request.id': made.headers.get('x-request-id'),
    },
    resource: { 'service.name': 'shops', 'deployment.environment.name': 'test', 'service.version': expect.any(String) },
  })
  expect(commit).toMatchObject({
    kind: 3,
    parentSpanId: request?.spanId,
    attributes: { 'db.system.name': 'postgresql', 'parley.commit.writes': 1, 'parley.commit.events': 1 },
  })
  expect(attempt).toMatchObject({
    kind: 3,
    parentSpanId: commit?.spanId,
    attributes: {
      'http.request.method': 'POST',
      'http.response.status_code': 200,
      'server.address': '127.0.0.1',
      'parley.subscription.id': subscriptionId,
      'parley.event.type': 'task.created',
    },
  })
  expect(attempt?.resource['service.instance.id']).not.toBe(request?.resource['service.instance.id'])
  // The subscriber may go on with it.
  const sent = received.map(({ headers }) => readTraceparent(headers['traceparent']))
  expect(sent.find((one) => one?.traceId === callersTrace)).toMatchObject({ spanId: attempt?.spanId })
  expect(sent).toHaveLength(2)

  const named = (name: string) => collector.metrics.filter((metric) => metric.name === name)
  const counted = () =>
    named('parley_http_request_duration_seconds')
      .flatMap(({ histogram }) => histogram.dataPoints)
      .find(({ attributes }) => isOf(valuesOf(attributes), { route: '/api/v1/tasks', status: '201' }))
  const point = await until(
    async () => counted(),
    (found) => found !== undefined,
  )
  expect(point.bucketCounts.map(Number).reduce((sum: number, count: number) => sum + count)).toBe(Number(point.count))
  expect(named('parley_http_request_duration_seconds')[0].unit).toBe('s')
  // Each node tells of its own, in its own time.
  await until(async () => named('parley_webhook_claims_total').length, Boolean)
  await until(async () => named('parley_streams_open').length, Boolean)
  expect(named('parley_webhook_claims_total')[0].sum).toMatchObject({ isMonotonic: true })
  expect(named('parley_streams_open')[0].gauge.dataPoints).toHaveLength(1)

  const everything = collector.requests.map(({ body }) => body.toString()).join('\n')
  for (const private_ of ['Grace', '5550142', 'her pin', 'path-with-secret', 't0ken', service.api.key])
    expect(everything).not.toContain(private_)
  expect(new Set(collector.requests.map(({ headers }) => headers['x-key']))).toEqual(new Set(['of ours']))
  await worker.stop()
})

test('by default as protobuf; without propagation a caller begins no trace of ours, nor do we continue it', async () => {
  const collector = await startCollector()
  const service = await started({
    ...quickly,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_PROPAGATORS: 'none',
  })
  const { url, received } = await subscriber(ok)
  await subscribe(service.api, url)
  await service.api.post('/tasks', { title: 'Traced' }, { traceparent })
  const bytes = (path: string) =>
    Buffer.concat(collector.requests.filter((request) => request.path === path).map(({ body }) => body))
  await until(async () => bytes('/v1/traces').includes('parley.delivery.id'), Boolean)
  await until(async () => bytes('/v1/traces').includes('POST /api/v1/tasks'), Boolean)
  await until(async () => bytes('/v1/metrics').includes('parley_build_info'), Boolean)
  expect(collector.requests.map(({ headers }) => headers['content-type'])).not.toContain('application/json')
  expect(bytes('/v1/traces').includes(Buffer.from(callersTrace, 'hex'))).toBe(false)
  const [kept] = await service.database.read<[string]>(sql`select traceparent from events where type = 'task.created'`)
  const continued = readTraceparent(kept?.[0])
  expect(continued?.traceId).not.toBe(callersTrace)
  expect(readTraceparent(received[0]?.headers['traceparent'])?.traceId).not.toBe(continued?.traceId)
})

test('a collector that is away harms nobody, and stopping does not wait for it for long', async () => {
  const service = await started({ ...quickly, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
  expect((await service.api.post('/tasks', { title: 'Made' }, { traceparent: 'no traceparent' })).status).toBe(201)
})

test('off by default: nothing is kept with events, and the packages are loaded by nobody', async () => {
  const service = await started({})
  const made = await clientOf(service.url, service.api.key).post('/tasks', { title: 'Untraced' }, { traceparent })
  expect(made.status).toBe(201)
  expect(await service.database.read(sql`select 1 from events where traceparent is not null`)).toEqual([])
  const source = fileURLToPath(new URL('../../src/', import.meta.url))
  const loading = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) =>
      readFileSync(`${source}${name}`, 'utf8')
        .split('\n')
        .filter((line) => /^import (?!type).*('@opentelemetry\/|open-telemetry\.js')/.test(line)),
    )
  expect(loading).toEqual([])
})
