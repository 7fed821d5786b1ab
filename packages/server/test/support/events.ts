// Reads the event log of a side and checks every body against the schema that the contract gives its type.
import { events as definitions, type EventType, eventBody } from '@parley/contract'
import { Compile } from 'typebox/compile'
import { sql } from '../../src/database/sql.js'
import { hashKey } from '../../src/http/gate/api-keys.js'
// The formats of the schemas are registered by what the server itself checks with.
import '../../src/http/wire-formats.js'
import type { Client, Service } from './service.js'
import { until } from './until.js'

export interface LoggedEvent<T = any> {
  readonly eventId: string
  readonly type: EventType
  readonly occurredAt: string
  readonly organizationId: string
  readonly environment: 'sandbox' | 'production'
  readonly data: T
}

const checks = new Map<EventType, ReturnType<typeof Compile>>()

/**
 * Waits until the log shows all events of a tenant, a hundred at most: any transaction that is open on the server holds
 * the feed back meanwhile.
 */
export async function untilShown(service: Pick<Service, 'database'>, api: Client): Promise<void> {
  const tenantId = await tenantOf(service, api)
  const rows = await service.database.query(sql`select 1 from events where tenant_id = ${tenantId} limit 100`)
  await until(
    async () => (await api.get('/events?limit=100')).body.data.length,
    (shown: number) => shown >= rows.length,
  )
}

/**
 * All events of the side that the key, or the tenant id, belongs to, in the order of the log; a body that does not fit
 * its schema throws.
 */
export async function eventsOf(service: Pick<Service, 'database'>, whose: Client | string): Promise<LoggedEvent[]> {
  const tenantId = typeof whose === 'string' ? whose : await tenantOf(service, whose)
  const rows = await service.database.query<{ type: EventType; body: string; subject_id: string | null }>(
    sql`select type, body, subject_id from events where tenant_id = ${tenantId} order by xact, id`,
  )
  return rows.map(({ type, body, subject_id }) => {
    const event = JSON.parse(body) as LoggedEvent
    requireFit(type, event)
    if (subject_id === null) throw new Error(`${type} has no subject`)
    return event
  })
}

/** The side that a client's key acts on. */
export async function tenantOf(service: Pick<Service, 'database'>, { key }: Client): Promise<string> {
  const [row] = await service.database.query<{ tenant_id: string }>(
    sql`select tenant_id from api_keys where hash = ${hashKey(key)}`,
  )
  if (row === undefined) throw new Error('No such key')
  return row.tenant_id
}

function requireFit(type: EventType, event: LoggedEvent): void {
  let check = checks.get(type)
  if (check === undefined) {
    check = Compile(eventBody(definitions[type].data))
    checks.set(type, check)
  }
  if (event.type !== type) throw new Error(`A row of type ${type} holds a body of type ${event.type}`)
  if (check.Check(event)) return
  throw new Error(
    `${type} does not fit its schema: ${JSON.stringify(check.Errors(event).slice(0, 5), null, 2)}\n${JSON.stringify(event, null, 2)}`,
  )
}
