// What this node remembers of API keys, so that most requests need no look-up. A change makes it doubt the keys that
// are concerned and no others; without word from the database it trusts nothing.
import type { AuthenticatedCaller } from './authenticate.js'

/** What changed: a key, or with null anything that holds for all keys of the organization. */
export interface AuthChange {
  readonly organizationId: string
  readonly keyId: string | null
}

type Holder = Pick<AuthenticatedCaller, 'organizationId' | 'actor'>
export type IsConcerned = (holder: Holder) => boolean

export const concerns = ({ organizationId, keyId }: AuthChange, holder: Holder): boolean =>
  holder.organizationId === organizationId && (keyId === null || holder.actor.id === keyId)

export interface KeyMemory {
  /** The holder of a key, by its hash, while that is sure. */
  recall(hash: string): AuthenticatedCaller | undefined
  /** Whether the hash has been a good key here, or was just minted: to look it up again is no guess. */
  isFamiliar(hash: string): boolean
  /** Where the memory stands, for a look-up that begins. */
  mark(): number
  /** Remembers what a look-up found. One that was overtaken by a change is good for its request and for no other. */
  keep(hash: string, holder: AuthenticatedCaller, seenRevision: number, mark: number): void
  /** Forgets a hash that is no good key any more. */
  drop(hash: string): void
  /** A key that was just minted and has not been used. */
  expect(hash: string): void
  /** Doubts what changed on this node, before the database tells. */
  doubt(change: AuthChange): void
  readonly revision: number
  /** Whether word from the database is so young that what is remembered may be trusted. */
  isCurrent(): boolean
  /**
   * Hears the revision of all keys and organizations, and the steps to it from the one heard before. Returns whom that
   * concerns.
   */
  hear(current: number, changes: readonly AuthChange[], askedAtMs: number): IsConcerned | undefined
}

/** Without word from the database for this long, nothing remembered is trusted. */
const TRUST_MS = 1_000
const REMEMBERED_MAX = 100_000
const EXPECTED_MAX = 1_000

export function createKeyMemory(): KeyMemory {
  const entries = new Map<string, { readonly holder: AuthenticatedCaller; isSure: boolean }>()
  const expected = new Set<string>()
  let revision = -1
  let heardAtMs = 0
  let doubts = 0
  const doubtEach = (isChanged: IsConcerned) => {
    doubts++
    for (const entry of entries.values()) if (isChanged(entry.holder)) entry.isSure = false
  }
  const isCurrent = () => Date.now() - heardAtMs < TRUST_MS
  return {
    isCurrent,
    recall(hash) {
      const entry = isCurrent() ? entries.get(hash) : undefined
      return entry?.isSure ? entry.holder : undefined
    },
    isFamiliar: (hash) => entries.has(hash) || expected.has(hash),
    mark: () => doubts,
    keep(hash, holder, seenRevision, mark) {
      expected.delete(hash)
      const isSure = seenRevision >= revision && mark === doubts
      if (!entries.has(hash) && entries.size >= REMEMBERED_MAX) dropOldest(entries)
      entries.set(hash, { holder, isSure })
    },
    drop: (hash) => void entries.delete(hash),
    expect(hash) {
      if (expected.size >= EXPECTED_MAX) dropOldest(expected)
      expected.add(hash)
    },
    doubt: (change) => doubtEach((holder) => concerns(change, holder)),
    get revision() {
      return revision
    },
    hear(current, changes, askedAtMs) {
      const hasMissedSome = changes.length !== current - revision
      const isChanged = (holder: Holder) => hasMissedSome || changes.some((change) => concerns(change, holder))
      const hasMoved = current !== revision
      if (hasMoved) doubtEach(isChanged)
      revision = current
      heardAtMs = askedAtMs
      return hasMoved ? isChanged : undefined
    },
  }
}

function dropOldest(kept: Map<string, unknown> | Set<string>): void {
  for (const oldest of kept.keys()) return void kept.delete(oldest)
}
