// The organization behind a key.
import type { ApiPromise } from '../api-promise.js'
import type { Organization, OrganizationUpdate } from '../generated/shapes.js'
import { ask, type RequestOptions, type Send } from '../transport.js'

export interface OrganizationOfKey {
  /** The organization, with the settings of the key's tenant. */
  get(options?: RequestOptions): ApiPromise<Organization>
  /** Changes settings; the name is changed with a live key only. */
  update(body: OrganizationUpdate, options?: RequestOptions): ApiPromise<Organization>
}

export const organization = (send: Send): OrganizationOfKey => ({
  get: (options) => ask(send, { method: 'GET', path: '/organization', options }),
  update: (body, options) => ask(send, { method: 'PATCH', path: '/organization', body, options }),
})
