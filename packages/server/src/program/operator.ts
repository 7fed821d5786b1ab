// The operator's commands. They work on the same database as a running server, beside it.
import type { Command } from 'commander'
import { jsonOption, type Printing, prepare, print, withDatabase } from './operator-database.js'
import { addKeyCommands } from './operator-keys.js'
import { addOrganizationCommands } from './operator-organizations.js'
import { addPlatformKeyCommands } from './operator-platform-keys.js'
import { addSignInCommands } from './operator-sign-in.js'

export function addOperatorCommands(program: Command): void {
  program
    .command('migrate')
    .description('bring the database up to this version')
    .addOption(jsonOption())
    .action((options: Printing) =>
      withDatabase(async (database) => {
        const applied = await prepare(database, { isComplete: true })
        print(options, { applied }, applied.length > 0 ? `Applied: ${applied.join(', ')}` : 'Nothing to do.')
      }),
    )
  addOrganizationCommands(program)
  addKeyCommands(program)
  addPlatformKeyCommands(program)
  addSignInCommands(program)
}
