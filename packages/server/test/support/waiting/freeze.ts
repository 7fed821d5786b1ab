// Stops a process where it is. The signal takes effect a moment after it was sent, in which the process may still answer.
import { readdir, readFile } from 'node:fs/promises'
import { until } from '../until.js'

export async function freeze(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP')
  if (process.platform === 'linux')
    await until(
      () => threadStates(pid),
      (states) => states.every((state) => state === 'T'),
    )
}

/** A letter for each thread; `T` is one that is stopped. */
async function threadStates(pid: number): Promise<(string | undefined)[]> {
  const folder = `/proc/${pid}/task`
  const stats = await Promise.all((await readdir(folder)).map((thread) => readFile(`${folder}/${thread}/stat`, 'utf8')))
  return stats.map((stat) => /\) (\w)/.exec(stat)?.[1])
}
