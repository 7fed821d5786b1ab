// The version of this server, as its package says: one place, which `scripts/version.mjs` keeps equal everywhere.
import { readFileSync } from 'node:fs'
import { packageFolder } from '../database/package-folder.js'

const { version: own } = JSON.parse(readFileSync(new URL('package.json', packageFolder), 'utf8')) as {
  version: string
}

export const version: string = own
