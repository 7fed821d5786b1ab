// Where a connection to a model may point: to an address that the operator allows, and to another one only with the key
// for it, so that nobody who can edit a connection sends a key that they do not know to a place of their choice.
import type { integrationConnections, Row } from '@parley/contract'
import { MODEL_PROVIDER } from '../../providers/openai-compatible/model-url.js'
import { unprocessable } from '../../store/api-error.js'

type Connection = Row<typeof integrationConnections>
type Values = Readonly<Record<string, unknown>>

export function requireModelAddress(
  { provider, config }: Pick<Connection, 'provider' | 'config'>,
  before: Pick<Connection, 'provider' | 'config'> | undefined,
  credentials: Values | null | undefined,
  modelUrls: readonly string[],
): void {
  if (provider !== MODEL_PROVIDER) return
  const { baseUrl } = config
  if (typeof baseUrl !== 'string' || !modelUrls.includes(baseUrl)) {
    const allowed = modelUrls.length === 0 ? 'none yet: the operator sets PARLEY_MODEL_URLS' : modelUrls.join(', ')
    throw unprocessable('model_url', `config.baseUrl must be one that the operator allows: ${allowed}`, {
      field: 'config.baseUrl',
    })
  }
  const isMoved = before !== undefined && (before.provider !== provider || before.config['baseUrl'] !== baseUrl)
  if (isMoved && typeof credentials?.['apiKey'] !== 'string')
    throw unprocessable('model_key', 'A new config.baseUrl needs credentials.apiKey in the same request', {
      field: 'credentials.apiKey',
    })
}
