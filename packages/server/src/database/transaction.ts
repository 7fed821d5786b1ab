// A short transaction on one connection, in the shape of a Database, so that whatever reads and writes through a
// Database can do so inside. Its statements follow one another, whoever sends them.
import type pg from 'pg'
import { errorCode } from './error-code.js'
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
  /** Whether the connection is gone. */
  readonly isLoss: (error: unknown) => boolean
}

/** The connection is gone and nothing was committed, so all of it may be done again. */
export class LostTransaction extends Error {
  readonly code: string | undefined

  constructor(cause: unknown) {
    super('Connection terminated before the transaction was committed', { cause })
    this.code = errorCode(cause)
  }
}

/** It is not waited for behind a statement that gets no answer. */
const rollback = { text: 'rollback', query_timeout: 1_000 }

/**
 * `opening` is sent with the `begin`, in the same trip; it comes from code and holds no values of requests. What its
 * statements returned is told.
 */
export async function runTransaction<T>(
  { client, outside, prepared, isLoss }: TransactionParts,
  opening: string,
  use: (inside: Database, opened: readonly Row[]) => Promise<T>,
): Promise<T> {
  const begun = client.query<Row>(`begin; ${opening}`)
  let last: Promise<unknown> = begun
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
    transaction: (_, further) => further(inside, []),
  }
  let isCommitting = false
  try {
    // Of several statements the driver returns a list.
    const opened = [await begun].flat().flatMap(({ rows }) => rows)
    const result = await use(inside, opened)
    await inTurn(() => {
      isCommitting = true
      return client.query('commit')
    })
    return result
  } catch (error) {
    // The owner throws away a connection that could not roll back.
    await inTurn(() => client.query(rollback)).catch(() => undefined)
    throw isLoss(error) && !isCommitting ? new LostTransaction(error) : error
  }
}
