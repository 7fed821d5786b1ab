// Connections to other systems: whether they work, and what their providers sent.
import type { ApiPromise } from '../api-promise.js'
import type { IntegrationConnectionVerbs } from '../generated/entities.js'
import type {
  ConnectionCheck,
  InboundEntry,
  InboundLogQuery,
  InboundSimulation,
  InboundSimulationRequest,
} from '../generated/shapes.js'
import { type Listing, listing } from '../page.js'
import { ask, path, type RequestOptions, type Send } from '../transport.js'
import { act, verbs } from './verbs.js'

export interface IntegrationConnections extends IntegrationConnectionVerbs {
  /** Asks the provider whether the credentials are good. */
  check(id: string, options?: RequestOptions): ApiPromise<ConnectionCheck>
  /** What the provider sent, newest first. */
  inbound(id: string, query?: InboundLogQuery, options?: RequestOptions): Listing<InboundEntry>
  /** One request of the provider. */
  inboundEntry(id: string, entryId: string, options?: RequestOptions): Promise<InboundEntry>
  /** Works on a request again that failed or was ignored. */
  reprocess(id: string, entryId: string, options?: RequestOptions): ApiPromise<InboundEntry>
  /** Sends something in the provider's place, in the sandbox only. */
  simulate(id: string, body: InboundSimulationRequest, options?: RequestOptions): ApiPromise<InboundSimulation>
}

export function integrationConnections(send: Send): IntegrationConnections {
  const plain: IntegrationConnectionVerbs = verbs(send, 'integration-connections')
  return {
    ...plain,
    check: (id, options) => act(send, 'integration-connections', id, 'check', undefined, options),
    inbound: (id, query = {}, options) => listing(send, path`/integration-connections/${id}/inbound`, query, options),
    inboundEntry: (id, entryId, options) =>
      ask(send, { method: 'GET', path: path`/integration-connections/${id}/inbound/${entryId}`, options }),
    reprocess: (id, entryId, options) =>
      ask(send, { method: 'POST', path: path`/integration-connections/${id}/inbound/${entryId}/reprocess`, options }),
    simulate: (id, body, options) =>
      ask(send, { method: 'POST', path: path`/integration-connections/${id}/inbound/simulate`, body, options }),
  }
}
