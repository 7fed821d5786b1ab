// Which carrier serves a tenant: the sandbox has its own and no other; production has what its active connections name,
// of those this server can speak to.
import { type Environment, integrationConnections, phoneNumbers, type Row } from '@parley/contract'
import type { Reader } from '../store/reader.js'
import type { Sealer } from '../store/secret-box.js'
import type { Carrier, Carriers } from './carrier.js'
import { sandboxCarrier } from './sandbox.js'

type Connection = Row<typeof integrationConnections>

/** Whether a tenant can send at all. */
export async function hasCarrier(read: Reader, environment: Environment, carriers: Carriers): Promise<boolean> {
  return environment === 'sandbox' || (await connectionsOf(read, carriers)).length > 0
}

/**
 * The carrier that a number sends through: the one of its own connection, else of the tenant's oldest; undefined when
 * there is none.
 */
export async function carrierOf(
  read: Reader,
  sealer: Sealer,
  environment: Environment,
  carriers: Carriers,
  phoneNumberId: string | null,
): Promise<Carrier | undefined> {
  if (environment === 'sandbox') return sandboxCarrier
  const connections = await connectionsOf(read, carriers)
  const number = phoneNumberId === null ? undefined : await read.get(phoneNumbers, phoneNumberId)
  const connection = connections.find(({ id }) => id === number?.integrationConnectionId) ?? connections[0]
  const adapter = connection && carriers[connection.provider]
  if (connection === undefined || adapter === undefined) return undefined
  const sealed = await read.sealed(integrationConnections, connection.id)
  const credentials: Record<string, unknown> | null = sealed ? JSON.parse(sealer.open(sealed)) : null
  return adapter.open({ id: connection.id, config: connection.config, credentials: credentials ?? {} })
}

async function connectionsOf(read: Reader, carriers: Carriers): Promise<Connection[]> {
  const active = await read.find(integrationConnections, { kind: 'telephony', status: 'active' }, 100)
  return active.filter(({ provider }) => Object.hasOwn(carriers, provider))
}
