// To whom connections go: the first host of the URL that answers and is what it should be, found again when it is lost.
// Nothing is asked of a connection for as long as it lives, so that a pooler may share it: see `isShared`.
import type pg from 'pg'
import { hostsOf, type SessionKind } from './hosts.js'

export interface ConnectorOptions {
  readonly url: string
  /** What a server must be where the URL does not say. */
  readonly kind: SessionKind
  readonly statementTimeoutMs: number
}

/** A little over the server's own limit, so that Postgres is the one to give up first. */
const ANSWER_GRACE_MS = 3_000
/** Where the URL does not say it by `connect_timeout`. */
const CONNECT_TIMEOUT_MS = 5_000

export class Connector {
  private readonly urls: readonly string[]
  private readonly kind: SessionKind
  private readonly connectTimeoutMs: number
  private at = 0
  /**
   * PgBouncer refuses settings at the start of a connection: they would stay with a connection that others get next.
   * Then the driver alone ends statements that take too long.
   */
  private isShared = false

  constructor(private readonly options: ConnectorOptions) {
    const hosts = hostsOf(options.url)
    this.urls = hosts?.urls ?? [options.url]
    this.kind = hosts?.kind ?? options.kind
    this.connectTimeoutMs = hosts?.connectTimeoutMs ?? CONNECT_TIMEOUT_MS
  }

  /** The settings of the next connection. */
  settings(): pg.ClientConfig {
    const { statementTimeoutMs } = this.options
    return {
      connectionString: this.urls[this.at],
      query_timeout: statementTimeoutMs + ANSWER_GRACE_MS,
      connectionTimeoutMillis: this.connectTimeoutMs,
      application_name: 'parley',
      keepAlive: true,
      // Our statements are short; compiling one takes longer than running it.
      ...(!this.isShared && { statement_timeout: statementTimeoutMs, options: '-c jit=off' }),
    }
  }

  /** The same for a conversation that may take as long as it needs. */
  patientSettings(): pg.ClientConfig {
    return { ...this.settings(), ...(!this.isShared && { statement_timeout: 0 }), query_timeout: 0 }
  }

  /** Connects by `connect`, to one host after the other until one is as it should be; the last error when none is. */
  async connected<T>(connect: () => Promise<T>, isLost: (error: unknown) => boolean): Promise<T> {
    // Twice around where a standby is only second best.
    const tries = this.urls.length * (this.kind === 'prefer-standby' ? 2 : 1)
    for (let round = 1; ; round++) {
      const { at } = this
      try {
        return await connect()
      } catch (error) {
        if (isRefusedParameter(error) && !this.isShared) {
          this.isShared = true
          round--
        } else if (round >= tries || !isLost(error) || isBusyPool(error)) throw error
        else this.leave(at)
      }
    }
  }

  /** It is away, or no longer what it should be. */
  leave(at = this.at): void {
    if (this.at === at) this.at = (at + 1) % this.urls.length
  }

  /** Throws as a lost connection does when the server is not what it should be. */
  async verify(client: pg.ClientBase): Promise<void> {
    const isWriting = this.kind === 'read-write' || this.kind === 'primary'
    const isReading = this.kind === 'read-only' || this.kind === 'standby'
    if ((!isWriting && !isReading) || (isWriting && this.urls.length === 1)) return
    const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only')
    const isReadOnly = rows[0]?.transaction_read_only === 'on'
    if (isReadOnly === isReading) return
    throw Object.assign(new Error(`The server is ${isReadOnly ? 'only a standby' : 'no standby'}`), { code: READ_ONLY })
  }
}

/** Of a statement that writes on a server that is only a standby for now. */
export const READ_ONLY = '25006'

const isRefusedParameter = (error: unknown): boolean =>
  error instanceof Error && /unsupported (options )?startup parameter/i.test(error.message)

/** The node's own pool has no free connection; that says nothing of the host. */
const isBusyPool = (error: unknown): boolean =>
  error instanceof Error && error.message === 'timeout exceeded when trying to connect'
