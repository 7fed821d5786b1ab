// One pipelined connection for short reads, opened on first use and again after a loss.
import pg from 'pg'
import type { Connector } from './connector.js'

export interface Lane {
  readonly inFlight: number
  /** While it is open. */
  readonly client: pg.Client | undefined
  run<T extends unknown[]>(config: pg.QueryArrayConfig): Promise<T[]>
  /** What it is asked next goes over a new connection. */
  reopen(): void
  close(): Promise<void>
}

interface LaneParts {
  readonly connector: Connector
  readonly types: pg.CustomTypesConfig
  readonly isLost: (error: unknown) => boolean
  readonly onError: (error: Error) => void
}

export function openLane({ connector, types, isLost, onError }: LaneParts): Lane {
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
    reopen() {
      const { client } = lane
      opening = undefined
      lane.client = undefined
      void client?.end().catch(() => undefined)
    },
    async close() {
      const client = await opening?.catch(() => undefined)
      await client?.end()
    },
  }
  const connect = async () => {
    const client = new pg.Client({ ...connector.settings(), types, pipeline: true } as pg.ClientConfig)
    const forget = (error?: Error) => {
      if (lane.client !== client) return
      opening = undefined
      lane.client = undefined
      if (error) onError(error)
    }
    client.on('error', forget)
    client.on('end', () => forget())
    try {
      await client.connect()
      await connector.verify(client)
    } catch (error) {
      await client.end().catch(() => undefined)
      throw error
    }
    lane.client = client
    return client
  }
  const open = () =>
    connector.connected(connect, isLost).catch((error: unknown) => {
      opening = undefined
      throw error
    })
  return lane
}

export const quietest = (lanes: readonly Lane[]): Lane =>
  lanes.reduce((best, lane) => (lane.inFlight < best.inFlight ? lane : best))
