// Builds the cockpit into packages/server/web, packed for browsers, unless what is there was made from the same
// sources. A process of its own, so that the server that is started afterwards carries none of it.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { filesIn, fingerprint, root } from './fingerprint.mjs'

const cockpit = join(root, 'packages/cockpit')
const web = join(root, 'packages/server/web')
const stampFile = join(web, '.built-from')

/** Whether the pages are there and made from the sources that are there. */
export const isCockpitBuilt = () =>
  !existsSync(cockpit) || (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp())

if (process.argv[1] === fileURLToPath(import.meta.url) && !isCockpitBuilt()) await build()

async function build() {
  const [made, old] = [`${web}.${process.pid}.new`, `${web}.${process.pid}.old`]
  // Whoever runs this, a test among them: the pages are for users, without React's checks for developers.
  process.env.NODE_ENV = 'production'
  // The vite of the cockpit's own choice; it is loaded only when there is something to build.
  const vite = await import('vite')
  await vite.build({ root: cockpit, logLevel: 'warn', build: { outDir: made, emptyOutDir: true } })
  await Promise.all(filesIn(made).map(pack))
  writeFileSync(join(made, '.built-from'), stamp())
  if (existsSync(web)) renameSync(web, old)
  renameSync(made, web)
  rmSync(old, { recursive: true, force: true })
}

/** With all effort, once, rather than a little for each visitor. */
async function pack(file) {
  const bytes = await readFile(file)
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }
  await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, options))
  await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }))
}

function stamp() {
  const sources = [
    ...['index.html', 'vite.config.mjs', 'package.json'].map((name) => join(cockpit, name)),
    ...['cockpit/src', 'cockpit/public', 'sdk/src', 'contract/src'].flatMap((name) =>
      filesIn(join(root, 'packages', name)),
    ),
    ...filesIn(join(root, 'docs/guides/samples')),
  ]
  return `${fingerprint('cockpit', sources)}\n`
}
