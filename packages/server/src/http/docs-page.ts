// The API reference for people at `/docs`: Swagger UI from its npm package, on the document of this very service. Nothing comes from
// another host, and the page may load nothing from one.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../store/api-error.js'

export function mountDocs(app: FastifyInstance): void {
  for (const [path, { type, read }] of Object.entries(files)) {
    let asset: Promise<Asset> | undefined
    app.get(path, async (request, reply) => {
      // Read at the first visit, so that starting does not wait for it; a failure is not kept.
      asset ??= assetOf(type, read).catch((error: unknown) => {
        asset = undefined
        throw error
      })
      return sendAsset(await asset, request, reply)
    })
  }
  // Relative, because a proxy may serve all of this under a path of its own.
  app.get('/docs/', async (_request, reply) => reply.redirect('../docs', 308))
  app.get('/', async ({ headers }, reply) => {
    if (headers.accept?.includes('text/html')) return reply.redirect('docs', 302)
    throw new ApiError('not_found', 'No such path; the API is at /api/v1 and its reference at /docs')
  })
}

/** Scripts, styles and requests of this origin only. Swagger UI's style sheet draws its arrows from `data:` images. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Parley API reference</title>
    <link rel="icon" type="image/png" href="docs/favicon-32x32.png">
    <link rel="stylesheet" href="docs/swagger-ui.css">
    <link rel="stylesheet" href="docs/page.css">
  </head>
  <body>
    <main id="reference"><p class="notice">The reference of the API is drawn from <a href="api/v1/openapi.json">openapi.json</a>.</p></main>
    <script src="docs/swagger-ui-bundle.js" defer></script>
    <script src="docs/page.js" defer></script>
  </body>
</html>
`

const pageStyle = `body { margin: 0; background: #fafafa; }
.notice { margin: 4rem auto; max-width: 40rem; font-family: sans-serif; text-align: center; }
.swagger-ui .info { margin: 30px 0; }
.swagger-ui .info .title small.version-stamp { display: none; }
.swagger-ui .scheme-container { box-shadow: none; border-block: 1px solid #e0e0e0; background: none; }
`

/** The server of this page comes first, because the page may call no other. Keys are typed in for one visit and kept nowhere. */
const pageScript = `'use strict'
const notice = (text) => {
  const paragraph = document.createElement('p')
  paragraph.className = 'notice'
  paragraph.textContent = text
  document.getElementById('reference').replaceChildren(paragraph)
}
fetch('api/v1/openapi.json')
  .then((response) => (response.ok ? response.json() : Promise.reject(new Error('HTTP ' + response.status))))
  .then((spec) => {
    spec.servers.sort((a, b) => Number(/^https?:/.test(a.url)) - Number(/^https?:/.test(b.url)))
    SwaggerUIBundle({
      spec,
      dom_id: '#reference',
      deepLinking: true,
      docExpansion: 'none',
      filter: true,
      defaultModelsExpandDepth: 0,
      defaultModelExpandDepth: 2,
      displayRequestDuration: true,
      persistAuthorization: false,
      validatorUrl: null,
    })
  })
  .catch((error) => notice('openapi.json could not be read (' + error.message + '). Reload to try again.'))
`

const require = createRequire(import.meta.url)
const text = (content: string) => async () => Buffer.from(content)
const script = 'text/javascript; charset=utf-8'
const style = 'text/css; charset=utf-8'

const files: Readonly<Record<string, { readonly type: string; readonly read: () => Promise<Buffer> }>> = {
  '/docs': { type: 'text/html; charset=utf-8', read: text(page) },
  '/docs/page.css': { type: style, read: text(pageStyle) },
  '/docs/page.js': { type: script, read: text(pageScript) },
  '/docs/swagger-ui.css': { type: style, read: () => readFile(require.resolve('swagger-ui-dist/swagger-ui.css')) },
  '/docs/swagger-ui-bundle.js': { type: script, read: () => readFile(require.resolve('swagger-ui-dist/swagger-ui-bundle.js')) },
  '/docs/favicon-32x32.png': { type: 'image/png', read: () => readFile(require.resolve('swagger-ui-dist/favicon-32x32.png')) },
}

interface Asset {
  readonly type: string
  readonly bytes: Buffer
  readonly zipped: Buffer
  readonly etag: string
}

/** Packed once with all effort, rather than anew for each visitor. */
async function assetOf(type: string, read: () => Promise<Buffer>): Promise<Asset> {
  const bytes = await read()
  const zipped = await promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION })
  return { type, bytes, zipped, etag: `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` }
}

function sendAsset({ type, bytes, zipped, etag }: Asset, { headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers({ 'content-security-policy': pagePolicy, 'cache-control': 'no-cache', vary: 'accept-encoding', etag })
  if (headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  const takesGzip = /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''))
  return takesGzip ? reply.type(type).header('content-encoding', 'gzip').send(zipped) : reply.type(type).send(bytes)
}
