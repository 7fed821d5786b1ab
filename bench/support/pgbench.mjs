// One measurement with pgbench: statements a second on ten connections, which is how many Parley's pool has.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from './wrk.mjs'

/** `mode`: how pgbench sends the statement, `simple` or `prepared`. */
export async function pgbench(databaseUrl, { statement, mode, seconds }) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'))
  const script = join(folder, 'statement.sql')
  await writeFile(script, `${statement};\n`)
  const { hostname, pathname, password, username, searchParams } = new URL(databaseUrl.replace('@/', '@socket/'))
  const options = `-n -c 10 -j 1 -T ${seconds} -M ${mode}`.split(' ')
  const server = ['-h', searchParams.get('host') ?? hostname, '-U', username, pathname.slice(1)]
  const output = await run('pgbench', [...options, '-f', script, ...server], {
    PGPASSWORD: decodeURIComponent(password),
  })
  await rm(folder, { recursive: true })
  return Number(/tps = ([\d.]+)/.exec(output)?.[1])
}
