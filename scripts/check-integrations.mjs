// The packages for automation platforms by the rules of their platforms: n8n's types and linters on clients/n8n, which
// is also built as it is published, and Zapier's schema on clients/zapier. What cannot be installed here is skipped and
// said. What they do against a real server is tested in packages/server/test/clients. Usage: node
// scripts/check-integrations.mjs
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run, Skipped } from './generated-clients/tools.mjs'

const packages = [
  { name: 'n8n', scripts: ['check', 'build'] },
  { name: 'zapier', scripts: ['check'] },
]

const outcomes = { passed: [], failed: [], skipped: [] }
await Promise.all(packages.map(async (one) => outcomes[await outcomeOf(one)].push(one.name)))
if (outcomes.failed.length > 0) process.exitCode = 1
const told = Object.entries(outcomes).filter(([, names]) => names.length > 0)
console.log(`Integrations: ${told.map(([word, names]) => `${names.join(' and ')} ${word}`).join(', ')}`)

async function outcomeOf({ name, scripts }) {
  const cwd = join(root, 'clients', name)
  try {
    await install(cwd)
    for (const script of scripts) await run('npm', ['run', '--silent', script], { cwd })
    if (name === 'n8n') requirePublished(cwd)
    return 'passed'
  } catch (error) {
    console.error(`${name}: ${error.message}`)
    return error instanceof Skipped ? 'skipped' : 'failed'
  }
}

/** Exactly what the lock file says, without any scripts of others. A lock file that does not fit is our mistake. */
async function install(cwd) {
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  await run('npm', args, { cwd }).catch((error) => {
    if (/EUSAGE|EINTEGRITY/.test(error.message)) throw error
    throw new Skipped(`it could not be installed: ${error.message.slice(-300)}`)
  })
}

/** n8n loads the files that the package names. */
function requirePublished(cwd) {
  const { n8n } = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'))
  const missing = [...n8n.nodes, ...n8n.credentials].filter((file) => !existsSync(join(cwd, file)))
  if (missing.length > 0) throw new Error(`The build leaves out ${missing.join(', ')}`)
}
