// `npm start` before the server: it compiles what is not compiled or has changed, and nothing twice. Done on a small
// service of its own.
import { execFileSync, spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const project = fileURLToPath(new URL('../../../../', import.meta.url))
let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'parley-start-'))
  await mkdir(join(root, 'scripts'))
  for (const script of ['start.mjs', 'fingerprint.mjs'])
    await cp(join(project, 'scripts', script), join(root, 'scripts', script))
  await cp(join(project, 'tsconfig.base.json'), join(root, 'tsconfig.base.json'))
  await symlink(join(project, 'node_modules'), join(root, 'node_modules'))
  await write('package.json', '{"type": "module"}')
  for (const name of ['contract', 'server']) {
    await mkdir(join(root, 'packages', name), { recursive: true })
    await cp(join(project, 'packages', name, 'tsconfig.json'), join(root, 'packages', name, 'tsconfig.json'))
  }
  await write('packages/contract/src/index.ts', 'export const word: string = "contract"\n')
  await write('packages/server/src/main.ts', 'console.log(`serving ${process.argv[2]}`)\n')
  await write('packages/server/src/gone.ts', 'export const gone = true\n')
})
afterAll(() => rm(root, { recursive: true, force: true }))

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}

const start = (...args: string[]) => {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['scripts/start.mjs', ...args], {
    cwd: root,
    encoding: 'utf8',
  })
  return { lines: stdout.trim().split('\n').filter(Boolean), stderr, status }
}
const building = expect.stringMatching(/^Building Parley/)

test('the first start says that it builds and then serves; the second only serves', () => {
  expect(start('serve')).toMatchObject({ lines: [building, 'serving serve'], status: 0 })
  expect(start('serve')).toMatchObject({ lines: ['serving serve'], status: 0 })
})

test('a changed source is built again, and one that is gone leaves nothing', async () => {
  await write('packages/server/src/main.ts', 'console.log(`changed ${process.argv[2]}`)\n')
  await rm(join(root, 'packages/server/src/gone.ts'))
  expect(start('serve').lines).toEqual([building, 'changed serve'])
  expect((await readdir(join(root, 'packages/server/dist'))).filter((name) => name.startsWith('gone'))).toEqual([])
  expect(await readdir(join(root, 'packages/server'))).not.toContainEqual(expect.stringMatching(/^dist\./))
})

test('what someone else has compiled from other sources is not taken for ours', async () => {
  const main = join(root, 'packages/server/dist/main.js')
  const ours = await readFile(main, 'utf8')
  await writeFile(main, ours.replace('changed', 'foreign'))
  expect(start('serve').lines).toEqual([building, 'changed serve'])
})

test('what tsc -b has compiled is served as it is, once that is noted', async () => {
  await write('packages/server/src/main.ts', 'console.log(`checked ${process.argv[2]}`)\n')
  const tsc = join(project, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [tsc, '-b', 'packages/server'], { cwd: root })
  expect(start('--built').lines).toEqual([])
  expect(start('serve').lines).toEqual(['checked serve'])
})

test('a source that cannot be compiled stops the start, and the next one tries again', async () => {
  await write('packages/server/src/main.ts', 'console.log(`broken\n')
  expect(start('serve')).toMatchObject({ stderr: expect.stringContaining('Building failed'), status: 1 })
  expect(start('serve').status).toBe(1)
  await write('packages/server/src/main.ts', 'console.log(`mended ${process.argv[2]}`)\n')
  expect(start('serve').lines).toEqual([building, 'mended serve'])
})
