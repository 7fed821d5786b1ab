// The built pages as the build left them: each file with its packed twins, read once and kept, and how it is sent.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'

export interface WebFile {
  readonly type: string
  readonly bytes: Buffer
  /** By the name of the encoding; the smallest first. */
  readonly packed: ReadonlyMap<string, Buffer>
  readonly etag: string
}

export interface WebFiles {
  /** Addresses of everything but the page itself. */
  readonly paths: readonly string[]
  read(path: string): Promise<WebFile>
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
}
const encodings = { br: '.br', gzip: '.gz' } as const

/** Undefined where nothing is built: the API serves without. */
export function webFilesIn(folder: string): WebFiles | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined
  const known = new Map<string, Promise<WebFile>>()
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'))
  const paths = names.filter((name) => types[extname(name)] !== undefined && name !== 'index.html')
  return {
    paths: paths.map((name) => `/${name}`),
    read(path) {
      const file = known.get(path) ?? readWebFile(join(folder, path))
      known.set(path, file)
      return file
    },
  }
}

async function readWebFile(file: string): Promise<WebFile> {
  const bytes = await readFile(file)
  const packed = new Map<string, Buffer>()
  for (const [encoding, ending] of Object.entries(encodings))
    if (existsSync(file + ending)) packed.set(encoding, await readFile(file + ending))
  const etag = `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  return { type: types[extname(file)] ?? 'application/octet-stream', bytes, packed, etag }
}

/** For ever, for what has a hash in its address. */
export const A_YEAR = 'public, max-age=31536000, immutable'

export function sendFile(
  file: WebFile,
  caching: string,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { type, bytes, packed, etag } = file
  reply.headers({ 'cache-control': caching, vary: 'accept-encoding', etag })
  if (headers['if-none-match']?.includes(etag)) return reply.code(304).send()
  const taken = String(headers['accept-encoding'] ?? '')
  const [encoding, smaller] = [...packed].find(([name]) => new RegExp(`\\b${name}\\b`).test(taken)) ?? []
  if (encoding !== undefined) reply.header('content-encoding', encoding)
  return reply.type(type).send(smaller ?? bytes)
}

export const wantsPage = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/html') === true
