// `parley-server move`: from the embedded database, or any other, to one of your own.
import { join } from 'node:path'
import type { Command } from 'commander'
import { type Moved, moveDatabase } from '../backup/move-database.js'
import type { Config } from '../config/config.js'
import { urlOf } from '../config/setting-kinds.js'
import { StartupError } from '../database/startup-error.js'
import { explainDatabase, openPool, secretFor, withoutPassword } from './open-database.js'
import { jsonOption, type Printing, prepare, print, withDatabase } from './operator-database.js'

interface MoveFlags extends Printing {
  readonly to: string
  readonly force?: boolean
}

export function addMoveCommand(program: Command): void {
  program
    .command('move')
    .description('bring everything into another PostgreSQL beside a running server, with a few seconds without writes')
    .requiredOption('--to <DATABASE_URL>', 'the database to move to, empty')
    .option('--force', 'replace what is in that database')
    .addOption(jsonOption())
    .action((options: MoveFlags) =>
      withDatabase(async (source, config) => {
        const url = requireUrl(options.to, config)
        await secretFor(config, source)
        const target = openPool(url, 2, () => {})
        const address = withoutPassword(url)
        const say = options.json ? () => undefined : console.log
        const migrate = () => prepare(target, { isUnfinished: true })
        try {
          const moved = await moveDatabase({ source, target, address, force: options.force === true, migrate, say })
          print(options, { address, ...moved }, movedText(moved, address, config))
        } catch (error) {
          throw explainDatabase(error)
        } finally {
          await target.close()
        }
      }),
    )
}

function requireUrl(written: string, { databaseUrl }: Config): string {
  const kind = urlOf('postgres', 'postgresql')
  const url = kind.read(written)
  if (url === undefined) throw new StartupError(`--to is ${kind.show(written)}; expected ${kind.expected}`)
  if (url === databaseUrl) throw new StartupError('--to is the database that everything is in already.')
  return url
}

const movedText = ({ rows, fencedMs }: Moved, address: string, { dataDir, secret }: Config): string =>
  [
    `Moved ${rows} rows to ${address}; nobody could write for ${(fencedMs / 1_000).toFixed(1)} s so far.`,
    'The old database takes no more writes. Start the server anew with the new one, and with the same secret:',
    `  DATABASE_URL=…  PARLEY_SECRET=${secret === undefined ? `"$(cat ${join(dataDir, 'secret')})"` : '(as it is)'}`,
    'Recordings stay where they are.',
  ].join('\n')
