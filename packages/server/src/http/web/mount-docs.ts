// The documentation site at `/docs`, as the build left it: a file for each page, its Markdown beside it, and `llms.txt`
// for machines. Pages load nothing from elsewhere, and need no script to be read.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { packageFolder } from '../../database/package-folder.js'
import { ApiError } from '../../store/api-error.js'
import { A_YEAR, sendFile, type WebFiles, wantsPage, webFilesIn } from './web-files.js'

export const builtDocs = new URL('web-docs', packageFolder).pathname

export function mountDocs(app: FastifyInstance, folder: string): void {
  const files = webFilesIn(folder)
  if (files === undefined) {
    app.get('/docs', async () => {
      throw new ApiError('not_found', 'The documentation is not built: run npm run build. See /api/v1/openapi.json')
    })
    return
  }
  const paths = new Set([...files.paths, '/index.html'])
  const page = (path: string) => (path === '' ? '/index.html' : `${path}.html`)
  const send = (path: string, request: FastifyRequest, reply: FastifyReply) => sendPart(files, path, request, reply)
  app.get('/docs', (request, reply) => send(page(''), request, reply))
  // Relative, because a proxy may serve all of this under a path of its own.
  app.get('/docs/', async (_request, reply) => reply.redirect('../docs', 308))
  app.get('/docs/*', async (request, reply) => {
    const path = pathOf(request)
    if (paths.has(page(path))) return send(page(path), request, reply)
    if (paths.has(path) && !path.endsWith('.html')) return send(path, request, reply)
    return wantsPage(request) ? send('/404.html', request, reply.code(404)) : reply.callNotFound()
  })
  app.get('/llms.txt', (request, reply) => send('/llms.txt', request, reply))
}

/** Below `/docs`. */
const pathOf = ({ url }: FastifyRequest): string => (url.split('?')[0] ?? '').slice('/docs'.length)

/** Scripts, styles, images and requests of this origin only; a form is sent by the script that made it. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

async function sendPart(
  files: WebFiles,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.header('content-security-policy', pagePolicy).header('cross-origin-opener-policy', 'same-origin')
  return sendFile(await files.read(path), path.startsWith('/assets/') ? A_YEAR : 'no-cache', request, reply)
}
