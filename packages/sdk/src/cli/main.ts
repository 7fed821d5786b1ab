#!/usr/bin/env node
// The `parley` command line: reads what was typed, runs one command, and ends with 0 (done), 1 (failed) or 2 (typed
// wrongly).
import { CommanderError } from 'commander'
import { CliError, failureOf, UsageError } from './failure.js'
import { createProgram } from './program.js'
import { createSession, type GlobalOptions } from './session.js'
import { createTerminal } from './terminal.js'

const controller = new AbortController()
// The first Ctrl-C lets a command finish what it has begun; the second ends the program.
process.once('SIGINT', () => {
  controller.abort(new CliError('Stopped.'))
  process.once('SIGINT', () => process.exit(130))
})
process.once('SIGTERM', () => controller.abort(new CliError('Stopped.')))
// Whoever reads our output may stop reading, as `head` does; that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

process.exitCode = await run(process.argv)

async function run(argv: readonly string[]): Promise<number> {
  const program = createProgram(process, controller.signal)
  try {
    await program.parseAsync([...argv])
    return Number(process.exitCode ?? 0)
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    return report(error, program.opts<GlobalOptions>())
  }
}

async function report(error: unknown, options: GlobalOptions): Promise<number> {
  const terminal = createTerminal(process)
  const { account } = createSession(process, options, controller.signal)
  const { baseUrl } = await account().catch(() => ({ baseUrl: process.env['PARLEY_BASE_URL'] || 'The service' }))
  const { message, nextStep, ...more } = failureOf(error, baseUrl)
  if (options.json) terminal.note(JSON.stringify({ error: { message, ...(nextStep && { nextStep }), ...more } }))
  else {
    terminal.note(`${terminal.paint('red', 'error:')} ${message}`)
    if (nextStep) terminal.note(nextStep)
  }
  return error instanceof UsageError ? 2 : 1
}
