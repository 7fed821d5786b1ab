// What Redocly, which is none of ours, finds wrong with an OpenAPI document of any version.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

interface Report {
  readonly problems: readonly {
    readonly severity: string
    readonly message: string
    readonly location: readonly { readonly pointer?: string }[]
  }[]
}

/** The errors by its recommended rules, each with where it is. */
export async function redoclyErrors(document: object): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-openapi-'))
  const file = join(folder, 'openapi.json')
  await writeFile(file, JSON.stringify(document))
  const cli = join(dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')), 'bin/cli.js')
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const options = { env, cwd: folder, maxBuffer: 1 << 26 }
  const run = promisify(execFile)(
    process.execPath,
    [cli, 'lint', file, '--extends=recommended', '--format=json'],
    options,
  )
  const { stdout } = await run.catch((error: { stdout: string }) => error)
  await rm(folder, { recursive: true })
  const { problems }: Report = JSON.parse(stdout)
  return problems
    .filter(({ severity }) => severity === 'error')
    .map(({ message, location }) => `${location[0]?.pointer}: ${message}`)
}
