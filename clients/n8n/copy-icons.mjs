// The compiler leaves pictures behind: puts each icon beside the node that shows it.
import { copyFileSync } from 'node:fs'

for (const node of ['Parley', 'ParleyTrigger'])
  copyFileSync(`nodes/${node}/parley.svg`, `dist/nodes/${node}/parley.svg`)
copyFileSync('credentials/parley.svg', 'dist/credentials/parley.svg')
