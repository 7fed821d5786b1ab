// The built pages as the build left them: each file with its packed twins, read once and kept.
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'

export interface WebFile {
  readonly type: string
  readonly bytes: Buffer
  /** By the name of the encoding; the smallest first. */
  readonly packed: ReadonlyMap<string, Buffer>
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
  return { type: types[extname(file)] ?? 'application/octet-stream', bytes, packed }
}
