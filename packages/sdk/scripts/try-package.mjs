// The package as others get it: packed from a clean clone of what is committed, read by publint and attw, compiled with
// the lowest TypeScript that we state, and used from ESM, CommonJS, Bun and Deno against a real server. What cannot be
// had here is skipped and said. Usage, after `npm run build`: node packages/sdk/scripts/try-package.mjs
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startParley } from '../../../scripts/generated-clients/parley.mjs'
import { npmTools, root, run, Skipped } from '../../../scripts/generated-clients/tools.mjs'

const versions = { attw: '0.18.5', typescript: '5.0.4', bun: '1.4.4', deno: '2.9.6' }

const typed = `
import { NotFoundError, Parley, type ParleyEvent, type Task } from '@parley/sdk'
import { verifyWebhook } from '@parley/sdk/webhooks'
export async function use(parley: Parley, body: string, headers: Headers): Promise<Task | number> {
  for await (const record of parley.workRecords.list({ kind: 'job' })) return record.title.length
  const event: ParleyEvent = await verifyWebhook(body, headers, 'whsec_x')
  if (event.type === 'call.ended') return event.data.duration
  const { data, requestId } = await parley.tasks.create({ title: 'x', dueAt: new Date() }).withResponse()
  return requestId === null ? 0 : data
}
export const isGone = (error: unknown) => error instanceof NotFoundError && error.requestId
`

const imports = {
  mjs: `import { NotFoundError, Parley } from '@parley/sdk'
import { signForTest, verifyWebhook, WebhookVerificationError } from '@parley/sdk/webhooks'`,
  cjs: `const { NotFoundError, Parley } = require('@parley/sdk')
const { signForTest, verifyWebhook, WebhookVerificationError } = require('@parley/sdk/webhooks')`,
}

/** Key and address come from the environment. */
const story = `
async function main() {
  const parley = new Parley()
  const { data: task, status } = await parley.tasks.create({ title: 'Elsewhere' }).withResponse()
  if (status !== 201) throw new Error('no task')
  for await (const found of parley.tasks.list({ q: 'elsewhere' })) if (found.id === task.id) break
  const events = parley.events.stream({ lastEventId: '', type: 'task.created' })
  await events.next()
  await events.return()
  const missing = await parley.tasks.get('01900000-0000-7000-8000-000000000000').catch((error) => error)
  if (!(missing instanceof NotFoundError)) throw missing
  const { body, headers } = await signForTest({ eventId: 'e', type: 'task.created', data: {} }, 'whsec_x')
  if ((await verifyWebhook(body, headers, 'whsec_x')).eventId !== 'e') throw new Error('no event')
  const forged = await verifyWebhook(body, headers, 'whsec_y').catch((error) => error)
  if (!(forged instanceof WebhookVerificationError)) throw new Error('forged')
  console.log('the story is told')
}
main()
`

const home = mkdtempSync(join(tmpdir(), 'parley-package-'))
chmodSync(home, 0o755)
const consumer = join(home, 'consumer')
let parley

async function packed() {
  const clone = join(home, 'clone')
  await run('git', ['clone', '--quiet', root, clone])
  // What `npm ci` would install there.
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
  await run('npm', ['pack', '--pack-destination', home], { cwd: join(clone, 'packages/sdk') })
  const [tarball] = readdirSync(home).filter((name) => name.endsWith('.tgz'))
  const folder = join(consumer, 'node_modules/@parley/sdk')
  mkdirSync(folder, { recursive: true })
  await run('tar', ['xzf', join(home, tarball), '--strip-components=1', '-C', folder])
  for (const name of ['LICENSE', 'README.md', 'dist/parley.js'])
    if (!existsSync(join(folder, name))) throw new Error(`${name} is not in the package`)
  // Deno looks for what is installed by what is named here.
  writeFileSync(join(consumer, 'package.json'), '{ "dependencies": { "@parley/sdk": "*" } }')
  for (const [kind, text] of Object.entries(imports)) writeFileSync(join(consumer, `story.${kind}`), text + story)
  for (const kind of ['mts', 'cts']) writeFileSync(join(consumer, `typed.${kind}`), typed)
  return join(home, tarball)
}

async function told(command, args) {
  const output = await run(command, args, { cwd: consumer, env: parley.env })
  if (!output.includes('the story is told')) throw new Error(output)
  return 'passes the story'
}

/** The binary is in a package of its own for each platform; the launcher would need install scripts. */
async function binaryOf(name, scope, ending) {
  const folder = join(await npmTools(name, [`${name}@${versions[name]}`]), 'node_modules', scope)
  const [platform] = existsSync(folder)
    ? readdirSync(folder).filter((one) => existsSync(join(folder, one, ending)))
    : []
  if (platform === undefined) throw new Skipped(`there is no ${name} for this platform`)
  chmodSync(join(folder, platform, ending), 0o755)
  return join(folder, platform, ending)
}

const compilerOptions = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom', '--module', 'nodenext']
const checks = {
  async publint() {
    await run(join(root, 'node_modules/.bin/publint'), ['--strict', join(consumer, 'node_modules/@parley/sdk')])
    return 'has nothing to say'
  },
  async attw(tarball) {
    const tools = await npmTools('attw', [`@arethetypeswrong/cli@${versions.attw}`])
    await run(join(tools, 'node_modules/.bin/attw'), [tarball])
    return 'has nothing to say'
  },
  async TypeScript() {
    const tools = await npmTools('typescript', [`typescript@${versions.typescript}`])
    const tsc = join(tools, 'node_modules/typescript/bin/tsc')
    await run(process.execPath, [tsc, ...compilerOptions, 'typed.mts', 'typed.cts'], { cwd: consumer })
    return `${versions.typescript} compiles it, as ESM and as CommonJS`
  },
  ESM: () => told(process.execPath, ['story.mjs']),
  CommonJS: () => told(process.execPath, ['story.cjs']),
  Bun: async () => told(await binaryOf('bun', '@oven', 'bin/bun'), ['story.mjs']),
  Deno: async () =>
    told(await binaryOf('deno', '@deno', 'deno'), [
      ...['run', '--no-prompt', '--node-modules-dir=manual', '--allow-net', '--allow-env', '--allow-read=.'],
      'story.mjs',
    ]),
}

try {
  const tarball = await packed()
  console.log('npm pack: builds from a clean clone, with LICENSE and README')
  parley = await startParley(home)
  for (const [name, check] of Object.entries(checks)) {
    try {
      console.log(`${name}: ${await check(tarball)}`)
    } catch (error) {
      if (error instanceof Skipped) console.log(`${name}: skipped, ${error.message}`)
      else {
        process.exitCode = 1
        console.error(`${name}: failed\n${error.message}`)
      }
    }
  }
} finally {
  await parley?.stop()
  rmSync(home, { recursive: true, force: true })
}
