// The account that runs the database when the server is started by the superuser, as whom PostgreSQL refuses to run,
// and what that account may enter.

import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StartupError } from '../database/startup-error.js'

export interface Owner {
  uid: number
  gid: number
}

export interface Account extends Owner {
  name: string
}

/**
 * Accounts made for the purpose come before the ones that are merely there; `_postgres` and `daemon` are macOS' names.
 */
const preferred = ['parley', 'postgres', '_postgres', 'nobody', 'daemon']

/**
 * An existing cluster is run by its owner, so that an account added later does not lock the database out of its own
 * files.
 */
export async function chooseAccount(clusterOwner: number | undefined): Promise<Account> {
  const accounts = await readAccounts()
  const owner = accounts.find((account) => account.uid === clusterOwner)
  if (owner !== undefined) return owner
  for (const name of preferred) {
    const account = accounts.find((each) => each.name === name)
    if (account !== undefined) return account
  }
  throw new StartupError(
    'PostgreSQL does not run as root and /etc/passwd has no account postgres or nobody: add one ' +
      'with `useradd --system parley`, start the server as an ordinary user, or set DATABASE_URL',
  )
}

/**
 * System accounts are listed in /etc/passwd on macOS too. Its `nobody` is -2 there, which `spawn` and `chown` do not
 * agree about.
 */
async function readAccounts(): Promise<Account[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const accounts: Account[] = []
  for (const line of text.split('\n')) {
    const [name = '', , uid = '', gid = ''] = line.split(':')
    if (/^\d+$/.test(uid) && /^\d+$/.test(gid) && Number(uid) > 0 && Number(uid) < 2 ** 31)
      accounts.push({ name, uid: Number(uid), gid: Number(gid) })
  }
  return accounts
}

/** The first folder on the way from the root that the account cannot enter, or undefined when the way is free. */
export async function findClosedFolder(path: string, account: Account): Promise<string | undefined> {
  const way: string[] = []
  for (let folder = await realpath(path); ; folder = dirname(folder)) {
    way.unshift(folder)
    if (folder === dirname(folder)) break
  }
  for (const folder of way) {
    if (!(await permits(folder, account, 0o1))) return folder
  }
  return undefined
}

/**
 * Whether the account may read (4) or enter (1) the path itself, by its mode. Lists of further rights are not
 * consulted: a wrong no only costs a copy.
 */
export async function permits(path: string, account: Account, right: 0o4 | 0o1): Promise<boolean> {
  const { uid, gid, mode } = await stat(path)
  const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0
  return ((mode >> shift) & right) !== 0
}
