// Keys of the caller's own tenant. All of it needs an ADMIN key.
import type { ApiPromise } from '../api-promise.js'
import type { ApiKey, ApiKeyCreate, ApiKeyQuery, MintedApiKey, Rotation } from '../generated/shapes.js'
import type { RequestOptions, Send } from '../transport.js'
import { act, type Gets, type Lists, verbs } from './verbs.js'

export interface ApiKeys extends Lists<ApiKeyQuery, ApiKey>, Gets<ApiKey> {
  /** Mints a key. The whole key is in this answer and nowhere else. */
  create(body: ApiKeyCreate, options?: RequestOptions): ApiPromise<MintedApiKey>
  /** A new key; the old one works until the grace period ends, a day unless said otherwise. */
  rotate(id: string, body?: Rotation, options?: RequestOptions): ApiPromise<MintedApiKey>
  /** The key stops working at once. */
  revoke(id: string, options?: RequestOptions): ApiPromise<void>
}

export function apiKeys(send: Send): ApiKeys {
  const {
    list,
    get,
    create,
    delete: revoke,
  } = verbs<ApiKeyQuery, ApiKeyCreate, never, ApiKey, MintedApiKey>(send, 'api-keys')
  return {
    list,
    get,
    create,
    revoke,
    rotate: (id, body = {}, options) => act(send, 'api-keys', id, 'rotate', body, options),
  }
}
