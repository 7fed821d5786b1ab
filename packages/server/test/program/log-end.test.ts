// The end of the log: whatever its reader does, all that can be written is, and the process ends.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const log = fileURLToPath(new URL('../../dist/program/log.js', import.meta.url))
const lines = 20_000

/** Far more than a pipe holds, and then the end, which those who come later do not disturb. */
const program = `
  const { createLog } = await import(${JSON.stringify(log)})
  const log = createLog({ level: 'info' })
  for (let n = 1; n <= ${lines}; n++) log.info({ n }, 'line')
  process.stdin.once('data', async () => {
    const ended = log.end()
    setTimeout(() => log.info('too late'))
    await ended
    log.info('even later')
    process.exit(0)
  })
  process.stderr.write('written')`

async function startLogging() {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program])
  const ended = once(child, 'exit')
  await once(child.stderr, 'data')
  const end = async () => {
    child.stdin.write('end')
    return (await ended)[0]
  }
  return { child, end }
}

test('a reader gets every line', async () => {
  const { child, end } = await startLogging()
  let text = ''
  child.stdout.on('data', (chunk) => (text += chunk))
  const [code] = await Promise.all([end(), once(child.stdout, 'end')])
  expect([code, text.trimEnd().split('\n').length]).toEqual([0, lines])
})

test('one that does not read keeps nobody from ending', async () => {
  const { end } = await startLogging()
  expect(await end()).toBe(0)
})

test('nor does one that is gone', async () => {
  const { child, end } = await startLogging()
  child.stdout.destroy()
  expect(await end()).toBe(0)
})
