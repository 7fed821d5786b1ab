// The compiler leaves pictures behind: puts the icons beside whatever shows them.
import { copyFileSync } from 'node:fs'

for (const folder of ['credentials', 'nodes/Parley', 'nodes/ParleyTrigger'])
  for (const icon of ['parley.svg', 'parley.dark.svg']) copyFileSync(`${folder}/${icon}`, `dist/${folder}/${icon}`)
