// The API reference for people at `/docs`, drawn from the document of this very service. Nothing comes from another
// host, and the page may load nothing from one.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Json } from '../openapi/openapi-schemas.js'
import { docsHtml } from './docs-html.js'

export function mountDocs(app: FastifyInstance, document: () => Promise<Json>): void {
  const files = {
    '/docs': { type: 'text/html; charset=utf-8', text: async () => docsHtml(await document()) },
    ...parts,
  }
  for (const [path, { type, text }] of Object.entries(files)) {
    let asset: Promise<Asset> | undefined
    // Made at the first visit, so that starting does not wait for it.
    app.get(path, async (request, reply) => sendAsset(await (asset ??= assetOf(type, text)), request, reply))
  }
  // Relative, because a proxy may serve all of this under a path of its own.
  app.get('/docs/', async (_request, reply) => reply.redirect('../docs', 308))
}

/** Scripts, styles and images of this origin only. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const style = `:root { color-scheme: light dark; --line: #8884; --soft: #8881; --accent: #2a6fdb }
* { box-sizing: border-box }
[hidden] { display: none !important }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; display: grid; grid-template-columns: 15rem minmax(0, 1fr) }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1rem; border-right: 1px solid var(--line) }
nav input { width: 100%; padding: .4rem; font: inherit }
nav ul { list-style: none; padding: 0 }
main { padding: 1rem 2rem 4rem; max-width: 70rem }
a { color: var(--accent); text-decoration: none }
details { border: 1px solid var(--line); border-radius: 4px; margin: .4rem 0; padding: 0 .8rem }
summary { cursor: pointer; padding: .4rem 0; overflow-wrap: anywhere }
summary b { display: inline-block; min-width: 4.2rem; font-size: .8rem }
summary span { opacity: .75; margin-left: .5rem }
b.get { color: #2a6fdb } b.post { color: #1a8f4c } b.patch, b.put { color: #b26a00 } b.delete { color: #c62f2f }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1rem; font-size: .9rem }
td { white-space: pre-line; overflow-wrap: anywhere; vertical-align: top }
td { border-top: 1px solid var(--line); padding: .3rem .6rem .3rem 0 }
td:first-child { min-width: 9rem }
em { font-size: .8rem; opacity: .7 }
code, pre { font-family: ui-monospace, monospace; font-size: .9em; background: var(--soft) }
pre { padding: .8rem; overflow: auto; max-height: 24rem }
h4 { margin: 1rem 0 .2rem }
@media (max-width: 50rem) { body { display: block } nav { position: static; height: auto } main { padding: 1rem } }
`

/** Only makes the page handier: it searches, and opens what an address points at. */
const script = `'use strict'
const search = document.getElementById('find')
const nothing = document.getElementById('nothing')
const entries = [...document.querySelectorAll('details')].map((element) => ({
  element,
  words: [element.id, element.firstElementChild.textContent, element.closest('section').querySelector('h2').textContent]
    .join(' ').toLowerCase(),
}))
const sections = [...document.querySelectorAll('section')]
const show = () => {
  const wanted = search.value.toLowerCase().split(/\\s+/).filter(Boolean)
  for (const { element, words } of entries) element.hidden = !wanted.every((word) => words.includes(word))
  for (const section of sections)
    section.hidden = wanted.length > 0 && section.querySelector('details:not([hidden])') === null
  nothing.hidden = sections.some((section) => !section.hidden)
}
const open = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (target === null) return
  if (target.tagName === 'DETAILS') target.open = true
  target.scrollIntoView()
}
search.hidden = false
search.addEventListener('input', show)
addEventListener('hashchange', open)
show()
open()
`

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="7" fill="#2a6fdb"/><path d="M9 8h14v12H15l-6 5z" fill="#fff"/></svg>
`

const parts: Readonly<Record<string, { readonly type: string; readonly text: () => string }>> = {
  '/docs/page.css': { type: 'text/css; charset=utf-8', text: () => style },
  '/docs/page.js': { type: 'text/javascript; charset=utf-8', text: () => script },
  '/docs/icon.svg': { type: 'image/svg+xml', text: () => icon },
}

interface Asset {
  readonly type: string
  readonly bytes: Buffer
  readonly zipped: Buffer
  readonly etag: string
}

/** Packed once with all effort, rather than anew for each visitor. */
async function assetOf(type: string, text: () => string | Promise<string>): Promise<Asset> {
  const bytes = Buffer.from(await text())
  const zipped = await promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION })
  return { type, bytes, zipped, etag: `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` }
}

function sendAsset(
  { type, bytes, zipped, etag }: Asset,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  reply.headers({ 'content-security-policy': pagePolicy, 'cache-control': 'no-cache', vary: 'accept-encoding', etag })
  if (headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  const takesGzip = /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''))
  return takesGzip ? reply.type(type).header('content-encoding', 'gzip').send(zipped) : reply.type(type).send(bytes)
}
