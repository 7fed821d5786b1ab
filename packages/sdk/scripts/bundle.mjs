// Bundles the command line into one file with no dependencies (to the file that is named, or to dist/parley.js with the
// client for CommonJS beside it), and prints how large the client and the verifier are when a program compresses them.
import { chmod, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))

async function bundleCli(outfile) {
  const { version } = JSON.parse(await readFile(at('package.json'), 'utf8'))
  await build({
    entryPoints: [at('src/cli/main.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    minifySyntax: true,
    legalComments: 'eof',
    define: { PARLEY_VERSION: JSON.stringify(version) },
    // commander is CommonJS inside and asks for Node's modules by `require`.
    banner: {
      js: "import { createRequire as parleyRequire } from 'node:module';const require = parleyRequire(import.meta.url);",
    },
  })
  await chmod(outfile, 0o755)
}

/** dist/cjs: file by file what dist has, for `require`. Its types say so too, which is why they are there again. */
async function writeCommonJs() {
  const files = (await readdir(at('src'), { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !name.startsWith('cli/'),
  )
  await rm(at('dist/cjs'), { recursive: true, force: true })
  await build({
    entryPoints: files.map((name) => at(`src/${name}`)),
    outbase: at('src'),
    outdir: at('dist/cjs'),
    format: 'cjs',
    platform: 'neutral',
    target: 'es2022',
  })
  for (const name of files.map((file) => file.replace(/ts$/, 'd.ts'))) {
    await mkdir(dirname(join(at('dist/cjs'), name)), { recursive: true })
    await cp(at(`dist/${name}`), at(`dist/cjs/${name}`))
  }
  await writeFile(at('dist/cjs/package.json'), '{ "type": "commonjs" }\n')
}

const parts = [
  {
    name: 'the client',
    source: `export * from './client.ts'; export * from './errors.ts'; export * from './page.ts'`,
    aim: 8_000,
  },
  { name: 'the verifier alone', source: `export { verifyWebhook } from './webhooks.ts'`, aim: 1_500 },
]

/** The size of a part, bundled for any platform: whatever needs Node's own modules would fail here. */
async function gzippedBytes({ source }) {
  const stdin = { contents: source, resolveDir: at('src'), loader: 'ts' }
  const { outputFiles } = await build({
    stdin,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'neutral',
    write: false,
  })
  return gzipSync(outputFiles[0].contents, { level: 9 }).length
}

const [outfile] = process.argv.slice(2)
await bundleCli(outfile ?? at('dist/parley.js'))
if (outfile === undefined) await writeCommonJs()
for (const part of parts) {
  const bytes = await gzippedBytes(part)
  console.log(`${part.name}: ${bytes} bytes gzipped (aim: under ${part.aim})`)
  if (bytes >= part.aim) process.exitCode = 1
}
