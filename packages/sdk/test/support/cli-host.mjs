// Runs commands one after the other in one process, each as if it were the only one: starting Node and loading the
// program takes most of a command's time. Told what to run by `cli.ts`.
import { Readable } from 'node:stream'

const [node, , program] = process.argv
let runs = 0

/** Takes what is written, as the stream itself would. */
const keeping = (keep) => (text, encoding, callback) => {
  keep(String(text))
  const done = typeof encoding === 'function' ? encoding : callback
  if (done) process.nextTick(done)
  return true
}

process.setMaxListeners(0)
process.stdout.setMaxListeners(0)
process.on('message', async ({ args, env, input }) => {
  const output = { stdout: '', stderr: '' }
  process.argv = [node, program, ...args]
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  Object.defineProperty(process, 'stdin', { value: Readable.from(input === '' ? [] : [Buffer.from(input)]) })
  process.stdout.write = keeping((text) => (output.stdout += text))
  process.stderr.write = keeping((text) => (output.stderr += text))
  process.exitCode = undefined
  runs += 1
  await import(`${program}?run=${runs}`)
  process.send({ code: process.exitCode ?? 0, ...output })
})
