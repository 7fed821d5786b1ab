// Starts the TLS sink with a certificate of a private authority, and asks it what it has seen.
import { execFileSync, fork } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** `caFile` is for NODE_EXTRA_CA_CERTS of whoever sends. */
export async function startSink() {
  const folder = mkdtempSync(join(tmpdir(), 'parley-sink-'))
  const openssl = (...args) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  openssl(
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-keyout',
    'key.pem',
    '-out',
    'cert.pem',
    '-days',
    '2',
    '-subj',
    '/CN=Sink',
    '-addext',
    'subjectAltName=IP:127.0.0.1',
  )
  const caFile = join(folder, 'cert.pem')
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => readFileSync(join(folder, name), 'utf8'))
  const child = fork(new URL('tls-sink.mjs', import.meta.url).pathname, [JSON.stringify({ key, cert })])
  const waiting = new Map()
  let asked = 0
  const ready = await new Promise((resolve, reject) => {
    child.on('message', (message) =>
      message.ready ? resolve(message.ready) : waiting.get(message.id)?.(message.answer),
    )
    child.once('exit', (code) => reject(new Error(`The sink ended with ${code}`)))
  })
  const ask = (what) =>
    new Promise((resolve) => {
      asked++
      waiting.set(asked, resolve)
      child.send({ id: asked, ask: what })
    })
  return {
    url: ready.url,
    ca: cert,
    caFile,
    /** A file that trusts this sink and another one. */
    trustWith(other) {
      const file = join(folder, 'both.pem')
      writeFileSync(file, cert + other.ca)
      return file
    },
    count: () => ask('count'),
    arrivals: () => ask('arrivals'),
    /** When each request came, in order. */
    times: () => ask('times'),
    clear: () => ask('clear'),
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
