// A shard: a named PostgreSQL server on which whole organizations live. `main` is the one of DATABASE_URL, which is the
// directory too; the others are those of DATABASE_SHARDS. Where there is one server, it is `main`.
import type { Database } from '../database/pool.js'

export interface Shard {
  readonly name: string
  readonly database: Database
  /** Settles when its tables are there: a server that is away when the node starts is prepared when it is back. */
  readonly prepared: Promise<void>
}

export interface Shards {
  readonly main: Shard
  readonly all: readonly Shard[]
  /** Undefined is `main`, which those who know one server only never name. */
  named(name: string | undefined): Shard
}

export const MAIN = 'main'

export function shardsOf(database: Database, others: readonly Shard[] = []): Shards {
  const main = { name: MAIN, database, prepared: Promise.resolve() }
  const all = [main, ...others]
  const byName = new Map(all.map((shard) => [shard.name, shard]))
  return {
    main,
    all,
    named(name) {
      const found = name === undefined ? main : byName.get(name)
      if (found === undefined) throw new Error(`DATABASE_SHARDS does not name ${name}, where an organization lives`)
      return found
    },
  }
}
