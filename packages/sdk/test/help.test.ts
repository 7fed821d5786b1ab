// Help: every command shows how it is typed.
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { createProgram } from '../src/cli/program.js'

const commandsUnder = (command: Command): Command[] => [command, ...command.commands.flatMap(commandsUnder)]

const nameOf = (command: Command): string =>
  command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name()

function helpOf(command: Command): string {
  let text = ''
  command.configureOutput({ writeOut: (part) => void (text += part) }).outputHelp()
  return text
}

const commands = commandsUnder(createProgram(process, new AbortController().signal))

test('there are commands to look at', () => {
  expect(commands.map(nameOf)).toEqual(
    expect.arrayContaining(['parley', 'parley keys rotate', 'parley events tail', 'parley import']),
  )
})

test.each(commands.map((command) => [nameOf(command), command] as const))(
  '%s --help has examples of itself',
  (name, command) => {
    const [, examples = ''] = helpOf(command).split(/^Examples:$/m)
    const [, family = ''] = name.split(' ')
    const lines = examples.split('\n').filter((line) => line.startsWith('  $ '))
    expect(lines.some((line) => line.includes(`parley ${family}`))).toBe(true)
  },
)
