// The cockpit at `/`: one page for every address of its own, and the files it is made of. Addresses of the API and of
// the operator never become a page.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { packageFolder } from '../../database/package-folder.js'
import { ApiError } from '../../store/api-error.js'
import { A_YEAR, sendFile, type WebFiles, wantsPage, webFilesIn } from './web-files.js'

export const builtWeb = new URL('web', packageFolder).pathname

const PAGE = '/index.html'

export function mountWeb(app: FastifyInstance, folder: string): void {
  const files = webFilesIn(folder)
  app.get('/', async (request, reply) => {
    if (!wantsPage(request)) throw new ApiError('not_found', 'The API is at /api/v1 and its reference at /docs')
    return files ? sendPage(files, request, reply) : reply.redirect('docs', 302)
  })
  if (files === undefined) return
  for (const path of files.paths) {
    const caching = path.startsWith('/assets/') ? A_YEAR : 'no-cache'
    app.get(path, async (request, reply) => sendFile(await files.read(path), caching, request, reply))
  }
  app.get('/*', async (request, reply) => {
    if (isReserved(request.url) || !wantsPage(request)) return reply.callNotFound()
    return sendPage(files, request, reply)
  })
}

/** What belongs to machines: an unknown address there is answered as such. */
const reserved = ['api', 'docs', 'mcp', 'platform', 'metrics', 'healthz', 'readyz', 'assets', 'calendar', '.well-known']

function isReserved(url: string): boolean {
  const [first = ''] = url.slice(1).split(/[/?#]/)
  return reserved.includes(first.toLowerCase()) || /\.[a-z0-9]+$/i.test(url.split('?')[0] ?? '')
}

/** Everything from this origin, nothing inline, and no other page may frame it. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "media-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

async function sendPage(files: WebFiles, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  reply.header('content-security-policy', pagePolicy).header('cross-origin-opener-policy', 'same-origin')
  return sendFile(await files.read(PAGE), 'no-cache', request, reply)
}
