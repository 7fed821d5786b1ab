// Runs for every test file.
import { afterAll, afterEach } from 'vitest'
import { newId } from '../../../src/store/id.js'
import { closeAll } from '../after-each.js'
import { noteShared } from './shared-worker.js'

// Ids rise within a process, and the file before this one may have set its clock ahead: only a long step back starts
// them again at this file's own time.
newId(new Date(1))

const restoreShared = noteShared()

afterEach(closeAll)
afterAll(() => {
  const changed = restoreShared()
  if (changed.length > 0)
    throw new Error(`This file leaves changed what the next one meets: ${changed.join(', ')}. Restore it in afterEach.`)
})
