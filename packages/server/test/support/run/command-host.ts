// The operator's commands for tests that run many of them. What a process of its own would show as well (the settings it
// reads, its exit code, what it prints) is the same; `runProgram` starts a process for each.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Finished } from '../program.js'
import { programFile } from './bundled-programs.js'

export interface CommandHost {
  run(args: readonly string[], env: Record<string, string>): Promise<Finished>
  stop(): Promise<void>
}

export async function startCommandHost(): Promise<CommandHost> {
  const script = fileURLToPath(new URL('command-host.mjs', import.meta.url))
  const host = fork(script, [await programFile('main')], { cwd: tmpdir(), env: {} })
  let last: Promise<unknown> = Promise.resolve()
  return {
    run(args, env) {
      const result = last.then(() => ask(host, { args, env }))
      last = result.catch(() => undefined)
      return result
    },
    async stop() {
      const closed = once(host, 'close')
      host.kill()
      await closed
    },
  }
}

/** Rejects when the host has died of it. */
async function ask(host: ChildProcess, command: object): Promise<Finished> {
  const died = new AbortController()
  const onClose = () => died.abort(new Error('The process that runs the commands has ended'))
  host.once('close', onClose)
  try {
    const answered = once(host, 'message', { signal: died.signal })
    host.send(command)
    const [printed] = await answered
    return { signal: null, ...printed }
  } finally {
    host.off('close', onClose)
  }
}
