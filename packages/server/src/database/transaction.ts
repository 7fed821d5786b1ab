// A short transaction on one connection, in the shape of a Database, so that whatever reads and writes through a
// Database can do so inside. Its statements follow one another, whoever sends them.
import type pg from 'pg'
import type { Database, Row } from './pool.js'
import { compile, type Sql, type Statement } from './sql.js'

interface Named extends Statement {
  readonly name: string
}

export interface TransactionParts {
  readonly client: pg.ClientBase
  readonly outside: Database
  /** The statement under its name, for what recurs. */
  readonly prepared: (statement: Sql) => Named
}

/** It is not waited for behind a statement that gets no answer. */
const rollback = { text: 'rollback', query_timeout: 1_000 }

/** `opening` is sent with the `begin`, in the same trip; it comes from code and holds no values of requests. */
export async function runTransaction<T>(
  { client, outside, prepared }: TransactionParts,
  opening: string,
  use: (inside: Database) => Promise<T>,
): Promise<T> {
  let last: Promise<unknown> = client.query(`begin; ${opening}`)
  const inTurn = <R>(ask: () => Promise<R>): Promise<R> => {
    const answer = last.then(ask)
    last = answer.catch(() => undefined)
    return answer
  }
  const inside: Database = {
    ...outside,
    isTransaction: true,
    coalesce: (_, ask) => ask(),
    read: <R extends unknown[]>(statement: Sql) =>
      inTurn(async () => (await client.query<R>({ ...prepared(statement), rowMode: 'array' })).rows),
    query: <R extends Row>(statement: Sql, { prepared: keep = false } = {}) =>
      inTurn(async () => (await client.query<R>(keep ? prepared(statement) : compile(statement))).rows),
    transaction: (_, further) => further(inside),
  }
  try {
    await last
    const result = await use(inside)
    await inTurn(() => client.query('commit'))
    return result
  } catch (error) {
    // The owner throws away a connection that could not roll back.
    await inTurn(() => client.query(rollback)).catch(() => undefined)
    throw error
  }
}
