// The samples of the verification guide, run against requests that were really sent: each accepts what is genuine and
// refuses what is not.
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isGenuine } from '../../../../../docs/guides/verify/verify.js'
import type { Service } from '../../support/service.js'
import { ok, subscriber } from '../../support/webhooks/sending.js'
import type { Received } from '../../support/webhooks/subscriber.js'
import { deliveryWith, makeTask, startSending, subscribe, until } from '../../support/webhooks/webhooks.js'

const guides = fileURLToPath(new URL('../../../../../docs/guides/', import.meta.url))
const sample = (name: string) => join(guides, 'verify', name)
const folder = mkdtempSync(join(tmpdir(), 'parley-verify-'))

interface Sent {
  readonly secret: string
  readonly header: string
  readonly body: Buffer
}
type Verify = (sent: Sent) => Promise<boolean>

const isAtHand = (program: string): boolean => {
  try {
    execFileSync('which', [program], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/**
 * The samples take the header as argument, the secret from the environment and the body from standard input, and answer
 * by their exit code.
 */
const running =
  (command: string, ...args: string[]): Verify =>
  ({ secret, header, body }) =>
    new Promise((resolve, reject) => {
      const child = execFile(
        command,
        [...args, header],
        { env: { PATH: process.env['PATH'], HOME: process.env['HOME'], WEBHOOK_SECRET: secret } },
        (error) => (error === null ? resolve(true) : error.code === 1 ? resolve(false) : reject(error)),
      )
      child.stdin?.end(body)
    })

const inShell: Verify = ({ secret, header, body }) => {
  const file = join(folder, 'body.json')
  writeFileSync(file, body)
  return new Promise((resolve, reject) => {
    execFile(
      'sh',
      [sample('verify.sh'), header, file],
      { env: { PATH: process.env['PATH'], WEBHOOK_SECRET: secret } },
      (error) => (error === null ? resolve(true) : error.code === 1 ? resolve(false) : reject(error)),
    )
  })
}

const goProgram = join(folder, 'verify-go')

interface Sample {
  readonly needs: string
  readonly prepare?: () => void
  readonly verify: Verify
}

const dotnetProgram = join(folder, 'verify-cs')
const inDotnet: Sample = {
  needs: 'dotnet',
  prepare: () => void execFileSync('dotnet', ['build', sample('verify.cs'), '-o', dotnetProgram]),
  verify: running('dotnet', join(dotnetProgram, 'verify.dll')),
}
const monoProgram = join(folder, 'verify.exe')
/** Debian has it: mono-mcs. */
const inMono: Sample = {
  needs: 'mcs',
  prepare: () => void execFileSync('mcs', ['-warnaserror', `-out:${monoProgram}`, sample('verify.cs')]),
  verify: running('mono', monoProgram),
}

const samples: Record<string, Sample> = {
  'verify.ts': { needs: 'node', verify: async ({ secret, header, body }) => isGenuine(secret, header, body) },
  'verify.py': { needs: 'python3', verify: running('python3', sample('verify.py')) },
  'verify.go': {
    needs: 'go',
    prepare: () => void execFileSync('go', ['build', '-o', goProgram, sample('verify.go')], { cwd: folder }),
    verify: running(goProgram),
  },
  'verify.rb': { needs: 'ruby', verify: running('ruby', '--disable=gems', sample('verify.rb')) },
  'verify.php': { needs: 'php', verify: running('php', sample('verify.php')) },
  'verify.java': {
    needs: 'javac',
    prepare: () => void execFileSync('javac', ['-d', folder, sample('verify.java')]),
    verify: running('java', '-XX:TieredStopAtLevel=1', '-cp', folder, 'Verify'),
  },
  'verify.cs': isAtHand('dotnet') ? inDotnet : inMono,
  'verify.sh': { needs: 'openssl', verify: inShell },
}

let service: Service
let genuine: Sent
let rotated: { readonly before: Sent; readonly after: Sent }
beforeAll(async () => {
  service = await startSending()
  // Subscribers end with each test, so what is needed of this one is taken now.
  const { url, received } = await subscriber(ok)
  const { id, secret } = await subscribe(service.api, url)
  const sentBy = ({ headers, body }: Received, by: string): Sent => ({
    secret: by,
    header: String(headers['x-service-signature']),
    body,
  })
  await makeTask(service.api, 'Zoë — 日本語 🎉')
  await deliveryWith(service.api, id, 'SUCCEEDED')
  genuine = sentBy(received[0] as Received, secret)
  const next: string = (await service.api.post(`/webhooks/${id}/rotate-secret`, {})).body.secret
  await makeTask(service.api)
  await until(() => received.length === 2)
  rotated = { before: sentBy(received[1] as Received, secret), after: sentBy(received[1] as Received, next) }
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await service.stop()
})

const missing = Object.entries(samples).filter(([, { needs }]) => !isAtHand(needs))
if (missing.length > 0) console.log(`Not run here: ${missing.map(([name, { needs }]) => `${name} (no ${needs})`)}`)

for (const [name, { needs, prepare, verify }] of Object.entries(samples)) {
  describe.skipIf(!isAtHand(needs))(name, () => {
    beforeAll(() => prepare?.(), 120_000)

    test('accepts what was sent, and either secret while one is rotated', async () => {
      expect(await verify(genuine)).toBe(true)
      expect(await verify(rotated.before)).toBe(true)
      expect(await verify(rotated.after)).toBe(true)
    })

    test('refuses another byte, another secret, another time and a header that is none', async () => {
      const changed = Buffer.from(genuine.body)
      changed[40] = (changed[40] ?? 0) ^ 1
      expect(await verify({ ...genuine, body: changed })).toBe(false)
      expect(await verify({ ...genuine, secret: rotated.after.secret })).toBe(false)
      const time = Number(/t=(\d+)/.exec(genuine.header)?.[1])
      for (const other of [time + 1, time - 400, time + 400, Number.NaN])
        expect(await verify({ ...genuine, header: genuine.header.replace(/t=\d+/, `t=${other}`) })).toBe(false)
      for (const tail of ['zz', '00', '=', '=00', ';', '%00', ' zz', '\u00e9'])
        expect(await verify({ ...genuine, header: genuine.header + tail })).toBe(false)
      for (const header of ['nonsense', '', genuine.header.replace(/v1=/, 'v0='), genuine.header.replace(/t=\d+,/, '')])
        expect(await verify({ ...genuine, header })).toBe(false)
    })
  })
}

test('the guide shows the samples as they are', () => {
  const guide = readFileSync(join(guides, 'verify-webhooks.md'), 'utf8')
  const files = readdirSync(join(guides, 'verify'))
  expect(files.toSorted()).toEqual(Object.keys(samples).toSorted())
  for (const name of files) expect(guide).toContain(readFileSync(sample(name), 'utf8').trimEnd())
})
