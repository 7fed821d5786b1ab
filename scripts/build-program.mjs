// Builds the program that `npm start` and `parley-server` run, into packages/server/program, unless what is there was
// made from the same sources. Eight hundred small files become a few, which halves the work of a start. Types are not
// checked here: `npm run check` does that. A process of its own, so that the server carries none of it.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { filesIn, fingerprint, root } from './fingerprint.mjs'

const server = join(root, 'packages/server')
const contract = join(root, 'packages/contract')
const program = join(server, 'program')
const stampFile = join(program, '.built-from')

export const isProgramBuilt = () => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp()

if (process.argv[1] === fileURLToPath(import.meta.url) && !isProgramBuilt()) await build()

/** Made beside its place and put there whole. */
async function build() {
  const [made, old] = [`${program}.${process.pid}.new`, `${program}.${process.pid}.old`]
  const vite = await import('vite')
  try {
    await vite.build({
      root: server,
      configFile: false,
      logLevel: 'silent',
      resolve: { alias: { '@parley/contract': join(contract, 'src/index.ts') } },
      // A package of two hundred files; the others are loaded as they are.
      ssr: { noExternal: ['typebox'] },
      build: { ssr: 'src/main.ts', outDir: made, target: 'node20' },
    })
  } catch (error) {
    rmSync(made, { recursive: true, force: true })
    console.error(error.message)
    process.exit(1)
  }
  writeFileSync(join(made, '.built-from'), stamp())
  if (existsSync(program)) renameSync(program, old)
  renameSync(made, program)
  rmSync(old, { recursive: true, force: true })
}

function stamp() {
  const { version } = createRequire(import.meta.url)('vite/package.json')
  const sources = [server, contract].flatMap((folder) => filesIn(join(folder, 'src'), '.ts'))
  return `${version} ${fingerprint('program', sources)}\n`
}
