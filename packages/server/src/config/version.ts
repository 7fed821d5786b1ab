// The version of this server, as its package says: one place, which `scripts/version.mjs` keeps equal everywhere.
import { readFileSync } from 'node:fs'

const { version: own } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

export const version: string = own
