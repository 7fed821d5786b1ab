// The program: serve, or one of the operator's commands.
import { Command } from 'commander'
import { version } from './config/version.js'
import { failPlainly } from './program/open-database.js'

const program = new Command('parley-server')
  .description('Parley: the system of record for conversations')
  .version(version)
  .showHelpAfterError()

program
  .command('serve', { isDefault: true })
  .description('run the API and the webhooks')
  // The commands need little of the program, and it none of them: neither waits for the other to load.
  .action(async () => (await import('./program/serve.js')).serve())
if (process.argv[2] !== undefined && process.argv[2] !== 'serve')
  (await import('./program/operator.js')).addOperatorCommands(program)

/** Settles when the command has done its work. */
export const finished = program.parseAsync().catch(failPlainly)
