// What is kept of each request when it is over, on the server of its organization: a line in the request log, and what
// it adds to usage.
import type { Config } from '../config/config.js'
import type { FinishedRequest } from '../http/finished-requests.js'
import { createRequestCounter } from '../platform/count-requests.js'
import { createRequestWriter } from '../resources/request-log/write-requests.js'
import { isHereOf } from '../shards/homes.js'
import type { Shard, Shards } from '../shards/shards.js'
import { PLATFORM_ID } from '../store/caller.js'

export interface RecordingRequests {
  readonly config: Config
  readonly shards: Shards
  readonly clock: () => Date
  readonly onDropped: (reason: string, requests: number) => void
  readonly onTrouble: (error: Error) => void
}

export interface RequestRecorder {
  add(request: FinishedRequest): void
  start(): void
  /** Writes what is left. */
  stop(): Promise<void>
}

export function createRequestRecorder({ config, shards, onDropped, ...parts }: RecordingRequests): RequestRecorder {
  const create = (shard: Shard) => {
    const writing = { ...parts, database: shard.database, isHere: isHereOf(shards, shard)?.tenant }
    return {
      requestLog: createRequestWriter({ ...writing, rate: config.requestLogRate, onDropped }),
      usage: createRequestCounter({ ...writing, flushMs: config.usageFlushMs }),
    }
  }
  const created = new Map(shards.all.map((shard) => [shard.name, create(shard)]))
  return {
    add(request) {
      // What the platform did is kept in the directory, whichever server it was done on.
      const shard = request.tenantId === PLATFORM_ID ? shards.main : shards.named(request.shard)
      const one = created.get(shard.name)
      one?.requestLog.add(request)
      one?.usage.add(request)
    },
    start() {
      for (const { usage } of created.values()) usage.start()
    },
    async stop() {
      for (const { requestLog, usage } of created.values()) {
        await requestLog.stop()
        await usage.stop()
      }
    },
  }
}
