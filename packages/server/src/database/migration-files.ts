// The numbered migrations as files. How one runs is in its name: `0001_x.sql` in a transaction while a node starts,
// `0002_x.concurrent.sql` and `0003_x.batch.sql` beside serving nodes.
import { readdir, readFile } from 'node:fs/promises'
import { packageFolder } from './package-folder.js'

export type MigrationKind = 'transaction' | 'concurrent' | 'batch'

export interface Migration {
  readonly name: string
  readonly kind: MigrationKind
  readonly text: string
}

export const migrationFolder = new URL('src/database/migrations/', packageFolder)

const filesOf = new Map<string, Promise<Migration[]>>()

/** Read once: they do not change while a node runs. */
export function readMigrations(folder: URL): Promise<Migration[]> {
  const known = filesOf.get(folder.href) ?? readFolder(folder)
  filesOf.set(folder.href, known)
  return known
}

async function readFolder(folder: URL): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => ({ name, kind: kindOf(name), text: await readFile(new URL(name, folder), 'utf8') })),
  )
}

function kindOf(name: string): MigrationKind {
  if (name.endsWith('.concurrent.sql')) return 'concurrent'
  return name.endsWith('.batch.sql') ? 'batch' : 'transaction'
}

export interface ConcurrentStatement {
  readonly text: string
  readonly index: string
  /** The table of an index that is made; undefined for one that goes. */
  readonly table: string | undefined
}

const concurrentForm =
  /^(?:create(?: unique)? index concurrently if not exists\s+(\w+)\s+on\s+(\w+)|drop index concurrently if exists\s+(\w+))/

/** Each statement makes or drops one index, so that what a crash left half-made can be told and made again. */
export function concurrentStatements({ name, text }: Migration): ConcurrentStatement[] {
  const statements = text
    .replace(/^--.*$/gm, '')
    .split(';')
    .map((one) => one.trim())
    .filter((one) => one !== '')
  return statements.map((statement) => {
    const match = concurrentForm.exec(statement)
    if (match === null)
      throw new Error(
        `${name} may only create or drop indexes concurrently, "if (not) exists": ${statement.slice(0, 80)}`,
      )
    return { text: statement, index: match[1] ?? match[3] ?? '', table: match[2] }
  })
}
