// The commands, as they are typed. What each does is in its own file.
import { Command } from 'commander'
import { addAccountCommands } from './account-commands.js'
import { addEventCommands } from './events/event-commands.js'
import { addLogCommands } from './events/log-commands.js'
import { hinted } from './flag-hints.js'
import { addInboundCommands } from './inbound-commands.js'
import { addMcpCommand } from './mcp.js'
import { addRecordCommands } from './record-commands.js'
import { addRequestCommands } from './request-commands.js'
import { createSession, type GlobalOptions, type Session } from './session.js'
import { addTransferCommands } from './transfer-commands.js'
import { version } from './version.js'
import { addWebhookCommands } from './webhook-commands.js'

/** Runs a command with its session, its arguments and its options. */
export type Act<Args extends unknown[]> = (session: Session, ...args: Args) => Promise<void>
/** Gives a command its session. */
export type Bind = <Args extends unknown[]>(act: Act<Args>) => (...args: [...Args, Command]) => Promise<void>

const examples = `
Examples:
  $ parley login --base-url http://127.0.0.1:3000
  $ parley listen --forward-to http://localhost:4000/hooks
  $ parley trigger call.ended
  $ parley list work-records --filter kind=job --limit 5
  $ parley get "/people?q=dana"
  $ parley import people.csv --entity people

Environment: PARLEY_API_KEY and PARLEY_BASE_URL win over \`parley login\`, PARLEY_PROFILE names a login; NO_COLOR turns
colours off.`

export function createProgram(
  from: Pick<NodeJS.Process, 'stdout' | 'stderr' | 'stdin' | 'env'>,
  signal: AbortSignal,
): Command {
  const program = new Command('parley')
    .description('Work with a Parley service from the command line.')
    .version(version)
    .option('--json', 'answer in JSON, for programs')
    .option('--profile <name>', 'act by the login of this name; see `parley login --name`')
    .option('--api-key <key>', 'act by this key')
    .addHelpText('after', examples)
    .showHelpAfterError('(add --help for usage)')
    .configureOutput({ outputError: (text, write) => write(hinted(text)) })
    .exitOverride()
  const bind: Bind =
    (act) =>
    async (...all) => {
      const options = program.opts<GlobalOptions>()
      const args = all.slice(0, -1) as unknown as typeof act extends Act<infer Args> ? Args : never
      await act(createSession(from, options, signal), ...(args as never))
    }
  addAccountCommands(program, bind)
  addRecordCommands(program, bind)
  addRequestCommands(program, bind)
  addWebhookCommands(program, bind)
  addEventCommands(program, bind)
  addInboundCommands(program, bind)
  addLogCommands(program, bind)
  addTransferCommands(program, bind)
  addMcpCommand(program, bind)
  return program
}
