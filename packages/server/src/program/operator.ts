// The operator's commands. They work on the same database as a running server, beside it.
import type { Command } from 'commander'
import { addBackupCommand } from './operator-backup.js'
import { jsonOption, type Printing, prepare, print, withServers } from './operator-database.js'
import { addKeyCommands } from './operator-keys.js'
import { addMoveCommand } from './operator-move.js'
import { addOrganizationCommands } from './operator-organizations.js'
import { addPlatformKeyCommands } from './operator-platform-keys.js'
import { addRecordingCommands } from './operator-recordings.js'
import { addRestoreCommands } from './operator-restore.js'
import { addSecretCommands } from './operator-secret.js'
import { addSignInCommands } from './operator-sign-in.js'

export function addOperatorCommands(program: Command): void {
  program
    .command('migrate')
    .description('bring the database up to this version')
    .addOption(jsonOption())
    .action((options: Printing) =>
      withServers(async ({ all }) => {
        const applied: string[] = []
        for (const { database } of all) applied.push(...(await prepare(database, { isComplete: true })))
        print(options, { applied }, applied.length > 0 ? `Applied: ${applied.join(', ')}` : 'Nothing to do.')
      }),
    )
  addOrganizationCommands(program)
  addKeyCommands(program)
  addPlatformKeyCommands(program)
  addSignInCommands(program)
  addSecretCommands(program)
  addRecordingCommands(program)
  addBackupCommand(program)
  addRestoreCommands(program)
  addMoveCommand(program)
}
