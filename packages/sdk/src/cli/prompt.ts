// Asks for a secret at the terminal without showing it, or takes it from a pipe.
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { UsageError } from './failure.js'
import type { Session } from './session.js'

export async function askFor({ stdin, terminal }: Session, question: string): Promise<string> {
  const answer = stdin.isTTY ? await hidden(stdin, question) : await piped(stdin)
  if (answer === '')
    throw new UsageError('No key was given.', 'Give one with --key, or pipe it in: parley login < key.txt')
  terminal.progress('')
  return answer
}

async function piped(stdin: NodeJS.ReadStream): Promise<string> {
  let text = ''
  for await (const chunk of stdin.setEncoding('utf8')) text += chunk
  return text.trim()
}

function hidden(stdin: NodeJS.ReadStream, question: string): Promise<string> {
  process.stderr.write(question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reading = createInterface({ input: stdin, output: nowhere, terminal: true })
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
