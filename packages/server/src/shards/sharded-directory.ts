// Who is asking, where organizations live on several servers: the directory says which server has the key, that server
// says whose it is, and both are remembered. A node that has heard of a key asks the directory no more: while that is
// away, what it knows goes on, and a revocation counts as soon as ever, because each server tells of its own keys.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../database/pool.js'
import { sql } from '../database/sql.js'
import { type AuthenticatedCaller, createDirectory, type Directory, KEY_MINTED } from '../http/gate/authenticate.js'
import type { IsConcerned } from '../http/gate/key-memory.js'
import type { UserSessions } from '../http/gate/user-sessions.js'
import { BeingMoved } from '../store/api-error.js'
import type { Announcement } from '../store/change.js'
import { homeOf, homeOfKey, isStillAt, searchKey } from './homes.js'
import type { Shard, Shards } from './shards.js'

export interface ShardedDirectory extends Directory, WatchingHomes {
  /** As `onAnnouncements`, of a commit on that server. */
  heardAt(shard: Shard, announcements: readonly Announcement[]): void
}

/** Where organizations live, for requests that take their time. */
export interface WatchingHomes {
  /** The server that an organization lives on. Waits while it is between two. */
  homeOf(organizationId: string): Promise<string>
  /**
   * Begins before something is read on a server. What comes back tells afterwards whether the organization lives there
   * still. Nobody is asked unless keys or organizations of that server changed meanwhile, as they do when one moves.
   */
  watchHome(organizationId: string, shard: string): () => true | Promise<boolean>
}

export interface ShardedDirectoryOptions {
  readonly shards: Shards
  readonly onTrouble: (error: Error) => void
  readonly onChange: (isConcerned: IsConcerned) => void
}

const HOMES_MAX = 100_000
const PAUSE_MS = 20
/** Longer than a move keeps an organization closed. */
const PATIENCE_MS = 5_000

export function createShardedDirectory({ shards, onTrouble, onChange }: ShardedDirectoryOptions): ShardedDirectory {
  const main = shards.main.database
  const homes = new Map<string, Part>()
  const parts = new Map(shards.all.map((shard) => [shard.name, createPart(shard, onTrouble, onChange)]))
  const partOf = (name: string): Part => {
    const part = parts.get(shards.named(name).name)
    if (part === undefined) throw new Error(`There is no server ${name}`)
    return part
  }
  const rememberHome = (hash: string, part: Part) => {
    if (homes.size >= HOMES_MAX) homes.clear()
    homes.set(hash, part)
  }
  /** Where a key is, by the directory, or by asking around when that knows nothing or is away. */
  const findHome = async (hash: string): Promise<Part | undefined> => {
    const told = await homeOfKey(main, hash).catch(() => undefined)
    const name = told ?? (await searchKey(shards, hash))
    return name === undefined ? undefined : partOf(name)
  }
  const openHome = async (organizationId: string): Promise<string> => {
    for (const deadline = Date.now() + PATIENCE_MS; ; await pause(deadline)) {
      const name = await homeOf(main, organizationId)
      if (!(await partOf(name).isClosed(organizationId))) return name
    }
  }
  return {
    remembered: (hash, now) => homes.get(hash)?.directory.remembered(hash, now),
    isFamiliar: (hash) => homes.get(hash)?.directory.isFamiliar(hash) ?? false,
    async byKey(hash, now) {
      const known = homes.get(hash)
      const found = known && (await known.byKey(hash, now))
      if (found) return found
      const home = await findHome(hash)
      if (home === undefined || home === known) homes.delete(hash)
      if (home === undefined) return undefined
      const moved = await home.byKey(hash, now)
      if (moved) rememberHome(hash, home)
      return moved
    },
    byOrganization: async (organizationId, environment) =>
      partOf(await openHome(organizationId)).directory.byOrganization(organizationId, environment),
    homeOf: openHome,
    watchHome: (organizationId, name) => partOf(name).watchHome(organizationId),
    onAnnouncements: (announcements) => partOf(shards.main.name).directory.onAnnouncements(announcements),
    heardAt(shard, announcements) {
      const part = partOf(shard.name)
      part.directory.onAnnouncements(announcements)
      for (const { topic, detail } of announcements)
        if (topic === KEY_MINTED && typeof detail === 'string') {
          rememberHome(detail, part)
          if (shard !== shards.main) void searchKey(shards, detail).catch(onTrouble)
        }
    },
    async start() {
      await Promise.all([...parts.values()].map(({ directory }) => directory.start()))
    },
    async stop() {
      await Promise.all([...parts.values()].map(({ directory }) => directory.stop()))
    },
  }
}

/** One server's keys, and the organizations that are about to leave it. */
interface Part {
  readonly directory: Directory
  byKey(hash: string, now: Date): Promise<AuthenticatedCaller | undefined>
  /** Whether nothing may be written for the organization, because it is being moved. */
  isClosed(organizationId: string): Promise<boolean>
  watchHome(organizationId: string): () => true | Promise<boolean>
}

function createPart(
  shard: Shard,
  onTrouble: (error: Error) => void,
  onChange: (isConcerned: IsConcerned) => void,
): Part {
  const { name, database } = shard
  let leaving: ReadonlySet<string> = new Set()
  const directory = createDirectory({
    database,
    onTrouble,
    onChange,
    shard: name,
    // Before a key is doubted for the change that tells of a move, the node knows that it must not trust it again.
    beforeHearing: async () => {
      leaving = new Set((await database.read<[string]>(sql`select organization_id from moving_organizations`)).flat())
    },
    mayRemember: (organizationId) => !leaving.has(organizationId),
  })
  const isClosed = async (organizationId: string) =>
    leaving.has(organizationId) && (await isClosedAt(database, organizationId))
  return {
    directory,
    isClosed,
    // Whoever moves an organization tells all nodes, and gives them longer to hear than they trust what they heard.
    watchHome(organizationId) {
      const before = directory.revision()
      return () => {
        const isAsBefore = before !== undefined && directory.revision() === before && !leaving.has(organizationId)
        return isAsBefore || isStillAt(shard, organizationId)
      }
    },
    /** While the organization is closed the request waits; then its key is here again, or has left with it. */
    async byKey(hash, now) {
      for (const deadline = Date.now() + PATIENCE_MS; ; await pause(deadline)) {
        const found = await directory.byKey(hash, now)
        if (found === undefined || !(await isClosed(found.organizationId))) return found
      }
    },
  }
}

async function pause(deadline: number): Promise<void> {
  if (Date.now() > deadline) throw new BeingMoved()
  await sleep(PAUSE_MS)
}

async function isClosedAt(database: Database, organizationId: string): Promise<boolean> {
  const rows = await database.read(sql`select 1 from moving_organizations where organization_id = ${organizationId}
    and (state = 'gone' or (state = 'closed' and lapses_at > clock_timestamp()))`)
  return rows.length > 0
}

/** Users and sessions are in the directory; what a member finds of the organization is where that lives. */
export const shardedUsers = (users: UserSessions, directory: Directory): UserSessions => ({
  ...users,
  async visit(value, organizationId, environment, now) {
    const visit = await users.visit(value, organizationId, environment, now)
    if (visit?.caller === undefined) return visit
    const { scope, actor, expiresAt } = visit.caller
    const tenant = await directory.byOrganization(organizationId, environment)
    return { ...visit, caller: tenant && { ...tenant, scope, actor, expiresAt, limits: {} } }
  },
})
