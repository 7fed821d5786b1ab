// The command line as one file with no dependencies: its own code, the client and commander.
import { chmod, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))

export async function bundleCli(outfile) {
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
    banner: { js: "import { createRequire as parleyRequire } from 'node:module';const require = parleyRequire(import.meta.url);" },
  })
  await chmod(outfile, 0o755)
}
