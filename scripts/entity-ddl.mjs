// Prints the DDL of entities from the registry: what the migration of a new entity starts from.
// Usage: node scripts/entity-ddl.mjs [slug …]
import { storedEntities } from '../packages/contract/dist/index.js'
import { tableDdl } from '../packages/server/dist/store/entity-ddl.js'

const slugs = process.argv.slice(2)
const wanted = storedEntities.filter(({ slug }) => slugs.length === 0 || slugs.includes(slug))
console.log(wanted.map(tableDdl).join('\n\n'))
