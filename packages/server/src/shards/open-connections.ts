// A move over connections that are open already: while an organization is closed, nobody waits for a new one.
import type pg from 'pg'
import type { Database } from '../database/pool.js'
import type { Move } from './moving.js'
import type { Shard } from './shards.js'

/** Within `use`, `withClient` of each server is given the same connection, one after the other. */
export function overOpenConnections<T>(move: Move, use: (move: Move) => Promise<T>): Promise<T> {
  const opened = new Map<Shard, Shard>()
  const openNext = ([shard, ...others]: readonly Shard[]): Promise<T> => {
    const known = (one: Shard) => opened.get(one) ?? one
    if (shard === undefined)
      return use({
        ...move,
        source: known(move.source),
        target: known(move.target),
        directory: known(move.directory),
      })
    return shard.database.withClient((client) => {
      opened.set(shard, { ...shard, database: { ...shard.database, withClient: oneAtATime(client) } })
      return openNext(others)
    })
  }
  return openNext([...new Set([move.source, move.target, move.directory])])
}

function oneAtATime(client: pg.ClientBase): Database['withClient'] {
  let last: Promise<unknown> = Promise.resolve()
  return (use) => {
    const mine = last.then(() => use(client))
    // A transaction that failed must not be that of the next.
    last = mine.catch(() => client.query('rollback').catch(() => undefined))
    return mine
  }
}
