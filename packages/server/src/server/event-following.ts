// Brings the events of the other servers to that of DATABASE_URL while anybody may follow all organizations. Every node
// that works looks for news; whoever finds some first brings it.
import type { Registry } from 'prom-client'
import { sql } from '../database/sql.js'
import { fanOutBrought } from '../delivery/queue/fan-out.js'
import { type BackgroundJob, createBackgroundJobs } from '../maintenance/background-jobs.js'
import { type Unwatch, watch } from '../queue/due-watch.js'
import { behindSeconds, findFollowers, findNews, followOn } from '../shards/follow-events.js'
import type { Shard, Shards } from '../shards/shards.js'
import type { Position } from '../store/event-log.js'
import { gauge, kept } from './gauges.js'

export interface EventFollowing {
  start(): void
  stop(): Promise<void>
}

/** Whether events are to be brought at all, by the last answer of the server that they go to. */
interface Demand {
  isThere: boolean
}

export interface EventFollowingParts {
  readonly shards: Shards
  readonly registryOf: (shard: Shard) => Registry
  readonly onTrouble: (error: Error) => void
}

export function createEventFollowing({ shards, registryOf, onTrouble }: EventFollowingParts): EventFollowing {
  const { main, all } = shards
  for (const source of all.slice(1)) addGauge(registryOf(source), source, main)
  const demand: Demand = { isThere: false }
  const following = all.slice(1).map((source) => ({
    prepared: source.prepared,
    jobs: createBackgroundJobs([bringing(source, main, demand)], onTrouble),
  }))
  let unwatch: Unwatch | undefined
  let isStopped = false
  return {
    start() {
      const hear = (isFollowed: boolean) => {
        demand.isThere = isFollowed
      }
      unwatch = watch(main.database, { ask: () => sql`select exists (${findFollowers})`, hear, onTrouble })
      for (const { prepared, jobs } of following) void prepared.then(() => isStopped || jobs.start())
    },
    async stop() {
      isStopped = true
      await unwatch?.()
      await Promise.all(following.map(({ jobs }) => jobs.stop()))
    },
  }
}

function addGauge(registry: Registry, source: Shard, directory: Shard): void {
  const behind = kept(() => behindSeconds({ source, directory }))
  gauge(
    registry,
    'parley_platform_events_age_seconds',
    'How long the oldest event has waited to reach the platform',
    behind,
  )
}

function bringing(source: Shard, directory: Shard, demand: Demand): BackgroundJob {
  let known: Position = { xact: 0, id: '' }
  return {
    name: `events of ${source.name}`,
    database: source.database,
    findDue: () => sql`select where ${demand.isThere}::boolean and exists (${findNews(known)})`,
    async run() {
      if (!demand.isThere) return false
      try {
        const { reached, isAll } = await followOn({ source, directory, fanOut: fanOutBrought })
        known = reached
        return !isAll
      } catch (error) {
        // It is tried again when the directory answers, and not at each look until then.
        demand.isThere = false
        throw error
      }
    },
  }
}
