// Completion scripts, made from the commands themselves, so that they cannot fall behind.
import type { Command } from 'commander'
import { UsageError } from './failure.js'

interface Offer {
  /** What has been typed before: `keys` for the commands under it, empty at the start. */
  readonly under: string
  readonly words: readonly string[]
}

const shells: Readonly<Record<string, (commands: readonly Offer[]) => string>> = { bash, zsh, fish }

export function completionScript(shell: string, program: Command): string {
  const script = shells[shell]
  if (script === undefined)
    throw new UsageError(`There is no completion for ${shell}.`, `Known: ${Object.keys(shells).join(', ')}.`)
  return script(offers(program, ''))
}

function offers(command: Command, under: string): Offer[] {
  const flags = command.options.map(({ long }) => long ?? '').filter(Boolean)
  const words = [...command.commands.map((one) => one.name()), ...flags]
  return [{ under, words }, ...command.commands.flatMap((one) => offers(one, `${under} ${one.name()}`.trim()))]
}

const cases = (all: readonly Offer[]): string =>
  [...all]
    .sort((a, b) => b.under.length - a.under.length)
    .map(({ under, words }) => `    "${under}"*) words="${words.join(' ')}" ;;`)
    .join('\n')

function bash(all: readonly Offer[]): string {
  return `_parley() {
  local typed="\${COMP_WORDS[*]:1:COMP_CWORD-1}" words
  case "$typed" in
${cases(all)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _parley parley`
}

function zsh(all: readonly Offer[]): string {
  return `autoload -U +X bashcompinit && bashcompinit\n${bash(all)}`
}

function fish(all: readonly Offer[]): string {
  return all
    .map(({ under, words }) => {
      const when = under === '' ? '__fish_use_subcommand' : `string match -q 'parley ${under}*' (commandline -pc)`
      return `complete -c parley -n "${when}" -a "${words.join(' ')}"`
    })
    .join('\n')
}
