// Connections to other systems. Credentials go in and never come out.
import { integrationConnections } from '@parley/contract'
import type { Endpoint } from '../../http/endpoint.js'
import { crud, endpointsOf } from '../generic/crud.js'
import { previewOf } from '../generic/sealed-fields.js'
import { requireModelAddress } from './model-address.js'

/** `modelUrls` are the addresses of models that the operator allows. */
export const integrationEndpoints = (modelUrls: readonly string[]): Endpoint[] =>
  endpointsOf(
    crud(integrationConnections, {
      complete({ body }, connection, before) {
        const sent = body['credentials'] as Record<string, unknown> | null | undefined
        requireModelAddress(connection, before, sent, modelUrls)
        const credentialsPreview = sent === undefined ? (before?.credentialsPreview ?? null) : sent && previewOf(sent)
        return { ...connection, credentialsPreview }
      },
    }),
  )
