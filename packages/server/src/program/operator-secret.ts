// `parley-server secret reset`: for the day when the secret that encrypts at rest is lost for good. What it encrypted
// stays unreadable; the database then takes the secret that the next start brings.
import type { Command } from 'commander'
import type { Database } from '../database/pool.js'
import { sql } from '../database/sql.js'
import { StartupError } from '../database/startup-error.js'
import { jsonOption, type Printing, print, withDatabase } from './operator-database.js'

interface Lost {
  readonly connections: number
  readonly webhooks: number
}

export function addSecretCommands(program: Command): void {
  program
    .command('secret')
    .description('the secret that encrypts at rest')
    .command('reset')
    .description('begin with another secret because the old one is lost; stop all nodes first')
    .option('--yes', 'do it: nothing that the old secret encrypted can be read again')
    .addOption(jsonOption())
    .action((options: Printing & { yes?: boolean }) =>
      withDatabase(async (database) => {
        if (!options.yes) throw new StartupError(warning(await countLost(database)))
        const lost = await resetSecret(database)
        print(options, lost, `The next start takes a new secret. ${remedy(lost)}`)
      }),
    )
}

const warning = (lost: Lost): string =>
  `Lost with the old secret: the credentials of ${lost.connections} connections and the signing secrets of ` +
  `${lost.webhooks} webhooks. Stop all nodes and run this again with --yes, if the secret is nowhere to be found.`

const remedy = ({ connections, webhooks }: Lost): string =>
  `Enter the credentials of ${connections} connections again (PATCH /integration-connections/{id}), and rotate the ` +
  `secrets of ${webhooks} webhooks (POST /webhooks/{id}/rotate-secret); their deliveries wait until then.`

async function countLost(database: Database): Promise<Lost> {
  const [lost] = await database.query<{ connections: number; webhooks: number }>(sql`select
    (select count(*)::int from integration_connections where sealed is not null) as connections,
    (select count(*)::int from webhook_subscriptions where revoked_at is null) as webhooks`)
  return lost ?? { connections: 0, webhooks: 0 }
}

/**
 * Webhooks keep what cannot be read, so that their deliveries wait for the new one. Connections are then without
 * credentials, which everything that uses them can tell, and stored answers that show a secret cannot be repeated.
 */
async function resetSecret(database: Database): Promise<Lost> {
  const lost = await countLost(database)
  await database.query(sql`with canary as (delete from secret_canary),
    answers as (delete from idempotency_keys where sealed)
    update integration_connections set sealed = null where sealed is not null`)
  return lost
}
