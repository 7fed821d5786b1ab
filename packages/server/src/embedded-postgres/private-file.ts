// Files that only the service may read. They appear whole or not at all, also when the disk is full or the power fails.

import { randomBytes } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import type { Owner } from './unprivileged-account.js'

/**
 * Exclusive creation and a rename follow no symbolic link at the file's own name, so a superuser may write into a
 * folder of the unprivileged account without being led elsewhere.
 */
export async function writePrivateFile(path: string, text: string, owner?: Owner): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString('hex')}.new`
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(text)
      if (owner !== undefined && process.getuid?.() === 0) await file.chown(owner.uid, owner.gid)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
