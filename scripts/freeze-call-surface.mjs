// Writes down the promised shape of the call surface. Run it only when an optional key was added; the test refuses
// everything else. Usage: node scripts/freeze-call-surface.mjs
import { writeFileSync } from 'node:fs'
import { callSurface } from '../packages/contract/dist/index.js'

writeFileSync(
  new URL('../packages/contract/call-surface.frozen.json', import.meta.url),
  `${JSON.stringify(callSurface, null, 2)}\n`,
)
