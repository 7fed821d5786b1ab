// What the system knows of a process: when it began, so that a recycled number is not mistaken for it, and its command
// line. Linux is asked through /proc, because slim images have no `ps`; other systems through `ps`.

import { execFile } from 'node:child_process'
import { access, readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { promisify } from 'node:util'
import { errorCode } from '../database/error-code.js'

interface RunningProcess {
  /** Unlike that of any other process that ever had this number; compared, never read. */
  startedAt: string
  command: string
}

/** Undefined when nobody has the number, and for a zombie: it is dead, only its parent has not asked yet. */
export async function findProcess(pid: number): Promise<RunningProcess | undefined> {
  if (!hasNumber(pid)) return undefined
  if (process.platform !== 'linux') return await askPs(pid)
  // Where /proc is not mounted a number that is taken has to count as the process itself: refusing a start harms less
  // than two servers.
  return (await isMounted()) ? await askProc(pid) : { startedAt: '', command: '' }
}

/**
 * Process numbers mean something only within this: another container, or another machine on shared storage, has its
 * own.
 */
export async function numberSpace(): Promise<string> {
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '')
  return `${hostname()} ${namespace}`
}

function hasNumber(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

async function isMounted(): Promise<boolean> {
  return await access('/proc/self/stat').then(
    () => true,
    () => false,
  )
}

async function askProc(pid: number): Promise<RunningProcess | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    // The name stands in parentheses and may hold any character; after it come the state (field 3) and the start in
    // ticks since boot (field 22).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8')
    return { startedAt: `${boot.trim()} ${fields[19]}`, command: command.replaceAll('\0', ' ').trim() }
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes(errorCode(error) ?? '')) return undefined
    throw error
  }
}

const lstartLength = 'Sat Nov 15 01:57:00 2025'.length

async function askPs(pid: number): Promise<RunningProcess | undefined> {
  try {
    const options = { env: { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' }, timeout: 10_000 }
    const { stdout } = await promisify(execFile)(
      'ps',
      ['-ww', '-p', String(pid), '-o', 'lstart=', '-o', 'stat=', '-o', 'command='],
      options,
    )
    const line = stdout.trim()
    const [, state = '', command = ''] = /^(\S+)\s*(.*)$/.exec(line.slice(lstartLength).trim()) ?? []
    return state.startsWith('Z') ? undefined : { startedAt: line.slice(0, lstartLength), command }
  } catch (error) {
    if ((error as { code?: unknown }).code === 1) return undefined
    throw error
  }
}
