// Where a request is served when organizations live on several servers: on that of its organization; at the directory
// what is about users; and what names no organization, where it is known.
import type { Database } from '../database/pool.js'
import type { Endpoint } from './endpoint.js'
import type { AuthenticatedCaller } from './gate/authenticate.js'
import type { Mounting } from './mount.js'

/** What is committed, and who hears of it, on one server. */
export interface Place extends Pick<Mounting, 'database' | 'onCommit' | 'isHere'> {
  /** How the server is called. */
  readonly shard: string
}

export interface Places {
  of(shard: string | undefined): Place
  /** For what names no organization: its database asks every server, and `found` is the one that knew. */
  anywhere(): { readonly database: Database; found(): Place }
  /** Where an organization lives. Waits while it is between two servers. */
  homeOf(organizationId: string): Promise<string>
  /**
   * Begins before something is read on a server; what comes back tells afterwards whether the organization lives there
   * still.
   */
  watchHome(organizationId: string, shard: string): () => true | Promise<boolean>
}

export function at(mounting: Mounting, endpoint: Endpoint, known: AuthenticatedCaller | undefined): Mounting {
  if (mounting.places === undefined || isOfPages(endpoint) || endpoint.isOfAccounts) return mounting
  return placedAt(mounting, known ? mounting.places.of(known.shard) : mounting.places.anywhere())
}

/** Standbys are those of one server. */
export function placedAt<M extends Mounting, P extends Pick<Place, 'database'>>(mounting: M, place: P): M & P {
  const standbyReads = place.database === mounting.database ? mounting.standbyReads : undefined
  return { ...mounting, standbyReads, ...place }
}

/** Where the request turned out to belong, when nothing in it said so at first. */
export const found = (mounting: Mounting & { readonly found?: () => Place }): Mounting =>
  mounting.found ? { ...mounting, ...mounting.found() } : mounting

export const isOfPages = ({ isForPages, scope }: Endpoint): boolean => isForPages === true || scope === 'user'
