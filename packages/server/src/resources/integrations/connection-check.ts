// `POST /integration-connections/{id}/check`: asks the provider whether the credentials are good, and says in plain
// words what is wrong when they are not.
import { connectionCheck, integrationConnections } from '@parley/contract'
import { toError } from '../../database/error-code.js'
import { type Endpoint, endpoint, type ReadInput } from '../../http/endpoint.js'
import type { CheckResult, Provider, ProviderApi, ProviderConnection } from '../../providers/provider.js'
import { secretOf } from '../../providers/signatures.js'
import { providerNamed } from '../../providers/table.js'
import { unprocessable } from '../../store/api-error.js'
import { json } from '../../store/response.js'
import { type Connection, openConnection } from './connections.js'
import { requireConnection } from './inbound-log-endpoints.js'

/** How to reach a provider, that of a model by its connection; undefined for one that this server asks nothing. */
export type ProviderApis = (provider: string, connection?: Connection) => ProviderApi | undefined

/** Asked once, before the handler, whatever races that loses. */
async function ask(apis: ProviderApis, input: ReadInput, id: string): Promise<CheckResult> {
  const connection = await requireConnection(input.read, id)
  const provider = providerNamed(connection.provider)
  if (provider?.check === undefined)
    throw unprocessable('no_check', `There is nothing to ask ${connection.provider}; set the status with PATCH`)
  const opened = await openConnection(input.read, input.sealer, connection)
  requireCredential(provider, opened)
  const api = apis(connection.provider, connection)
  if (api === undefined)
    return { ok: false, message: 'The operator does not allow config.baseUrl: it is not listed in PARLEY_MODEL_URLS' }
  return provider.check(opened, api).catch((error: unknown) => ({
    ok: false,
    message: `${provider.label} ${reasonOf(error)}`.slice(0, 500),
  }))
}

/** Who was not asked has not said that all is well. */
function requireCredential({ label, checkedCredential: name }: Provider, { credentials }: ProviderConnection): void {
  if (name !== undefined && secretOf(credentials, name) === undefined)
    throw unprocessable(
      'no_check_credential',
      `Nothing could be asked: ${label} needs credentials.${name} for a check. Add it, or set the status with PATCH`,
      { field: `credentials.${name}` },
    )
}

function reasonOf(error: unknown): string {
  const { name, message, cause } = toError(error)
  if (name === 'TimeoutError') return 'did not answer in time: check again later'
  return `could not be reached: ${cause instanceof Error ? cause.message || message : message}`
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
    description:
      'The status becomes `active`, or `error` with `lastError`; that of a paused or revoked one stays. 422 where ' +
      'nothing can be asked: the provider answers no check, or the credential for it is missing.',
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
