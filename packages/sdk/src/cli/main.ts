#!/usr/bin/env node
// The `parley` command line: reads what was typed, runs one command, and ends with 0 (done), 1 (failed) or 2 (typed
// wrongly).
import { CommanderError } from 'commander'
import { readConfig } from './config-file.js'
import { CliError, failureOf, UsageError } from './failure.js'
import { createProgram } from './program.js'
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
  try {
    await createProgram(process, controller.signal).parseAsync([...argv])
    return Number(process.exitCode ?? 0)
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    return report(error, argv.includes('--json'))
  }
}

async function report(error: unknown, isJson: boolean): Promise<number> {
  const terminal = createTerminal(process)
  const { baseUrl = 'The service' } = await readConfig(process.env).catch(() => ({ baseUrl: undefined }))
  const { message, nextStep, ...more } = failureOf(error, process.env['PARLEY_BASE_URL'] || baseUrl)
  if (isJson) terminal.note(JSON.stringify({ error: { message, ...(nextStep && { nextStep }), ...more } }))
  else {
    terminal.note(`${terminal.paint('red', 'error:')} ${message}`)
    if (nextStep) terminal.note(nextStep)
  }
  return error instanceof UsageError ? 2 : 1
}
