// Where deliveries go: the URL and the signing secrets of subscriptions, remembered by version so that they are read and decrypted once.
import { webhookSubscriptions } from '@parley/contract'
import type { Database } from '../database/pool.js'
import { raw, sql } from '../database/sql.js'
import type { Sealer } from '../store/seal.js'
import { type SealedSecrets, signingSecrets } from './secrets.js'

export interface Destination {
  readonly version: number
  readonly url: string
  readonly secrets: SealedSecrets
}

interface Wanted {
  readonly tenantId: string
  readonly subscriptionId: string
  readonly subscriptionVersion: number
}

export interface Destinations {
  /** Reads what is not known yet, in one statement. */
  load(wanted: readonly Wanted[]): Promise<void>
  /** Undefined when the subscription is no longer there. */
  get(wanted: Wanted, now: Date): { url: string; secrets: readonly string[] } | undefined
}

const rememberedMax = 10_000

export function createDestinations(database: Database, sealer: Sealer): Destinations {
  const known = new Map<string, Destination>()
  return {
    async load(wanted) {
      const missing = new Map(
        wanted.filter((one) => (known.get(one.subscriptionId)?.version ?? 0) < one.subscriptionVersion).map((one) => [one.subscriptionId, one]),
      )
      if (missing.size === 0) return
      const asked = [...missing.values()]
      const rows = await database.query<{ id: string; version: number; url: string; sealed: Buffer }>(
        sql`select s.id, s.version, s.record ->> 'url' as url, s.sealed from ${raw(webhookSubscriptions.table)} s
          join unnest(${asked.map(({ tenantId }) => tenantId)}::uuid[], ${asked.map(({ subscriptionId }) => subscriptionId)}::uuid[]) as w (tenant_id, id)
            on s.tenant_id = w.tenant_id and s.id = w.id`,
        { prepared: true },
      )
      if (known.size > rememberedMax) known.clear()
      for (const { id, version, url, sealed } of rows) known.set(id, { version, url, secrets: JSON.parse(sealer.open(sealed)) as SealedSecrets })
    },
    get({ subscriptionId }, now) {
      const found = known.get(subscriptionId)
      return found && { url: found.url, secrets: signingSecrets(found.secrets, now) }
    },
  }
}
