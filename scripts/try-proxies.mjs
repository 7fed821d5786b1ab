// The samples of deploy/nginx and deploy/caddy, run with a certificate made for the occasion in front of a server:
// redirects to https, pages, what is hidden, forwarded headers that clients cannot forge, a large upload, and events
// that arrive while the stream is open. What is not installed is skipped. Usage: node scripts/try-proxies.mjs
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.mjs'
import { root } from './generated-clients/tools.mjs'

const NAME = 'parley.example.com'
const UPLOAD_BYTES = 64 * 2 ** 20
const WAIT_MS = 300_000
const home = mkdtempSync(join(tmpdir(), 'parley-proxies-'))
chmodSync(home, 0o755)
const running = []

/** How each sample is changed for ports and certificates of this test, and started. */
const proxies = {
  nginx: {
    file: 'deploy/nginx/parley.conf',
    adapt: (text, { http, https, upstream }) =>
      `error_log ${home}/nginx.log;\npid ${home}/nginx.pid;\nevents {}\nhttp {\naccess_log off;\n${tempPaths()}${text
        .replace(/^ *listen \[::\].*\n/gm, '')
        .replace('listen 80;', `listen 127.0.0.1:${http};`)
        .replace('listen 443 ssl', `listen 127.0.0.1:${https} ssl`)
        .replaceAll(/\/etc\/letsencrypt\/live\/[^/]+\/(fullchain|privkey)/g, `${home}/$1`)
        .replace('127.0.0.1:3000', `127.0.0.1:${upstream}`)}}\n`,
    start: (config) => spawn('nginx', ['-c', config, '-g', 'daemon off;'], { stdio: 'inherit' }),
  },
  caddy: {
    file: 'deploy/caddy/Caddyfile',
    adapt: (text, { http, https, upstream }) =>
      `{\n\thttp_port ${http}\n\thttps_port ${https}\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_certs\n}\n${text
        .replace('{\n\theader', `{\n\ttls ${home}/fullchain.pem ${home}/privkey.pem\n\theader`)
        .replace('127.0.0.1:3000', `127.0.0.1:${upstream}`)}`,
    start: (config) =>
      spawn('caddy', ['run', '--config', config, '--adapter', 'caddyfile'], {
        env: { ...process.env, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home },
        stdio: ['ignore', 'ignore', process.env.DEBUG ? 'inherit' : 'ignore'],
      }),
  },
}

try {
  makeCertificate()
  const server = await startServer()
  const echo = createServer(({ headers }, answer) => answer.end(JSON.stringify(headers)))
  await new Promise((resolve) => echo.listen(0, '127.0.0.1', resolve))
  for (const name of Object.keys(proxies)) {
    if (spawnSync(name, ['-h'], { stdio: 'ignore' }).error) console.log(`${name}: skipped, it is not installed`)
    else await tryProxy(name, server, echo.address().port)
  }
  echo.close()
} finally {
  for (const child of running) child.kill('SIGTERM')
  await Promise.all(running.map(ended))
  rmSync(home, { recursive: true, force: true })
}

async function ended(child) {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

async function tryProxy(name, server, echoPort) {
  const before = await startProxy(name, echoPort)
  await expectForwardedHeaders(before)
  await before.stop()
  const proxy = await startProxy(name, server.port)
  await expectDoors(proxy)
  await expectUpload(proxy, server.key)
  await expectStream(proxy, server.key)
  await proxy.stop()
  console.log(`${name}: https, forwarded headers, an upload of ${UPLOAD_BYTES / 2 ** 20} MiB and streams go through`)
}

async function startProxy(name, upstream) {
  const { file, adapt, start } = proxies[name]
  const ports = { http: await freePort(), https: await freePort(), upstream }
  const config = join(home, `${name}.conf`)
  writeFileSync(config, adapt(readFileSync(join(root, file), 'utf8'), ports))
  const child = start(config)
  running.push(child)
  const proxy = {
    ...ports,
    async stop() {
      child.kill('SIGTERM')
      await ended(child)
    },
  }
  await until(`${name} to listen`, () => call(proxy, 'GET', '/').then(Boolean, () => false))
  return proxy
}

async function expectForwardedHeaders(proxy) {
  const headers = { 'X-Forwarded-For': '203.0.113.9', 'X-Forwarded-Proto': 'http' }
  const { body } = await call(proxy, 'GET', '/', { headers })
  const seen = JSON.parse(body)
  expect(seen['x-forwarded-for'] === '127.0.0.1', `the address is that of the connection: ${seen['x-forwarded-for']}`)
  expect(seen['x-forwarded-proto'] === 'https', 'the protocol is https')
  expect(seen.host.startsWith(NAME), `the name stays: ${seen.host}`)
}

async function expectDoors(proxy) {
  const redirect = await call(proxy, 'GET', '/docs', { isPlain: true })
  expect(redirect.status === 308 && redirect.headers.location.startsWith('https://'), 'http leads to https')
  const page = await call(proxy, 'GET', '/docs', { headers: { accept: 'text/html' } })
  expect(page.status === 200 && page.body.includes('Parley'), `/docs is served: ${page.status}`)
  expect(page.headers['strict-transport-security'], 'browsers are told to stay with https')
  for (const path of ['/metrics', '/healthz', '/readyz'])
    expect((await call(proxy, 'GET', path)).status === 404, `${path} is hidden`)
}

/** A file to import, larger than what any proxy takes by default. */
async function expectUpload(proxy, key) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const made = await call(proxy, 'POST', '/api/v1/imports', { headers, body: '{"entity":"people","format":"csv"}' })
  expect(made.status === 201, `an import begins: ${made.body}`)
  const { id } = JSON.parse(made.body)
  const sent = await call(proxy, 'PUT', `/api/v1/imports/${id}/file`, {
    headers: { ...headers, 'content-type': 'application/octet-stream', 'content-length': UPLOAD_BYTES },
    body: Buffer.alloc(UPLOAD_BYTES, 'displayName\n'),
  })
  expect(sent.status < 300, `the file arrives: ${sent.status} ${sent.body}`)
  const { receivedBytes } = JSON.parse((await call(proxy, 'GET', `/api/v1/imports/${id}`, { headers })).body)
  expect(receivedBytes === UPLOAD_BYTES, `all of it arrives: ${receivedBytes}`)
  await call(proxy, 'POST', `/api/v1/imports/${id}/cancel`, { headers })
}

/** The event comes through while the stream is open: nobody between collects it. */
async function expectStream(proxy, key) {
  const headers = { authorization: `Bearer ${key}` }
  const stream = await open(proxy, 'GET', '/api/v1/events/stream', { headers })
  let seen = ''
  stream.on('data', (text) => {
    seen += text
  })
  const title = `Through a proxy ${proxy.https}`
  const made = await call(proxy, 'POST', '/api/v1/tasks', {
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ title }),
  })
  expect(stream.statusCode === 200 && made.status === 201, `open and made: ${stream.statusCode} ${made.body}`)
  await until('the event to come through', () => seen.includes(title))
  stream.destroy()
}

