// OpenTelemetry against a collector that others wrote (Rotel, in Rust): the service is started with the standard
// variables, a request leads to an attempt of delivery, and the collector's own output has to show one trace from the
// request over the commit to the attempt, and our metrics. Without Python or an index to install from it is skipped and
// said. Usage: npm run build && node scripts/try-collector.mjs
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.mjs'
import { pythonTools, root, Skipped } from './generated-clients/tools.mjs'

const WAIT_MS = 120_000
const home = mkdtempSync(join(tmpdir(), 'parley-collector-'))
const running = []

try {
  const collector = await rotel()
  for (const protocol of ['http/protobuf', 'http/json']) await tryProtocol(collector, protocol)
} catch (error) {
  if (!(error instanceof Skipped)) throw error
  console.log(`OpenTelemetry: skipped, ${error.message}`)
} finally {
  for (const child of running) child.kill('SIGTERM')
  await Promise.all(running.map(ended))
  rmSync(home, { recursive: true, force: true })
}

async function rotel() {
  const venv = await pythonTools('rotel', ['rotel==0.0.1a15'])
  const lib = join(venv, 'lib')
  const [python] = readdirSync(lib)
  return join(lib, python, 'site-packages/rotel/rotel-agent')
}

async function tryProtocol(collector, protocol) {
  const endpoint = await startCollector(collector)
  const server = await startServer({
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
    OTEL_SERVICE_NAME: 'parley-tried',
    OTEL_BSP_SCHEDULE_DELAY: '200',
    OTEL_METRIC_EXPORT_INTERVAL: '1000',
  })
  const hook = await call(server, '/webhooks', { url: `https://127.0.0.1:${await freePort()}/nobody-listens` })
  expect(hook.status === 201, `a webhook is made: ${hook.text}`)
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const made = await call(server, '/tasks', { title: 'Traced' }, { traceparent: `00-${traceId}-00f067aa0ba902b7-01` })
  expect(made.status === 201, `a task is made: ${made.text}`)
  const ofTrace = () => spansIn(endpoint.output()).filter((span) => span.traceId === traceId)
  const named = (name) => ofTrace().find((span) => span.name === name)
  await until('request, commit and attempt', () => ['POST /api/v1/tasks', 'commit', 'POST'].every(named))
  const [request, commit, attempt] = ['POST /api/v1/tasks', 'commit', 'POST'].map(named)
  expect(request.parentId === '00f067aa0ba902b7', 'the request continues the trace of the caller')
  expect(commit.parentId === request.id, 'the commit is part of the request')
  expect([commit.id, request.id].includes(attempt.parentId), 'the attempt comes of the commit')
  await until('metrics', () => /-> Name: parley_http_request_duration_seconds\b/.test(endpoint.output()))
  expect(endpoint.output().includes('service.name: Str(parley-tried)'), 'the service has its name')
  const metrics = new Set(endpoint.output().match(/(?<=-> Name: )parley_\w+/g))
  expect(metrics.size > 20, `our metrics are there: ${metrics.size}`)
  await server.stop()
  await endpoint.stop()
  console.log(`${protocol}: one trace of request, commit and attempt, and ${metrics.size} metrics in the collector`)
}

/** As the collector prints them in detail. */
function spansIn(output) {
  const valueOf = (text, name) => new RegExp(`^ +${name} +: (.*)$`, 'm').exec(text)?.[1] ?? ''
  return output
    .split(/^Span #\d+$/m)
    .slice(1)
    .map((text) => ({
      traceId: valueOf(text, 'Trace ID'),
      parentId: valueOf(text, 'Parent ID'),
      id: valueOf(text, 'ID'),
      name: valueOf(text, 'Name'),
    }))
}

async function startCollector(collector) {
  const port = await freePort()
  const receiver = [
    '--otlp-http-endpoint',
    `127.0.0.1:${port}`,
    '--otlp-grpc-endpoint',
    `127.0.0.1:${await freePort()}`,
  ]
  const printed = ['--debug-log', 'traces', '--debug-log', 'metrics', '--debug-log-verbosity', 'detailed']
  const child = start(collector, ['start', ...receiver, '--exporter', 'blackhole', ...printed], {})
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  await until('the collector to listen', () => {
    expect(child.exitCode === null, `the collector runs: ${output}`)
    return fetch(`http://127.0.0.1:${port}/`).then(Boolean, () => false)
  })
  return { url: `http://127.0.0.1:${port}`, output: () => output, stop: () => stop(child) }
}

async function startServer(settings) {
  const port = await freePort()
  const data = join(home, `data-${port}`)
  const env = { PATH: process.env.PATH, PORT: String(port), PARLEY_DATA_DIR: data, LOG_LEVEL: 'warn' }
  Object.assign(env, { PARLEY_WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8', ...settings })
  const child = start(process.execPath, [join(root, 'packages/server/bin/parley-server.mjs'), 'serve'], env)
  child.stderr.pipe(process.stderr)
  child.stdout.resume()
  await until('the server to be ready', () => {
    expect(child.exitCode === null, `the server runs: it ended with ${child.exitCode}`)
    return fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  })
  const { keys } = JSON.parse(readFileSync(join(data, 'first-run.json'), 'utf8'))
  return { port, key: keys.test, stop: () => stop(child) }
}

async function call({ port, key }, path, body, headers = {}) {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return { status: answer.status, text: await answer.text() }
}

function start(program, args, env) {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  running.push(child)
  return child
}

async function stop(child) {
  child.kill('SIGTERM')
  await ended(child)
}

async function ended(child) {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

function expect(isTrue, promise) {
  if (!isTrue) throw new Error(`Not so: ${promise}`)
}

async function until(what, isSo) {
  for (const deadline = Date.now() + WAIT_MS; Date.now() < deadline; await sleep(100)) if (await isSo()) return
  throw new Error(`Waited in vain for ${what}`)
}
