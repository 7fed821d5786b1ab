// The connections to Postgres: a few pipelined ones for short reads by key, a pool for everything else.
// It knows the driver and its failures, nothing of the product.
import { createHash } from 'node:crypto'
import pg from 'pg'
import { compile, type Sql } from './sql.js'

export type Row = Record<string, unknown>

export interface Database {
  /** A short read that an index answers. Many share one connection, so nothing slow may go this way. */
  read<T extends unknown[]>(statement: Sql): Promise<T[]>
  /**
   * Asks once what several callers ask in the same turn of the event loop. It is asked after all of them came, so none
   * gets an older answer than alone.
   */
  coalesce<T>(question: string, ask: () => Promise<T>): Promise<T>
  /** Any statement, on a connection of its own. A statement seen before is not planned again when `prepared`. */
  query<T extends Row>(statement: Sql, options?: { prepared?: boolean }): Promise<T[]>
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
  url: string
  connections: number
  statementTimeoutMs: number
  onError?: (error: Error) => void
}

const LANES = 3
const CONNECT_TIMEOUT_MS = 5_000
/** A little over the server's own limit, so that Postgres is the one to give up first. */
const ANSWER_GRACE_MS = 3_000

const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8
      ? Number
      : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

export function openDatabase(options: PoolOptions): Database {
  const settings: pg.ClientConfig = {
    connectionString: options.url,
    statement_timeout: options.statementTimeoutMs,
    query_timeout: options.statementTimeoutMs + ANSWER_GRACE_MS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'parley',
    // Our statements are short; compiling one takes longer than running it.
    options: '-c jit=off',
    keepAlive: true,
    types,
  }
  let isClosed = false
  // A connection that breaks while it is being closed is no news.
  const onError = (error: Error) => {
    if (!isClosed) options.onError?.(error)
  }
  const pool = new pg.Pool({ ...settings, max: options.connections, idleTimeoutMillis: 60_000 })
  pool.on('error', onError)
  const clients = new Set<pg.ClientBase>()
  pool.on('connect', (client) => clients.add(client))
  pool.on('remove', (client) => clients.delete(client))
  const lanes = Array.from({ length: LANES }, () => openLane(settings, onError))

  const questions = new Map<string, Promise<unknown>>()

  return {
    coalesce<T>(question: string, ask: () => Promise<T>) {
      const known = questions.get(question) as Promise<T> | undefined
      if (known !== undefined) return known
      const answer = new Promise<T>((resolve) =>
        setImmediate(() => {
          questions.delete(question)
          resolve(ask())
        }),
      )
      questions.set(question, answer)
      return answer
    },
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
      return (await pool.query<T>(config)).rows
    },
    async withClient(use) {
      const client = new pg.Client({ ...settings, statement_timeout: 0, query_timeout: 0 })
      client.on('error', onError)
      await client.connect()
      try {
        return await use(client)
      } finally {
        await client.end().catch(() => undefined)
      }
    },
    stats: () => statsOf(pool, clients, lanes, options.connections),
    async close() {
      isClosed = true
      await Promise.all([pool.end(), ...lanes.map((lane) => lane.close())])
    },
  }
}

function statsOf(
  pool: pg.Pool,
  clients: ReadonlySet<pg.ClientBase>,
  lanes: readonly Lane[],
  connectionsMax: number,
): PoolStats {
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

interface Lane {
  readonly inFlight: number
  /** While it is open. */
  readonly client: pg.Client | undefined
  run<T extends unknown[]>(config: pg.QueryArrayConfig): Promise<T[]>
  close(): Promise<void>
}

/** One pipelined connection, opened on first use and again after a loss. */
function openLane(settings: pg.ClientConfig, onError: (error: Error) => void): Lane {
  let opening: Promise<pg.Client> | undefined
  const lane = {
    inFlight: 0,
    client: undefined as pg.Client | undefined,
    async run<T extends unknown[]>(config: pg.QueryArrayConfig) {
      lane.inFlight++
      try {
        const client = await (opening ??= open())
        return (await client.query<T>(config)).rows
      } finally {
        lane.inFlight--
      }
    },
    async close() {
      const client = await opening?.catch(() => undefined)
      await client?.end()
    },
  }
  const open = async () => {
    const client = new pg.Client({ ...settings, pipeline: true } as pg.ClientConfig)
    const forget = (error?: Error) => {
      opening = undefined
      lane.client = undefined
      if (error) onError(error)
    }
    client.on('error', forget)
    client.on('end', () => forget())
    await client.connect().catch((error: Error) => {
      forget()
      throw error
    })
    lane.client = client
    return client
  }
  return lane
}

const quietest = (lanes: readonly Lane[]): Lane =>
  lanes.reduce((best, lane) => (lane.inFlight < best.inFlight ? lane : best))

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

/** Of the network, and of a Postgres that is starting, stopping, full of connections, or only a standby for now. */
const lossCodes = new Set([
  ...'ECONNREFUSED ECONNRESET EPIPE ENOENT ETIMEDOUT ENOTFOUND EAI_AGAIN'.split(' '),
  ...'EHOSTUNREACH ENETUNREACH EHOSTDOWN ENETDOWN'.split(' '),
  ...'57P01 57P02 57P03 53300 25006 08000 08001 08003 08004 08006'.split(' '),
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

/** Whether a statement took longer than it may. */
export function isTimeout(error: unknown): boolean {
  return (
    error instanceof Error && ((error as { code?: unknown }).code === '57014' || error.message === 'Query read timeout')
  )
}
