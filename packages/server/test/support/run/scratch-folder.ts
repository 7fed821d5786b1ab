// A new folder for what does not outlive the run: in memory where there is plenty, because the databases of the tests
// are made and written out again and again, and a disk takes its time for that.
import { chmod, mkdtemp, readFile, realpath, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
const plentyBytes = 4 * 1024 ** 3

/** Any account may enter it: the embedded database runs as its own. */
export async function makeScratchFolder(prefix: string): Promise<string> {
  const place = (await isFit().catch(() => false)) ? memory : tmpdir()
  const folder = await realpath(await mkdtemp(join(place, prefix)))
  await chmod(folder, 0o755)
  return folder
}

/** Some containers have little of it, or run no programs from it. */
async function isFit(): Promise<boolean> {
  const mounts = (await readFile('/proc/mounts', 'utf8')).split('\n').map((line) => line.split(' '))
  const [, , , options] = mounts.find(([, place]) => place === memory) ?? []
  const { bavail, bsize } = await statfs(memory)
  return options !== undefined && !options.split(',').includes('noexec') && bavail * bsize > plentyBytes
}
