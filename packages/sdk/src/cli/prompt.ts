// Asks at the terminal: for a secret, without showing it (or takes it from a pipe), and whether to go on.
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { CliError, UsageError } from './failure.js'
import type { Session } from './session.js'

export async function askFor({ stdin, terminal }: Session, question: string): Promise<string> {
  const answer = stdin.isTTY ? await hidden(stdin, question) : await piped(stdin)
  if (answer === '')
    throw new UsageError('No key was given.', 'Give one with --api-key, or pipe it in: parley login < key.txt')
  terminal.progress('')
  return answer
}

/** Asks before something is gone for good. A program, which has no terminal, is taken at its word. */
export async function confirm({ stdin, terminal }: Session, what: string, isSure = false): Promise<void> {
  if (isSure || !stdin.isTTY || !terminal.isInteractive) return
  const reading = createInterface({ input: stdin, output: process.stderr })
  const answer = await new Promise<string>((resolve) => {
    reading.once('close', () => resolve(''))
    reading.question(`${what}? (y/N): `, resolve)
  })
  reading.close()
  if (!/^y(es)?$/i.test(answer.trim())) throw new CliError('Nothing was done.', 'Give --yes not to be asked.')
}

async function piped(stdin: NodeJS.ReadStream): Promise<string> {
  let text = ''
  for await (const chunk of stdin.setEncoding('utf8')) text += chunk
  return text.trim()
}

function hidden(stdin: NodeJS.ReadStream, question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  // The terminal shows nothing from here on: who answers the question at once is not seen to type either.
  const reading = createInterface({ input: stdin, output: nowhere, terminal: true })
  process.stderr.write(question)
  return new Promise((resolve) => {
    reading.once('line', (line) => {
      process.stderr.write('\n')
      // Closing tells the listener below, which must come second.
      resolve(line.trim())
      reading.close()
    })
    reading.once('close', () => resolve(''))
  })
}
