// `GET /openapi.json`: the whole API as a document for machines. It is made from the list of all endpoints, its own
// included.
import { createHash } from 'node:crypto'
import { freeForm, line, list, object } from '@parley/contract'
import { type Endpoint, endpoint } from '../../http/endpoint.js'
import { openApiDocument } from '../../http/openapi/openapi.js'
import type { Answer } from '../../store/response.js'

export function discoveryEndpoints(others: readonly Endpoint[]): Endpoint[] {
  let kept: { readonly publicUrl: string; readonly answer: Answer } | undefined
  const self: Endpoint = endpoint({
    method: 'GET',
    path: '/openapi.json',
    scope: 'none',
    operationId: 'getOpenApi',
    summary: 'This document',
    description: 'OpenAPI 3.1, with all webhooks. It has an `ETag` and honours `If-None-Match`.',
    tag: 'Discovery',
    returns: { status: 200, schema: documentSchema },
    async handle({ services }) {
      const publicUrl = services.publicUrl()
      // Only known once the server listens, and the same from then on.
      if (kept?.publicUrl !== publicUrl)
        kept = { publicUrl, answer: documentAnswer(openApiDocument({ endpoints: [...others, self], publicUrl })) }
      return kept.answer
    },
  })
  return [self]
}

const documentSchema = object({
  openapi: line(),
  info: freeForm(),
  servers: list(freeForm()),
  tags: list(freeForm()),
  security: list(freeForm()),
  paths: freeForm(),
  webhooks: freeForm(),
  components: freeForm(),
})

function documentAnswer(document: object): Answer {
  const body = JSON.stringify(document)
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  return { status: 200, body, headers: { etag, 'cache-control': 'no-cache' } }
}
