// A language model behind an endpoint that speaks OpenAI's protocol. It sends nothing to us; it is asked by whoever
// reads transcripts.
import { described, integer, matching, object, optional, text, uri } from '@parley/contract'
import { bearerOf, checkKey } from '../check-key.js'
import type { Provider } from '../provider.js'

export const openaiCompatible: Provider = {
  label: 'OpenAI-compatible model',
  connectionKind: 'custom',
  config: object({
    baseUrl: described(uri(), 'One of the addresses that the operator allows.'),
    model: text(),
    monthlyTokenBudget: optional(integer({ minimum: 0 })),
    timeoutMs: optional(integer({ minimum: 100, maximum: 120_000 })),
  }),
  credentials: object({
    apiKey: matching('^[\\x21-\\x7e]+$', 'visible characters without spaces', 'The key of the endpoint.'),
  }),
  inbound: {},
  checkedCredential: 'apiKey',
  check: (connection, api) =>
    checkKey(api, {
      label: 'The model’s endpoint',
      path: '/models',
      headers: bearerOf(connection),
      whenUnknown: 'config.baseUrl is not where an OpenAI-compatible API begins, or it lists no models',
    }),
}
