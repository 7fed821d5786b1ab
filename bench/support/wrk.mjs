// Measurements with wrk: requests a second and latency; and what it is told to send.
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** `lua` may make each request differ. Anything but 2xx makes the figure worthless, so it is an error. */
export async function measure(url, { connections = 64, seconds = 8, warmUpSeconds = 2, headers = {}, lua = '' } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'))
  const script = join(folder, 'wrk.lua')
  await writeFile(
    script,
    `${lua}\nfunction done(summary, latency)
    local errors = summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout
    io.write(string.format('RESULT {"requests":%d,"micros":%d,"errors":%d,"p50Ms":%.3f,"p99Ms":%.3f}\\n', summary.requests, summary.duration, errors, latency:percentile(50) / 1000, latency:percentile(99) / 1000))
  end\n`,
  )
  const args = ['-t1', '--timeout', '10s', `-c${connections}`, `-d${seconds}s`, '-s', script]
  for (const [name, value] of Object.entries(headers)) args.push('-H', `${name}: ${value}`)
  // What is measured is a server that has been running, so the first seconds are not counted.
  if (warmUpSeconds > 0) await run('wrk', ['-t1', `-c${connections}`, `-d${warmUpSeconds}s`, ...args.slice(5), url])
  const output = await run('wrk', [...args, url])
  await rm(folder, { recursive: true })
  const result = JSON.parse(/RESULT (.*)/.exec(output)?.[1] ?? '{}')
  if (result.errors !== 0) throw new Error(`${url}: ${result.errors} requests failed`)
  const { requests, micros, p50Ms, p99Ms } = result
  return { requests, perSecond: requests / (micros / 1e6), p50Ms, p99Ms }
}

/** Asks for one path after the other, again and again. */
export const inTurn = (paths) => `local paths, n = { ${paths.map((path) => `'${path}'`).join(', ')} }, 0
  function request()
    n = n + 1
    return wrk.format('GET', paths[n % #paths + 1])
  end`

let posts = 0
/** Posts the same body, each time under another idempotency key. */
export const newEachTime = (key, body) => `local n = 0
  function request()
    n = n + 1
    return wrk.format('POST', nil, { ['authorization'] = 'Bearer ${key}', ['content-type'] = 'application/json', ['idempotency-key'] = 'bench-${Date.now()}-${posts++}-' .. n }, '${JSON.stringify(body)}')
  end`

export function run(program, args, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: { ...process.env, ...env } })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    child.once('exit', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`${program} ended with ${code}: ${output}`)),
    )
  })
}
