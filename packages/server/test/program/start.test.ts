// `npm start` before the server: it compiles what is not compiled or has changed, and nothing twice. Done on a small
// service of its own.
import { spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const project = fileURLToPath(new URL('../../../../', import.meta.url))
let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'parley-start-'))
  await mkdir(join(root, 'scripts'))
  for (const script of ['start.mjs', 'build-program.mjs', 'fingerprint.mjs'])
    await cp(join(project, 'scripts', script), join(root, 'scripts', script))
  await symlink(join(project, 'node_modules'), join(root, 'node_modules'))
  await write('package.json', '{"type": "module"}')
  await write('packages/contract/src/index.ts', 'export const word: string = "serving"\n')
  await write('packages/server/src/main.ts', serving)
})
afterAll(() => rm(root, { recursive: true, force: true }))

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}

const serving = `import { word } from '@parley/contract'\nconsole.log(\`\${word} \${process.argv[2]}\`)\n`

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

test('a changed source is built again, also of the contract, and leaves nothing beside', async () => {
  await write('packages/contract/src/index.ts', 'export const word: string = "changed"\n')
  expect(start('serve').lines).toEqual([building, 'changed serve'])
  expect(await readdir(join(root, 'packages/server'))).not.toContainEqual(expect.stringMatching(/^program\./))
})

test('a source that cannot be compiled stops the start, and the next one tries again', async () => {
  await write('packages/server/src/main.ts', 'console.log(`broken\n')
  expect(start('serve')).toMatchObject({ stderr: expect.stringContaining('Building failed'), status: 1 })
  expect(start('serve').status).toBe(1)
  await write('packages/server/src/main.ts', 'console.log(`mended ${process.argv[2]}`)\n')
  expect(start('serve').lines).toEqual([building, 'mended serve'])
})
