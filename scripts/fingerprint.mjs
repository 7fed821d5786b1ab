// What a number of files hold, as one word, for those who build only what has changed. By content: times say little
// after a checkout, a copy or the build of a container. They do say that nothing was touched since the last look, so
// that most starts need not read thousands of files.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))
const notes = join(root, 'node_modules/.cache/parley')

/** `name` is where the last look is noted. */
export function fingerprint(name, files) {
  const seen = hashOf(files, (file) => {
    const { size, mtimeMs, ctimeMs, ino } = statSync(file)
    return `${size} ${mtimeMs} ${ctimeMs} ${ino}`
  })
  const note = join(notes, name)
  const [seenBefore, known] = existsSync(note) ? readFileSync(note, 'utf8').split('\n') : []
  if (seenBefore === seen && known) return known
  const content = hashOf(files, (file) => readFileSync(file))
  try {
    mkdirSync(notes, { recursive: true })
    writeFileSync(note, `${seen}\n${content}\n`)
  } catch {
    // Where nothing may be written, the files are read each time.
  }
  return content
}

function hashOf(files, partOf) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(`\n${relative(root, file)}\n`).update(partOf(file))
  return hash.digest('hex')
}

/** All files below a folder, sorted; of those with an ending where one is given. */
export function filesIn(folder, ending = '') {
  if (!existsSync(folder)) return []
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort()
}
