// What a restore asks for and what it tells in the end, whichever way it goes.
import type { LivingKey } from '../backup/after-restore.js'
import type { Restored } from '../backup/restore-backup.js'
import type { Config } from '../config/config.js'
import { StartupError } from '../database/startup-error.js'
import { attachEmbedded } from '../embedded-postgres/embedded.js'
import { dash, type Printing, table } from './operator-database.js'

export interface RestoreFlags extends Printing {
  readonly force?: boolean
  readonly revokeKeys?: boolean
  readonly check?: boolean
  readonly at?: string
}

/** The embedded database belongs to the server that runs on it. */
export async function requireStopped({ databaseUrl, dataDir }: Config): Promise<void> {
  if (databaseUrl === undefined && (await attachEmbedded(dataDir)))
    throw new StartupError(`A server runs on ${dataDir}. Stop it first.`)
}

export function restoredText(name: string, restored: Omit<Restored, 'rows'> & { rows?: number }): string {
  const { rows, recordings, sessions, links, keys, keysRevoked } = restored
  return [
    `Restored ${name}${rows === undefined ? '' : `: ${rows} rows`}, ${recordings} recordings. ` +
      `Ended ${sessions} sessions and ${links} links.`,
    keysRevoked > 0 ? `Revoked ${keysRevoked} keys:` : `${keys.length} keys are alive; revoke what was revoked since:`,
    table(keyHead, keys.map(keyRow)),
    'Webhooks and texts are held. See how many would be sent: parley-server resume --dry-run',
  ].join('\n')
}

const keyHead = ['ID', 'KEY', 'SCOPE', 'LAST USED', 'ORGANIZATION', 'ENVIRONMENT', 'NAME']
const keyRow = (key: LivingKey): string[] => [
  key.id,
  key.key,
  key.scope,
  dash(key.lastUsedAt),
  key.organization,
  key.environment,
  key.name,
]
