// The program: serve, or one of the operator's commands.
import { Command } from 'commander'
import { addOperatorCommands } from './operator.js'
import { serve } from './serve.js'
import { failPlainly } from './startup.js'

const program = new Command('parley-server').description('Parley: the system of record for conversations').showHelpAfterError()

program
  .command('serve', { isDefault: true })
  .description('run the API and the webhooks')
  .action(() => serve())
addOperatorCommands(program)

program.parseAsync().catch(failPlainly)
