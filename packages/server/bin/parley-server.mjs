#!/usr/bin/env node
// The command itself. It is a file of its own because npm links commands at install, when nothing is built yet.
import { existsSync } from 'node:fs'

const main = new URL('../program/main.js', import.meta.url)
if (existsSync(main)) await import(main.href)
else {
  console.error('Parley is not built yet. Run: npm run build')
  process.exitCode = 1
}
