// Which address a connection to a model is asked at: the one that it names, and only while the operator allows it.
import type { integrationConnections, Row } from '@parley/contract'

type Connection = Row<typeof integrationConnections>

/** The provider of a connection to a model. */
export const MODEL_PROVIDER = 'openai_compatible'

/** Undefined where the operator does not allow the address. */
export function allowedModelUrl(
  { provider, config: { baseUrl } }: Pick<Connection, 'provider' | 'config'>,
  modelUrls: readonly string[],
): string | undefined {
  const isAllowed = provider === MODEL_PROVIDER && typeof baseUrl === 'string' && modelUrls.includes(baseUrl)
  return isAllowed ? baseUrl : undefined
}
