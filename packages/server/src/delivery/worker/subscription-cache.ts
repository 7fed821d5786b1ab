// Where deliveries go: the URL and the signing secrets of subscriptions, remembered by version so that they are read
// and decrypted once.

import { webhookSubscriptions } from '@parley/contract'
import { toError } from '../../database/error-code.js'
import type { Database } from '../../database/pool.js'
import { raw, sql } from '../../database/sql.js'
import type { Sealer } from '../../store/secret-box.js'
import { type SealedSecrets, signingSecrets } from '../attempt/secrets.js'

export type Destination =
  | { readonly kind: 'known'; readonly url: string; readonly secrets: readonly string[] }
  /** The subscription is there, but its sealed secrets cannot be opened: nothing can be signed. */
  | { readonly kind: 'unreadable' }
  /** There is no such subscription. */
  | { readonly kind: 'gone' }
  /** Not read yet, or forgotten meanwhile. */
  | { readonly kind: 'unknown' }

/** `version` 0 is older than any: what could not be used is read again the next time. */
type Remembered = { readonly version: number } & (
  | { readonly kind: 'known'; readonly url: string; readonly secrets: SealedSecrets }
  | { readonly kind: 'unreadable'; readonly saidAtMs: number }
  | { readonly kind: 'gone' }
)

interface Wanted {
  readonly tenantId: string
  readonly subscriptionId: string
  readonly subscriptionVersion: number
}

interface SubscriptionRow extends Record<string, unknown> {
  id: string
  version: number
  url: string
  sealed: Buffer
}

export interface Destinations {
  /** Reads what is not known yet, in one statement; undefined when all of it is known. */
  load(wanted: readonly Wanted[]): Promise<void> | undefined
  get(wanted: Wanted, now: Date): Destination
}

export interface DestinationParts {
  readonly database: Database
  readonly sealer: Sealer
  /** Told now and then for as long as it stays so. */
  readonly onUnreadable: (subscriptionId: string, error: Error) => void
  readonly rememberedMax?: number
}

const sayEveryMs = 10 * 60_000

export function createDestinations({
  database,
  sealer,
  onUnreadable,
  rememberedMax = 10_000,
}: DestinationParts): Destinations {
  const known = new Map<string, Remembered>()

  function opened({ id, version, url, sealed }: SubscriptionRow): Remembered {
    try {
      return { kind: 'known', version, url, secrets: JSON.parse(sealer.open(sealed)) }
    } catch (error) {
      const before = known.get(id)
      if (before?.kind === 'unreadable' && performance.now() - before.saidAtMs < sayEveryMs) return before
      onUnreadable(id, toError(error))
      return { kind: 'unreadable', version: 0, saidAtMs: performance.now() }
    }
  }

  /** What was asked for last comes last, and is the last to be forgotten; what is asked for now stays in any case. */
  function remember(id: string, remembered: Remembered): void {
    known.delete(id)
    known.set(id, remembered)
  }

  function forgetOldest(wanted: ReadonlySet<string>): void {
    for (const id of known.keys()) {
      if (known.size <= rememberedMax) return
      if (!wanted.has(id)) known.delete(id)
    }
  }

  async function read(asked: readonly Wanted[], wanted: ReadonlySet<string>): Promise<void> {
    const rows = await database.query<SubscriptionRow>(
      sql`select s.id, s.version, s.record ->> 'url' as url, s.sealed from ${raw(webhookSubscriptions.table)} s
        join unnest(
          ${asked.map(({ tenantId }) => tenantId)}::uuid[], ${asked.map(({ subscriptionId }) => subscriptionId)}::uuid[]
        ) as w (tenant_id, id)
          on s.tenant_id = w.tenant_id and s.id = w.id`,
      { prepared: true },
    )
    const found = new Map(rows.map((row) => [row.id, row]))
    const missing = new Set(asked.map(({ subscriptionId }) => subscriptionId))
    for (const id of wanted) {
      const row = found.get(id)
      const remembered = row ? opened(row) : missing.has(id) ? ({ kind: 'gone', version: 0 } as const) : known.get(id)
      if (remembered) remember(id, remembered)
    }
    forgetOldest(wanted)
  }

  return {
    load(wanted) {
      const isMissing = (one: Wanted) => (known.get(one.subscriptionId)?.version ?? 0) < one.subscriptionVersion
      const missing = new Map(wanted.filter(isMissing).map((one) => [one.subscriptionId, one]))
      if (missing.size === 0) return undefined
      return read([...missing.values()], new Set(wanted.map(({ subscriptionId }) => subscriptionId)))
    },
    get({ subscriptionId }, now) {
      const found = known.get(subscriptionId)
      if (found?.kind !== 'known') return { kind: found?.kind ?? 'unknown' }
      return { kind: 'known', url: found.url, secrets: signingSecrets(found.secrets, now) }
    },
  }
}
