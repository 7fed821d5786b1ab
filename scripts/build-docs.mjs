// Builds the documentation site into packages/server/web-docs, packed for browsers, unless what is there was made from the
// same sources. A process of its own, so that the server that is started afterwards carries none of it.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const root = fileURLToPath(new URL('..', import.meta.url))
const web = join(root, 'packages/server/web-docs')
const stampFile = join(web, '.built-from')

/** Whether the pages are there and made from the sources that are there. */
export const isDocsBuilt = () => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp()

if (process.argv[1] === fileURLToPath(import.meta.url) && !isDocsBuilt()) await build()

async function build() {
  const [made, old] = [`${web}.${process.pid}.new`, `${web}.${process.pid}.old`]
  const builtFrom = stamp()
  const { makeSite } = await import('./docs/site.mjs')
  for (const [name, content] of makeSite(root)) write(join(made, name), Buffer.from(content))
  writeFileSync(join(made, '.built-from'), builtFrom)
  putInPlace(made, old)
}

/** Whoever builds at the same time builds the same: theirs may stand. */
function putInPlace(made, old) {
  try {
    if (existsSync(web)) renameSync(web, old)
    renameSync(made, web)
  } catch (error) {
    if (!isDocsBuilt()) throw error
    rmSync(made, { recursive: true, force: true })
  }
  rmSync(old, { recursive: true, force: true })
}

/** All but pictures. */
function isPacked(name) {
  return /\.(html|md|css|js|json|svg|txt)$/.test(name)
}

function write(file, bytes) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, bytes)
  if (!isPacked(file)) return
  // All effort would take ten times as long for a tenth less.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 7, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }))
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 6 }))
}

/** By content: times say little after a checkout, a copy or the build of a container. */
function stamp() {
  const hash = createHash('sha256')
  const sources = [
    ...['package-lock.json', 'CHANGELOG.md', 'SECURITY.md', 'scripts/build-docs.mjs'].map((name) => join(root, name)),
    join(root, 'packages/cockpit/src/styles.css'),
    ...['docs/guides', 'docs/reference', 'docs/decisions', 'scripts/docs', 'packages/sdk/src'].flatMap((name) =>
      filesIn(join(root, name)),
    ),
  ]
  for (const file of sources) hash.update(`\n${relative(root, file)}\n`).update(readFileSync(file))
  return `${hash.digest('hex')}\n`
}

function filesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return entries.map((entry) => join(entry.parentPath ?? entry.path, entry.name)).sort()
}
