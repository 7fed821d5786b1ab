// `POST /integration-connections/{id}/check`: asks the provider whether the credentials are good, and says in plain words
// what is wrong when they are not.
import { connectionCheck, integrationConnections } from '@parley/contract'
import { toError } from '../../database/error-code.js'
import { type Endpoint, endpoint, type ReadInput } from '../../http/endpoint.js'
import type { CheckResult, ProviderApi } from '../../providers/provider.js'
import { providerNamed } from '../../providers/table.js'
import { unprocessable } from '../../store/api-error.js'
import { json } from '../../store/response.js'
import { type Connection, openConnection } from './connections.js'
import { requireConnection } from './inbound-log-endpoints.js'

/** How to reach a provider; undefined for one that this server asks nothing. */
export type ProviderApis = (provider: string) => ProviderApi | undefined

/** Asked once, before the handler, whatever races that loses. */
async function ask(apis: ProviderApis, input: ReadInput, id: string): Promise<CheckResult> {
  const connection = await requireConnection(input.read, id)
  const provider = providerNamed(connection.provider)
  const api = apis(connection.provider)
  if (provider?.check === undefined || api === undefined)
    throw unprocessable('no_check', `There is nothing to ask ${connection.provider}; set the status with PATCH`)
  const opened = await openConnection(input.read, input.sealer, connection)
  return provider.check(opened, api).catch((error: unknown) => ({
    ok: false,
    message: `${provider.label} could not be reached: ${toError(error).message}`.slice(0, 500),
  }))
}

/** Who has paused or revoked a connection decides when it comes back. */
const statusAfter = ({ status }: Connection, { ok }: CheckResult): Connection['status'] =>
  status === 'paused' || status === 'revoked' ? status : ok ? 'active' : 'error'

export const connectionCheckEndpoint = (apis: ProviderApis): Endpoint =>
  endpoint({
    method: 'POST',
    path: '/integration-connections/{id}/check',
    scope: 'ADMIN',
    operationId: 'checkIntegrationConnection',
    summary: 'Ask the provider whether the credentials are good',
    description: 'The status becomes `active`, or `error` with `lastError`; that of a paused or revoked one stays.',
    tag: integrationConnections.label,
    returns: { status: 200, schema: connectionCheck },
    idempotent: false,
    receive: (input) => ask(apis, input, input.params.id),
    async handle(input) {
      const result = input.received as CheckResult
      const { work } = input
      const before = await requireConnection(work, input.params.id)
      const status = statusAfter(before, result)
      const lastError = result.ok ? null : result.message
      if (before.status !== status || before.lastError !== lastError)
        work.update(integrationConnections, { ...before, status, lastError })
      return json(200, { ...result, status })
    },
  })
