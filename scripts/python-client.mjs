// The Python client as its users get it: built, installed into an environment of its own, its types checked, and its
// tests and the repair shop's example run against a real server. Without Python or an index to install from it is
// skipped and said. Usage: node scripts/python-client.mjs [arguments for pytest]
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { pythonTools, root, run, Skipped } from './generated-clients/tools.mjs'

const tools = ['httpx==0.28.1', 'typing_extensions==4.16.0', 'hatchling==1.27.0', 'mypy==2.4.1', 'pytest==9.2.0']
const client = join(root, 'clients/python')

try {
  const venv = await environment()
  const tested = spawnSync(join(venv, 'bin/pytest'), ['-q', '-p', 'no:cacheprovider', ...process.argv.slice(2)], {
    cwd: client,
    encoding: 'utf8',
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  })
  const count = (word) => Number(new RegExp(`(\\d+) ${word}`).exec(tested.stdout)?.[1] ?? 0)
  const failed = count('failed') + count('errors?')
  if (tested.status !== 0) console.error(tested.stdout + tested.stderr)
  console.log(`Python client: ${count('passed')} passed, ${failed} failed`)
  process.exitCode = tested.status ?? 1
} catch (error) {
  if (error instanceof Skipped) console.log(`Python client: skipped, ${error.message}`)
  else {
    console.error(`Python client: ${error.message}`)
    process.exitCode = 1
  }
}

/** With the client as `pip install` leaves it, and nothing in its types to complain of. */
async function environment() {
  const venv = await pythonTools('python-client', tools)
  const isOld = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))']).status !== 0
  if (isOld) throw new Skipped('it needs Python 3.10 or later')
  const install = ['install', '--quiet', '--no-build-isolation', '--no-deps', '--force-reinstall', client]
  await run(join(venv, 'bin/pip'), install)
  await run(join(venv, 'bin/mypy'), ['--cache-dir', join(venv, 'mypy')], { cwd: client })
  return venv
}
