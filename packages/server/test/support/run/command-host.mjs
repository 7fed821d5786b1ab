// Runs the operator's commands one after the other in one process, each as if it were the only one: loading the program
// anew takes most of a command's time. Told what to run by `command-host.ts`.
import { format } from 'node:util'

const main = process.argv[2]
const ended = Symbol('the command has ended')
let runs = 0

process.on('message', async ({ args, env }) => {
  const printed = { code: 0, stdout: '', stderr: '' }
  process.argv = [process.argv[0], main, ...args]
  process.env = env
  console.log = (...values) => (printed.stdout += `${format(...values)}\n`)
  console.error = (...values) => (printed.stderr += values[0] === ended ? '' : `${format(...values)}\n`)
  process.stdout.write = (text) => Boolean((printed.stdout += text))
  process.stderr.write = (text) => Boolean((printed.stderr += text))
  process.exit = (code = 0) => {
    printed.code ||= code
    throw ended
  }
  try {
    await (await import(`${main}?run=${runs++}`)).finished
  } catch (error) {
    if (error !== ended) Object.assign(printed, { code: -1, stderr: format(error) })
  }
  process.send(printed)
})
