// Keeps a processor awake, and gives way to everybody else. Ends with whoever started it.
import { setPriority } from 'node:os'

setPriority(19)
console.log('{"ready":{}}')
const parent = process.ppid
for (let turns = 0; process.ppid === parent; ) for (const before = turns; turns - before < 1e7; ) turns++
