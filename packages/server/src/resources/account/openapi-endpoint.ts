// `GET /openapi.json` and `/openapi-3.0.json`: the whole API as a document for machines, made from the list of all
// endpoints, their own included.
import { createHash } from 'node:crypto'
import { freeForm, line, list, named, object, optional } from '@parley/contract'
import { type Endpoint, endpoint } from '../../http/endpoint.js'
import type { Answer } from '../../store/response.js'

export function discoveryEndpoints(others: readonly Endpoint[]): Endpoint[] {
  const all = (): Endpoint[] => [...others, newest, older]
  const newest = documentEndpoint('/openapi.json', {
    operationId: 'getOpenApi',
    summary: 'This document',
    description: 'OpenAPI 3.1, with all webhooks. It has an `ETag` and honours `If-None-Match`.',
    make: (publicUrl) => documentOf(all(), publicUrl),
  })
  const older = documentEndpoint('/openapi-3.0.json', {
    operationId: 'getOpenApi30',
    summary: 'This document in OpenAPI 3.0',
    description:
      'Made from the 3.1 document for generators that read no other; the webhooks stand in `x-webhooks`. ' +
      'It has an `ETag` and honours `If-None-Match`.',
    async make(publicUrl) {
      const { asOpenApi30 } = await import('../../http/openapi/openapi-3-0.js')
      return asOpenApi30(await documentOf(all(), publicUrl))
    },
  })
  return [newest, older]
}

/** What makes the document is loaded when somebody asks for it. */
const documentOf = async (endpoints: readonly Endpoint[], publicUrl: string) =>
  (await import('../../http/openapi/openapi.js')).openApiDocument({ endpoints, publicUrl })

type Told = Pick<Endpoint, 'operationId' | 'summary' | 'description'> & {
  readonly make: (publicUrl: string) => Promise<object>
}

export function documentEndpoint(path: string, { make, ...told }: Told): Endpoint {
  let kept: { readonly publicUrl: string; readonly answer: Answer } | undefined
  return endpoint({
    ...told,
    method: 'GET',
    path,
    scope: 'none',
    tag: 'Discovery',
    returns: { status: 200, schema: documentSchema },
    async handle({ services }) {
      const publicUrl = services.publicUrl()
      // Only known once the server listens, and the same from then on.
      if (kept?.publicUrl !== publicUrl) kept = { publicUrl, answer: documentAnswer(await make(publicUrl)) }
      return kept.answer
    },
  })
}

const documentSchema = named(
  'OpenApiDocument',
  object(
    {
      openapi: line(),
      info: freeForm(),
      servers: list(freeForm()),
      tags: list(freeForm()),
      security: list(freeForm()),
      paths: freeForm(),
      webhooks: optional(freeForm()),
      'x-webhooks': optional(freeForm()),
      components: freeForm(),
    },
    {
      openapi: 'The version of OpenAPI.',
      info: 'What the API is.',
      servers: 'Where it is reached.',
      tags: 'What operations are grouped by.',
      security: 'How requests are authenticated.',
      paths: 'Every operation, by its path.',
      webhooks: 'Every event that is sent, by its type.',
      'x-webhooks': 'The same in OpenAPI 3.0, which has no word for them.',
      components: 'What the others refer to.',
    },
  ),
)

function documentAnswer(document: object): Answer {
  const body = JSON.stringify(document)
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  return { status: 200, body, headers: { etag, 'cache-control': 'no-cache' } }
}
