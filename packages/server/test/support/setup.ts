// Runs for every test file.
import { afterEach } from 'vitest'
import { newId } from '../../src/store/id.js'
import { closeAll } from './after-each.js'

// Ids rise within a process, and the file before this one may have set its clock ahead: only a long step back starts
// them again at this file's own time.
newId(new Date(1))

afterEach(closeAll)
