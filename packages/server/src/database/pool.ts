// The connections to Postgres: a few pipelined ones for short reads by key, a pool for everything else.
// It knows the driver and its failures, nothing of the product.
import { createHash } from 'node:crypto'
import pg from 'pg'
import { coalescing } from './coalesce.js'
import { Connector, READ_ONLY } from './connector.js'
import { errorCode } from './error-code.js'
import type { SessionKind } from './hosts.js'
import { type Lane, openLane, quietest } from './lane.js'
import { compile, type Sql } from './sql.js'
import { runTransaction } from './transaction.js'

export type Row = Record<string, unknown>

export interface Database {
  /** A short read that an index answers. Many share one connection, so nothing slow may go this way. */
  read<T extends unknown[]>(statement: Sql): Promise<T[]>
  /** Asks once what several callers ask at the same time (`coalesce.ts`). None gets an older answer than alone. */
  coalesce<T>(question: string, ask: () => Promise<T>): Promise<T>
  /** Any statement, on a connection of its own. A statement seen before is not planned again when `prepared`. */
  query<T extends Row>(statement: Sql, options?: { prepared?: boolean }): Promise<T[]>
  /**
   * A short transaction on one connection: all that goes through `inside` is part of it. `opening` are statements from
   * code that go along with the `begin`, such as the locks to wait for; `opened` are their rows.
   */
  transaction<T>(opening: string, use: (inside: Database, opened: readonly Row[]) => Promise<T>): Promise<T>
  /** Its statements become true with others, or not at all. */
  readonly isTransaction?: true
  /**
   * A connection of its own for a conversation of several statements, such as a migration. It may take as long as it
   * needs.
   */
  withClient<T>(use: (client: pg.ClientBase) => Promise<T>): Promise<T>
  /** How things stand, for the operator. */
  stats(): PoolStats
  close(): Promise<void>
}

export interface PoolStats {
  readonly connectionsMax: number
  readonly busy: number
  readonly idle: number
  /** Statements that wait for a connection. */
  readonly waiting: number
  readonly readsInFlight: number
  /** How many statements each open connection has prepared. */
  readonly preparedStatements: { readonly pool: readonly number[]; readonly lane: readonly number[] }
}

export interface PoolOptions {
  /** With several hosts, the first that is what it should be is used. */
  url: string
  /** What a server must be where the URL does not say: one that can be written to, unless said otherwise. */
  kind?: SessionKind
  connections: number
  statementTimeoutMs: number
  onError?: (error: Error) => void
}

const LANES = 3

const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8
      ? Number
      : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

export function openDatabase(options: PoolOptions): Database {
  let isClosed = false
  // A connection that breaks while it is being closed is no news.
  const onError = (error: Error) => {
    if (!isClosed) options.onError?.(error)
  }
  const connector = new Connector({ kind: 'read-write', ...options })
  const connections = openConnections(connector, options.connections, onError)
  const laneParts = { connector, types, isLost: isConnectionLoss, onError }
  const lanes = Array.from({ length: LANES }, () => openLane(laneParts))
  const withConnection: Connections['use'] = (use) =>
    connections.use(use).catch((error: unknown) => {
      // Who was the primary is none any more; what the lanes read there may be old.
      if (errorCode(error) === READ_ONLY) for (const lane of lanes) lane.reopen()
      throw error
    })
  const database: Database = {
    coalesce: coalescing(),
    async read<T extends unknown[]>(statement: Sql) {
      const config = { ...prepared(statement), rowMode: 'array' as const }
      try {
        return await quietest(lanes).run<T>(config)
      } catch (error) {
        if (!isConnectionLoss(error)) throw error
        // A read has no effect, so one that lost its connection is simply asked again.
        return quietest(lanes).run<T>(config)
      }
    },
    async query<T extends Row>(statement: Sql, { prepared: keep = false } = {}) {
      const config = keep ? prepared(statement) : compile(statement)
      return (await withConnection((client) => client.query<T>(config))).rows
    },
    transaction: (opening, use) =>
      withConnection((client) =>
        runTransaction({ client, outside: database, prepared, isLoss: isConnectionLoss }, opening, use),
      ),
    withClient: (use) => converse(connector, onError, use),
    stats: () => statsOf(connections, lanes, options.connections),
    async close() {
      isClosed = true
      await Promise.all([connections.pool.end(), ...lanes.map((lane) => lane.close())])
    },
  }
  return database
}

