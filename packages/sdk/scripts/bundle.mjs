// Bundles the command line, and prints how large the client and the verifier are when a program bundles and compresses them.
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { bundleCli } from './cli-bundle.mjs'

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))

const parts = [
  { name: 'the client', source: `export * from './index.ts'`, aim: 8_000 },
  { name: 'the verifier alone', source: `export { verifyWebhook } from './webhooks.ts'`, aim: 1_500 },
]

/** The size of a part, bundled for any platform: whatever needs Node's own modules would fail here. */
async function gzippedBytes({ source }) {
  const stdin = { contents: source, resolveDir: at('src'), loader: 'ts' }
  const { outputFiles } = await build({ stdin, bundle: true, minify: true, format: 'esm', target: 'es2022', platform: 'neutral', write: false })
  return gzipSync(outputFiles[0].contents, { level: 9 }).length
}

await bundleCli(at('dist/parley.js'))
for (const part of parts) {
  const bytes = await gzippedBytes(part)
  console.log(`${part.name}: ${bytes} bytes gzipped (aim: under ${part.aim})`)
  if (bytes >= part.aim) process.exitCode = 1
}
