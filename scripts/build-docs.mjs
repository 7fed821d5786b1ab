// Builds the documentation site into packages/server/web-docs, packed for browsers, unless what is there was made from the
// same sources. A process of its own, so that the server that is started afterwards carries none of it.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { filesIn, fingerprint, root } from './fingerprint.mjs'

const web = join(root, 'packages/server/web-docs')
const stampFile = join(web, '.built-from')

/** Whether the pages are there and made from the sources that are there, or there is nothing to make them from. */
export const isDocsBuilt = () =>
  !existsSync(join(root, 'docs/reference')) || (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp())

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
  // All effort would take more than ten times as long, for a few hundredths less.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }))
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 6 }))
}

function stamp() {
  const sources = [
    ...['package-lock.json', 'CHANGELOG.md', 'SECURITY.md', 'scripts/build-docs.mjs'].map((name) => join(root, name)),
    ...['src/styles.css', 'public/favicon.svg'].map((name) => join(root, 'packages/cockpit', name)),
    ...['docs/guides', 'docs/reference', 'docs/decisions', 'scripts/docs', 'packages/sdk/src'].flatMap((name) =>
      filesIn(join(root, name)),
    ),
  ]
  return `${fingerprint(
    'docs',
    sources.filter((file) => existsSync(file)),
  )}\n`
}
