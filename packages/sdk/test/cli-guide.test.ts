// The guide of the command line, typed from top to bottom as it is written.
import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startService } from '../../server/test/support/service.js'
import { createProgram } from '../src/cli/program.js'
import { type Cli, createCli, type Running } from './support/cli.js'
import { type Receiver, startReceiver } from './support/receiver.js'
import { until } from './support/until.js'

const guide = await readFile(fileURLToPath(new URL('../../../docs/guides/cli.md', import.meta.url)), 'utf8')
const snippets = [...guide.matchAll(/^```sh ?(\w*)\n([\s\S]*?)^```$/gm)].map(([, kind, text = '']) => ({ kind, text }))
let service: Service
let cli: Cli
let receiver: Receiver

beforeAll(async () => {
  service = await startService()
  cli = await createCli({})
  receiver = await startReceiver()
  await writeFile(join(cli.home, 'key.txt'), service.api.key)
  await writeFile(join(cli.home, 'live-key.txt'), service.demo.live.key)
})
afterAll(async () => {
  await receiver?.down()
  await cli?.remove()
  await service?.stop()
})

const commandsUnder = (command: Command, before = 'parley'): string[] =>
  command.commands.length === 0
    ? [before]
    : command.commands.flatMap((one) => commandsUnder(one, `${before} ${one.name()}`))

test('it tells of every command', () => {
  const commands = commandsUnder(createProgram(process, new AbortController().signal))
  const isTold = (command: string) => guide.includes(command) || guide.includes(`${command.replace(/ list$/, '')}\n`)
  expect(commands.filter((command) => !isTold(command))).toEqual([])
})

test('every command works as it is written', async () => {
  const listening: Running[] = []
  for (const { kind, text } of snippets) {
    const script = text
      .replaceAll('http://localhost:4000/hooks', receiver.url)
      .replaceAll('http://127.0.0.1:3000', service.url)
    if (kind === 'background') {
      const [, ...args] = [...script.trim().matchAll(/"([^"]*)"|(\S+)/g)].map(
        ([, quoted, word]) => quoted ?? word ?? '',
      )
      const running = cli.start(args)
      await running.says('Signing secret')
      listening.push(running)
    } else await typed(script)
  }
  await until(
    () => receiver.got.some(({ headers }) => headers['x-service-event'] === 'call.ended'),
    'a forwarded event',
  )
  expect(receiver.got[0]?.headers['x-branch']).toBe('mine')
  for (const { child } of listening) child.kill('SIGINT')
  expect((await Promise.all(listening.map(({ ended }) => ended))).map(({ code }) => code)).toEqual([0])
})

/** In a shell that stops at the first failure, and shows it. */
async function typed(script: string): Promise<void> {
  const parley = `parley() { "${process.execPath}" "${join(cli.home, 'parley.mjs')}" "$@"; }`
  const shell = spawn('bash', ['-xeuo', 'pipefail', '-c', `${parley}\n${script}`], {
    env: cli.env,
    cwd: cli.home,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (text: Buffer) => (output += text))
  const code = await new Promise((resolve) => shell.on('close', resolve))
  expect({ code, output }).toEqual({ code: 0, output: expect.any(String) })
}
