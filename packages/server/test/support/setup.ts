// Runs for every test file.
import { afterEach } from 'vitest'
import { closeAll } from './after-each.js'

afterEach(closeAll)
