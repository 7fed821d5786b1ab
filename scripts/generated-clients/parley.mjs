// A server of its own for the stories of generated clients, and the inbox that its webhooks go to: https with a
// certificate made for the occasion, as Parley sends to nothing else.
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from './tools.mjs'

const START_MS = 300_000

/** Where it listens, its sandbox key, and the address of the inbox. */
export async function startParley(home) {
  // As root the database runs as another user, who must be able to enter.
  chmodSync(home, 0o755)
  const inbox = await startInbox(home)
  const server = spawn(process.execPath, [join(root, 'packages/server/dist/main.js'), 'serve'], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      PARLEY_DATA_DIR: join(home, 'data'),
      PARLEY_WEBHOOK_ALLOW_NETWORKS: '127.0.0.1/32',
      NODE_EXTRA_CA_CERTS: inbox.certificate,
      LOG_LEVEL: 'error',
      LOG_REQUESTS: 'none',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const stop = async () => {
    inbox.stop()
    const ended = server.exitCode ?? new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGTERM')
    await ended
  }
  try {
    const { baseUrl, keys } = await untilReady(join(home, 'data/first-run.json'), server)
    const env = {
      PARLEY_BASE_URL: baseUrl,
      PARLEY_API_KEY: keys.test,
      INBOX_URL: inbox.url,
      INBOX_CA: inbox.certificate,
    }
    return { url: baseUrl, env, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function untilReady(file, server) {
  const until = Date.now() + START_MS
  while (Date.now() < until && server.exitCode === null) {
    const told = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
    const isReady =
      told.baseUrl &&
      (await fetch(`${told.baseUrl}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ))
    if (isReady) return told
    await sleep(50)
  }
  throw new Error('The server did not start')
}

/** Keeps what is posted to each path; a GET of the same path reads it: `{signature, body}`, or 404 until it came. */
async function startInbox(home) {
  const [key, certificate] = [join(home, 'inbox.key'), join(home, 'inbox.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', certificate]
  execFileSync('openssl', [...made, ...subject], { stdio: 'ignore' })
  const posted = new Map()
  const inbox = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString('utf8')
    if (request.method === 'POST')
      posted.set(request.url, JSON.stringify({ signature: request.headers['x-service-signature'], body }))
    const kept = posted.get(request.url)
    response.writeHead(kept === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(kept ?? 'null')
  })
  await new Promise((resolve) => inbox.listen(0, '127.0.0.1', resolve))
  return { url: `https://127.0.0.1:${inbox.address().port}`, certificate, stop: () => inbox.close() }
}
