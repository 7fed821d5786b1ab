// For requests that name something by its id or secret and no organization: asks every server, and goes on with the one
// that knows it. What belongs to an organization is on one server, so at most one does.
import type { Database } from '../database/pool.js'
import type { Sql } from '../database/sql.js'
import type { Shard, Shards } from './shards.js'

export interface AnyShard {
  readonly database: Database
  /** The server that had an answer. */
  found(): Shard
}

export function anyShard(shards: Shards): AnyShard {
  let found: Shard | undefined
  const ask = async <T>(question: (database: Database) => Promise<T[]>): Promise<T[]> => {
    if (found) return question(found.database)
    const answers = await Promise.allSettled(shards.all.map(({ database }) => question(database)))
    for (const [index, answer] of answers.entries()) {
      if (answer.status === 'rejected' || answer.value.length === 0) continue
      found = shards.all[index]
      return answer.value
    }
    // Who does not answer may have it.
    const failed = answers.find((answer) => answer.status === 'rejected')
    if (failed) throw failed.reason
    return []
  }
  return {
    database: {
      ...shards.main.database,
      read: <T extends unknown[]>(statement: Sql) => ask((database) => database.read<T>(statement)),
      query: (statement, options) => ask((database) => database.query(statement, options)),
    },
    found: () => found ?? shards.main,
  }
}
