// Backups in a folder, for the owner's eyes only: folders 0700, files 0600. One that is being written has another name
// until it is complete.
import { constants } from 'node:fs'
import { access, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { errorCode } from '../database/error-code.js'
import {
  type BackupDraft,
  type BackupPlace,
  type Chunks,
  isBackupName,
  isStale,
  MANIFEST,
  UNFINISHED,
} from './backup-place.js'

export function folderPlace(root: string): BackupPlace {
  return {
    address: root,
    async begin(name, now) {
      await mkdir(root, { recursive: true, mode: 0o700 })
      for (const left of await readdir(root)) {
        if (isStale(left, now)) await rm(join(root, left), { recursive: true, force: true })
      }
      await mkdir(join(root, name + UNFINISHED), { mode: 0o700 })
      return draftIn(root, name)
    },
    async names() {
      const found = (await readdir(root).catch(ifAbsent)) ?? []
      const complete: string[] = []
      for (const name of found.filter(isBackupName).sort()) {
        if (await isThere(join(root, name, MANIFEST))) complete.push(name)
      }
      return complete
    },
    open: (name) => storedIn(join(root, name)),
    async remove(name) {
      // By its other name first: what is half removed must not look like a backup.
      const doomed = join(root, name + UNFINISHED)
      await rename(join(root, name), doomed)
      await rm(doomed, { recursive: true, force: true })
    },
    close: () => undefined,
  }
}

/** What `restore` was given may be one backup, or the folder that holds several. */
export async function splitFolder(path: string): Promise<{ root: string; name: string | undefined }> {
  return (await isThere(join(path, MANIFEST)))
    ? { root: dirname(path), name: basename(path) }
    : { root: path, name: undefined }
}

const storedIn = (folder: string) => ({
  address: folder,
  async read(path: string) {
    const file = await open(join(folder, path), 'r').catch(ifAbsent)
    return file?.createReadStream()
  },
})

function draftIn(root: string, name: string): BackupDraft {
  const folder = join(root, name + UNFINISHED)
  return {
    ...storedIn(folder),
    async write(path, source) {
      await mkdir(dirname(join(folder, path)), { recursive: true, mode: 0o700 })
      await writeFlushed(join(folder, path), source)
    },
    async finish(manifest) {
      await writeFlushed(join(folder, MANIFEST), [Buffer.from(manifest)])
      await flushFolders(folder)
      await rename(folder, join(root, name))
      await flush(root)
    },
    discard: () => rm(folder, { recursive: true, force: true }),
  }
}

async function writeFlushed(path: string, source: Chunks): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of source) await file.writeFile(chunk)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** A new file is on disk when its folder is. */
async function flushFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await flushFolders(join(folder, entry.name))
  }
  await flush(folder)
}

async function flush(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const isThere = (path: string): Promise<boolean> =>
  access(path, constants.F_OK).then(
    () => true,
    () => false,
  )

function ifAbsent(error: unknown): undefined {
  if (errorCode(error) !== 'ENOENT') throw error
}
