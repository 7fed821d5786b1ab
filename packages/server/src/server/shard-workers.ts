// Everything that works beside requests, once for each server: what one of them does, or waits for, is no affair of the
// others.
import type { Registry } from 'prom-client'
import type { Places } from '../http/places.js'
import { createBackgroundJobs } from '../maintenance/background-jobs.js'
import { anyShard } from '../shards/any-shard.js'
import { isHereOf } from '../shards/homes.js'
import type { WatchingHomes } from '../shards/sharded-directory.js'
import type { Shard, Shards } from '../shards/shards.js'
import { refreshShells } from '../shards/shells.js'
import type { Announcement } from '../store/change.js'
import { createEventFollowing } from './event-following.js'
import { createWorkers, type WorkerParts, type Workers } from './workers.js'

export interface ShardWorkers extends Workers {
  /** Undefined where there is one server. */
  readonly places: Places | undefined
}

export interface ShardWorkerParts extends Omit<WorkerParts, 'registry' | 'listeners'> {
  readonly shards: Shards
  readonly registryOf: (shard: Shard) => Registry
  /** Hears what a commit on that server announces. */
  readonly heardAt: (shard: Shard, announcements: readonly Announcement[]) => void
  /** Undefined where there is one server. */
  readonly homes: WatchingHomes | undefined
  /** Hear of every commit, wherever it is. */
  readonly heard: WorkerParts['listeners']
}

export function createShardWorkers(parts: ShardWorkerParts): ShardWorkers {
  const { shards, onTrouble, registryOf, heardAt, heard, homes, ...shared } = parts
  const create = (shard: Shard) =>
    createWorkers({
      ...shared,
      onTrouble,
      committing: { ...shared.committing, database: shard.database, isHere: isHereOf(shards, shard) },
      registry: registryOf(shard),
      listeners: [(announcements) => heardAt(shard, announcements), ...heard],
    })
  const created = new Map(shards.all.map((shard) => [shard, create(shard)]))
  const ofShard = (shard: Shard) => created.get(shard) ?? create(shard)
  const placeOf = (shard: Shard) => ({
    shard: shard.name,
    database: shard.database,
    onCommit: ofShard(shard).onCommit,
    isHere: isHereOf(shards, shard),
  })
  const upkeep =
    shards.all.length > 1 ? [upkeepOf(shards, onTrouble), createEventFollowing({ shards, registryOf, onTrouble })] : []
  let isStopped = false
  return {
    onCommit: ofShard(shards.main).onCommit,
    places: placesOf(shards, placeOf, homes),
    start() {
      for (const [shard, workers] of created) void shard.prepared.then(() => isStopped || workers.start())
      for (const one of upkeep) one.start()
    },
    async stop(drainMs) {
      isStopped = true
      await Promise.all([...created.values(), ...upkeep].map((workers) => workers.stop(drainMs)))
    },
  }
}

const UPKEEP_MS = 5_000

/** The directory hears how organizations on other servers are called. */
const upkeepOf = (shards: Shards, onTrouble: (error: Error) => void) =>
  createBackgroundJobs(
    shards.all.slice(1).map((shard) => {
      let seen = -1
      const run = async () => {
        seen = await refreshShells(shards, shard, seen)
        return false
      }
      return { name: `names of ${shard.name}`, everyMs: UPKEEP_MS, run }
    }),
    onTrouble,
  )

function placesOf(
  shards: Shards,
  placeOf: (shard: Shard) => ReturnType<Places['of']>,
  homes: WatchingHomes | undefined,
): Places | undefined {
  if (homes === undefined) return undefined
  return {
    ...homes,
    of: (name) => placeOf(shards.named(name)),
    anywhere() {
      const { database, found } = anyShard(shards)
      return { database, found: () => placeOf(found()) }
    },
  }
}