interface Connections {
  readonly pool: pg.Pool
  readonly clients: ReadonlySet<pg.ClientBase>
  use<T>(use: (client: pg.PoolClient) => Promise<T>): Promise<T>
}

function openConnections(connector: Connector, max: number, onError: (error: Error) => void): Connections {
  class Client extends pg.Client {
    constructor() {
      super({ ...connector.settings(), types })
    }
  }
  const { connectionTimeoutMillis } = connector.settings()
  const pool = new pg.Pool({ Client, max, connectionTimeoutMillis, idleTimeoutMillis: 60_000, verify })
  function verify(client: pg.ClientBase, done: (error?: Error) => void): void {
    connector.verify(client).then(() => done(), done)
  }
  pool.on('error', onError)
  const clients = new Set<pg.ClientBase>()
  pool.on('connect', (client) => {
    clients.add(client)
    // One that breaks while it is used fails the statement that uses it; that is enough.
    client.on('error', () => undefined)
  })
  pool.on('remove', (client) => clients.delete(client))
  return {
    pool,
    clients,
    /** A connection whose statement was refused is as good as before, with all that it has prepared. */
    async use(use) {
      const client = await connector.connected(() => pool.connect(), isConnectionLoss)
      let isSpent = false
      try {
        return await use(client)
      } catch (error) {
        isSpent = isUnanswered(error)
        if (errorCode(error) === READ_ONLY) connector.leave()
        throw error
      } finally {
        client.release(isSpent || client.getTransactionStatus() !== 'I')
      }
    },
  }
}

async function converse<T>(
  connector: Connector,
  onError: (error: Error) => void,
  use: (client: pg.ClientBase) => Promise<T>,
): Promise<T> {
  const client = await connector.connected(async () => {
    const one = new pg.Client({ ...connector.patientSettings(), types })
    one.on('error', onError)
    try {
      await one.connect()
      await connector.verify(one)
      return one
    } catch (error) {
      await one.end().catch(() => undefined)
      throw error
    }
  }, isConnectionLoss)
  try {
    return await use(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

function statsOf({ pool, clients }: Connections, lanes: readonly Lane[], connectionsMax: number): PoolStats {
  const preparedStatements = {
    pool: [...clients].map(preparedBy),
    lane: lanes.flatMap(({ client }) => (client ? [preparedBy(client)] : [])),
  }
  return {
    connectionsMax,
    busy: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
    readsInFlight: lanes.reduce((sum, { inFlight }) => sum + inFlight, 0),
    preparedStatements,
  }
}

/** The driver keeps the texts that a connection has prepared, by name. */
function preparedBy(client: pg.ClientBase): number {
  const { connection } = client as { connection?: { parsedStatements?: object } }
  return Object.keys(connection?.parsedStatements ?? {}).length
}

const names = new Map<string, string>()

/** The same text always gets the same statement name, so each connection parses and plans it once. */
function prepared(statement: Sql): { name: string; text: string; values: unknown[] } {
  const { text, values } = compile(statement)
  let name = names.get(text)
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 32)
    names.set(text, name)
  }
  return { name, text, values }
}

/**
 * Of the network, and of a Postgres that is starting, stopping, full of connections, or only a standby for now, or that
 * has ended a transaction in which its node stood still.
 */
const lossCodes = new Set([
  ...'ECONNREFUSED ECONNRESET EPIPE ENOENT ETIMEDOUT ENOTFOUND EAI_AGAIN'.split(' '),
  ...'EHOSTUNREACH ENETUNREACH EHOSTDOWN ENETDOWN'.split(' '),
  ...'57P01 57P02 57P03 53300 25006 25P03 08000 08001 08003 08004 08006'.split(' '),
])
const lossWords = /connection terminated|not queryable|connection timeout|timeout expired|timeout exceeded when trying/i

/** Whether Postgres is away or the connection to it broke, as opposed to Postgres having said no. */
export function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  return (typeof code === 'string' && lossCodes.has(code)) || lossWords.test(error.message)
}

/** Whether the disk of the database has no room left. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === '53100'
}

/** Whether nobody knows what becomes of the statement, so that its connection is of no more use. */
export function isUnanswered(error: unknown): boolean {
  return isConnectionLoss(error) || (isTimeout(error) && !(error instanceof pg.DatabaseError))
}

/** Whether a statement took longer than it may. */
export function isTimeout(error: unknown): boolean {
  return (
    error instanceof Error && ((error as { code?: unknown }).code === '57014' || error.message === 'Query read timeout')
  )
}
