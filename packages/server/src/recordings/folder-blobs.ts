// A blob store in a folder. A blob is written to a temporary file, flushed to disk and only then renamed to its place, so a crash leaves it whole or
// absent. Its name is the hash of its bytes: sending the same again changes nothing, and two writers never mix.
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Blobs, Bytes } from '../store/blobs.js'

/** What another request may be about to name is left alone for this long. */
const SETTLED_MS = 60 * 60_000

export function folderBlobs(root: string): Blobs {
  const incoming = join(root, '.incoming')
  return {
    async put(folder, source, { bytesMax, tooLarge }) {
      await mkdir(incoming, { recursive: true, mode: 0o700 })
      const temporary = join(incoming, randomUUID())
      try {
        const written = await write(temporary, source, bytesMax, tooLarge)
        await mkdir(join(root, folder), { recursive: true, mode: 0o700 })
        await rename(temporary, join(root, folder, written.name))
        await flushFolder(join(root, folder))
        return written
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      }
    },
    async open(folder, name, range) {
      const file = await open(join(root, folder, name), 'r').catch(ifAbsent)
      return file?.createReadStream(range)
    },
    async keepOnly(folder, names) {
      const settledBefore = Date.now() - SETTLED_MS
      for (const path of [...(await filesOf(incoming, [])), ...(await filesOf(join(root, folder), names))]) {
        const { mtimeMs } = (await stat(path).catch(ifAbsent)) ?? {}
        if (mtimeMs !== undefined && mtimeMs < settledBefore) await unlink(path).catch(ifAbsent)
      }
    },
  }
}

async function write(path: string, source: Bytes, bytesMax: number, tooLarge: () => Error): Promise<{ name: string; bytes: number }> {
  const hash = createHash('sha256')
  const file = await open(path, 'wx', 0o600)
  try {
    let bytes = 0
    for await (const chunk of source) {
      bytes += chunk.length
      if (bytes > bytesMax) throw tooLarge()
      hash.update(chunk)
      await file.writeFile(chunk)
    }
    await file.sync()
    return { name: hash.digest('hex'), bytes }
  } finally {
    await file.close()
  }
}

/** A rename is on disk when its folder is. */
async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

const filesOf = async (folder: string, without: readonly string[]): Promise<string[]> =>
  ((await readdir(folder).catch(ifAbsent)) ?? []).filter((name) => !without.includes(name)).map((name) => join(folder, name))

function ifAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
