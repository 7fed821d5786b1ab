// Starts and stops what a benchmark measures: child processes of its own, each told to end by its id.
import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const children = new Set()
// A benchmark that fails must not leave its servers behind.
process.on('exit', () => children.forEach((child) => child.kill('SIGKILL')))

/** A program of this folder, or at a path, that prints one line of JSON when it is ready. */
export async function startNode(script, args = [], env = {}) {
  const child = spawn(
    process.execPath,
    ['--max-semi-space-size=64', fileURLToPath(new URL(script, import.meta.url)), ...args],
    {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  children.add(child)
  child.once('exit', () => children.delete(child))
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const ready = await new Promise((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
      const line = text.split('\n').find((one) => one.startsWith('{"ready"'))
      if (line) resolve(JSON.parse(line).ready)
    })
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code} before it was ready`)))
  })
  return {
    ...ready,
    pid: child.pid,
    /** Settles when the process has ended, by itself or not. */
    ended,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** What the benchmark needs besides npm: names what is missing instead of guessing. */
export function requirePrograms(...names) {
  const missing = names.filter((name) => spawnSync('which', [name]).status !== 0)
  if (missing.length > 0) {
    console.error(`This benchmark needs ${missing.join(', ')}. On Debian: apt-get install wrk postgresql-contrib`)
    process.exit(1)
  }
}
