// A blob store in a folder. A blob is on disk, flushed, when `put` comes back; its name is told to nobody before.
import { mkdir, open, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Blobs, Bytes } from '../store/blobs.js'

export function folderBlobs(root: string): Blobs {
  const remove = (folder: string, name: string) => unlink(join(root, folder, name)).catch(ifAbsent)
  return {
    async put(folder, name, source, { bytesMax, tooLarge }) {
      await mkdir(join(root, folder), { recursive: true, mode: 0o700 })
      try {
        const bytes = await write(join(root, folder, name), source, bytesMax, tooLarge)
        await flushFolder(join(root, folder))
        return bytes
      } catch (error) {
        await remove(folder, name)
        throw error
      }
    },
    async open(folder, name, range) {
      const file = await open(join(root, folder, name), 'r').catch(ifAbsent)
      return file?.createReadStream(range)
    },
    size: async (folder, name) => (await stat(join(root, folder, name)).catch(ifAbsent))?.size,
    remove,
  }
}

async function write(path: string, source: Bytes, bytesMax: number, tooLarge: () => Error): Promise<number> {
  const file = await open(path, 'wx', 0o600)
  try {
    let bytes = 0
    for await (const chunk of source) {
      bytes += chunk.length
      if (bytes > bytesMax) throw tooLarge()
      await file.writeFile(chunk)
    }
    await file.sync()
    return bytes
  } finally {
    await file.close()
  }
}

/** A new file is on disk when its folder is. */
async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

function ifAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
