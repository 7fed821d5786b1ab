// Bundles the command line into one file with no dependencies (to dist/parley.js, or to the file that is named), and
// prints how large the client and the verifier are when a program bundles and compresses them.
import { chmod, readFile } from 'node:fs/promises'
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

const [outfile = at('dist/parley.js')] = process.argv.slice(2)
await bundleCli(outfile)
for (const part of parts) {
  const bytes = await gzippedBytes(part)
  console.log(`${part.name}: ${bytes} bytes gzipped (aim: under ${part.aim})`)
  if (bytes >= part.aim) process.exitCode = 1
}
