// `GET /platform/v1/openapi.json`: the platform API as a document for machines, made from the list of its endpoints,
// its own included.
import { platformScopeMeanings } from '@parley/contract'
import type { Endpoint } from '../http/endpoint.js'
import type { AboutApi } from '../http/openapi/openapi.js'
import { documentEndpoint } from '../resources/account/openapi-endpoint.js'
import { PLATFORM_PATH } from './mount-platform.js'

export function platformDocumentEndpoint(others: readonly Endpoint[]): Endpoint {
  const own: Endpoint = documentEndpoint('/openapi.json', {
    operationId: 'getOpenApi',
    summary: 'This document',
    description: 'OpenAPI 3.1. It has an `ETag` and honours `If-None-Match`.',
    make: (publicUrl) => platformDocument([...others, own], publicUrl),
  })
  return own
}

/** What makes the document is loaded when somebody asks for it. */
export const platformDocument = async (endpoints: readonly Endpoint[], publicUrl: string): Promise<object> =>
  (await import('../http/openapi/openapi.js')).openApiDocument({ endpoints, publicUrl, about })

const scopeLines = Object.entries(platformScopeMeanings).map(([scope, meaning]) => `- \`${scope}\`: ${meaning}.`)

const about: AboutApi = {
  path: PLATFORM_PATH,
  securitySchemes: {
    platformKey: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'pk_…',
      description:
        'A platform key, made by `parley-server platform-keys mint` on the server. Its scopes do not include each ' +
        'other.',
    },
  },
  info: {
    title: 'Parley platform API',
    version: 'v1',
    summary: 'All organizations of a Parley service, over one connection.',
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    description: `For whoever runs the service, or integrates with all of its organizations: make them, limit them, see
what they use, mint their API keys, and follow the events of all of them.

**Start.** On the server run \`parley-server platform-keys mint --name integrator --scopes read,events\`, and send
\`Authorization: Bearer pk_…\`. While no platform key works, everything here is answered with 404.

**Scopes**

${scopeLines.join('\n')}

Lists, cursors, errors, \`Idempotency-Key\` and webhook signatures are those of the API of an organization. Each
platform key has a bucket for reads and one for writes.`,
  },
}
