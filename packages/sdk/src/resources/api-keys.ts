// Keys of the caller's own side. All of it needs an ADMIN key.
import { type Listing, listing } from '../page.js'
import type { Other } from '../records.js'
import { ask, path, type RequestOptions, type Send } from '../transport.js'

export interface ApiKey {
  id: string
  name: string
  scope: 'READ' | 'WRITE' | 'ADMIN' | Other
  environment: 'sandbox' | 'production' | Other
  prefix: string
  last4: string
  createdAt: string
  expiresAt: string | null
  lastUsedAt: string | null
  revokedAt: string | null
}

export interface ApiKeyCreate {
  name: string
  scope: ApiKey['scope']
  expiresAt?: string | null | undefined
}

/** `key` is shown here and never again. */
export interface MintedApiKey extends ApiKey {
  key: string
}

export const apiKeys = (send: Send) => ({
  list: (query: { q?: string; limit?: number; cursor?: string; count?: boolean } = {}, options?: RequestOptions): Listing<ApiKey> =>
    listing(send, '/api-keys', query, options),
  get: (id: string, options?: RequestOptions): Promise<ApiKey> => ask(send, { method: 'GET', path: path`/api-keys/${id}`, options }),
  create: (body: ApiKeyCreate, options?: RequestOptions): Promise<MintedApiKey> => ask(send, { method: 'POST', path: '/api-keys', body, options }),
  /** A new key; the old one works until the grace period ends, a day unless said otherwise. */
  rotate: (id: string, body: { gracePeriodSeconds?: number } = {}, options?: RequestOptions): Promise<MintedApiKey> =>
    ask(send, { method: 'POST', path: path`/api-keys/${id}/rotate`, body, options }),
  /** The key stops working at once. */
  revoke: (id: string, options?: RequestOptions): Promise<void> => ask(send, { method: 'DELETE', path: path`/api-keys/${id}`, options }),
})