async function call(proxy, method, path, options = {}) {
  const answer = await open(proxy, method, path, options)
  let body = ''
  for await (const text of answer) body += text
  return { status: answer.statusCode, headers: answer.headers, body }
}

function open(proxy, method, path, { headers = {}, body, isPlain = false } = {}) {
  const where = { host: '127.0.0.1', port: isPlain ? proxy.http : proxy.https, method, path }
  const options = { ...where, servername: NAME, ca: readFileSync(join(home, 'fullchain.pem')), agent: false }
  return new Promise((resolve, reject) => {
    const sending = (isPlain ? plainRequest : tlsRequest)({ ...options, headers: { host: NAME, ...headers } })
    sending.setTimeout(WAIT_MS, () => sending.destroy(new Error(`${path} took too long`)))
    sending.once('error', reject)
    sending.once('response', (answer) => resolve(answer.setEncoding('utf8')))
    sending.end(body)
  })
}

async function startServer() {
  const port = await freePort()
  const env = { PATH: process.env.PATH, PORT: String(port), PARLEY_DATA_DIR: join(home, 'data'), LOG_LEVEL: 'warn' }
  Object.assign(env, { PARLEY_PUBLIC_URL: `https://${NAME}`, PARLEY_TRUST_PROXY: '127.0.0.1' })
  const child = spawn(process.execPath, [join(root, 'packages/server/bin/parley-server.mjs'), 'serve'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  running.push(child)
  const isReady = () => {
    expect(child.exitCode === null, `the server runs: it ended with ${child.exitCode}`)
    return fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  }
  await until('the server to be ready', isReady)
  return { port, key: JSON.parse(readFileSync(join(home, 'data/first-run.json'), 'utf8')).keys.test }
}

function makeCertificate() {
  const subject = ['-subj', `/CN=${NAME}`, '-addext', `subjectAltName=DNS:${NAME}`, '-days', '2', '-nodes']
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-keyout', join(home, 'privkey.pem')]
  execFileSync('openssl', ['req', '-x509', ...key, '-out', join(home, 'fullchain.pem'), ...subject], {
    stdio: 'ignore',
  })
}

/** nginx wants to write beside its configuration, also as root. */
function tempPaths() {
  mkdirSync(join(home, 'nginx-temp'), { recursive: true, mode: 0o777 })
  return ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${home}/nginx-temp/${name};\n`)
    .join('')
}

function expect(isTrue, promise) {
  if (!isTrue) throw new Error(`Not so: ${promise}`)
}

async function until(what, isSo) {
  for (const deadline = Date.now() + WAIT_MS; Date.now() < deadline; await sleep(50)) if (await isSo()) return
  throw new Error(`Waited in vain for ${what}`)
}
