// The CPU time that a process and everything below it have used so far, in seconds; undefined where the system has no
// /proc. Children that have ended count with their parent, so nothing that was waited for is missed.
import { existsSync, readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

export function cpuSecondsOfTree(rootPid) {
  if (!existsSync('/proc/self/stat')) return undefined
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(readProcess)
  const tree = new Set([rootPid])
  for (let size = 0; size !== tree.size; ) {
    size = tree.size
    for (const { pid, parent } of processes) if (tree.has(parent)) tree.add(pid)
  }
  const ticks = processes.filter(({ pid }) => tree.has(pid)).reduce((sum, one) => sum + one.ticks, 0)
  return ticks / TICKS_PER_SECOND
}

function readProcess(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [user, system, usersOfChildren, systemsOfChildren] = fields.slice(11, 15).map(Number)
    return [{ pid: Number(pid), parent: Number(fields[1]), ticks: user + system + usersOfChildren + systemsOfChildren }]
  } catch {
    return [] // It ended while we were reading.
  }
}
