// `npm run fuzz`: the contract fuzzer (Schemathesis) against the real server, on an embedded database of its own.
// It is set up in `.fuzz/` on first use. `--ci` takes the fixed seed and the short run, and is skipped, with a line
// that says why, where Python or the package index is missing. `--seed N` repeats a run; what follows `--` goes to
// Schemathesis.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const settings = join(root, 'scripts/fuzz')
const cache = join(root, '.fuzz')
const START_MS = 300_000
const CI_SEED = '9'

const [ours, theirs] = split(process.argv.slice(2))
const isCi = ours.includes('--ci')
const seed = isCi ? CI_SEED : (ours[ours.indexOf('--seed') + 1 || -1] ?? String(Math.floor(Math.random() * 1e9)))

const st = setUp()
if (st === undefined) process.exit(isCi ? 0 : 1)
process.exit(await fuzz(st))

function split(args) {
  const at = args.indexOf('--')
  return at < 0 ? [args, []] : [args.slice(0, at), args.slice(at + 1)]
}

/**
 * The command of Schemathesis, installed when the pinned versions are not there yet; undefined where that cannot be.
 */
function setUp() {
  const requirements = join(settings, 'requirements.txt')
  const [venv, stamp] = [join(cache, 'venv'), join(cache, 'installed.txt')]
  const bin = join(venv, process.platform === 'win32' ? 'Scripts' : 'bin')
  const wanted = readFileSync(requirements, 'utf8')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return join(bin, 'st')
  mkdirSync(cache, { recursive: true })
  rmSync(venv, { recursive: true, force: true })
  console.log('Setting up Schemathesis in .fuzz/ …')
  const steps = [
    ['python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))'], 'Python 3.10 or newer is not there'],
    [
      'python3',
      ['-m', 'venv', venv],
      'Python cannot make a virtual environment (Debian: apt-get install python3-venv)',
    ],
    [
      join(bin, 'python'),
      ['-m', 'pip', 'install', '--quiet', '--requirement', requirements],
      'the package index cannot be reached',
    ],
  ]
  for (const [command, args, problem] of steps) {
    if (spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0) continue
    console.log(`The contract fuzzer was skipped: ${problem}.`)
    return undefined
  }
  writeFileSync(stamp, wanted)
  return join(bin, 'st')
}

async function fuzz(st) {
  const home = mkdtempSync(join(tmpdir(), 'parley-fuzz-'))
  // As root the database runs as another user, who must be able to enter.
  chmodSync(home, 0o755)
  const server = startServer(join(home, 'data'))
  try {
    const target = await untilReady(join(home, 'data'), server)
    const status = await run(st, target, join(home, 'report.json'))
    return tell(join(home, 'report.json')) && status === 0 ? 0 : 1
  } finally {
    const ended = server.exitCode ?? new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGTERM')
    await ended
    rmSync(home, { recursive: true, force: true })
  }
}

/** Only the API: webhooks to made-up addresses are queued and never sent. */
function startServer(data) {
  const env = {
    PATH: process.env.PATH,
    PORT: '0',
    PARLEY_DATA_DIR: data,
    PARLEY_ROLE: 'api',
    PARLEY_RATE_LIMIT_READ: '1000000:1000000',
    PARLEY_RATE_LIMIT_WRITE: '1000000:1000000',
    LOG_LEVEL: 'error',
    LOG_REQUESTS: 'none',
  }
  return spawn(process.execPath, [join(root, 'packages/server/dist/main.js'), 'serve'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** Where the server listens, its sandbox key, and the id of that key. */
async function untilReady(data, server) {
  const file = join(data, 'first-run.json')
  const until = Date.now() + START_MS
  while (Date.now() < until && server.exitCode === null) {
    const { baseUrl, keys } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
    const isReady =
      baseUrl &&
      (await fetch(`${baseUrl}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ))
    if (isReady) {
      const url = `${baseUrl}/api/v1`
      const listed = await fetch(`${url}/api-keys`, { headers: { authorization: `Bearer ${keys.test}` } })
      return { url, key: keys.test, keyId: (await listed.json()).data[0].id }
    }
    await sleep(50)
  }
  throw new Error('The server did not start')
}

function run(st, { url, key, keyId }, report) {
  // Batches and exports are one code for all entities: those of people and tasks stand for all in the short run.
  const alike = '^/(?!people/|tasks/)[a-z-]+/(batch|export)$'
  const size = isCi ? ['--max-examples', '3', '--exclude-path-regex', alike] : []
  const args = [
    '--config-file',
    join(settings, 'schemathesis.toml'),
    'run',
    `${url}/openapi.json`,
    '--seed',
    seed,
    ...size,
  ]
  const env = {
    ...process.env,
    FUZZ_URL: url,
    FUZZ_KEY: key,
    FUZZ_OWN_KEY_ID: keyId,
    SCHEMATHESIS_HOOKS: 'hooks',
    PYTHONPATH: settings,
  }
  const child = spawn(st, [...args, '--report', 'json', '--report-json-path', report, ...theirs], {
    cwd: cache,
    env,
    stdio: 'inherit',
  })
  return new Promise((resolve) => child.once('exit', resolve))
}

/** The figures in one paragraph, and whether nothing was found. */
function tell(report) {
  if (!existsSync(report)) return false
  const {
    schemathesis_version: version,
    operations,
    test_cases: cases,
    failures,
    running_time: seconds,
    complete,
  } = JSON.parse(readFileSync(report, 'utf8'))
  console.log(
    `\nContract fuzzer (Schemathesis ${version}, seed ${seed}): ${operations.tested} of ${operations.total} operations,`,
  )
  console.log(
    `${cases.generated} requests in ${Math.round(seconds)} s, ${cases.unique_failures} findings${complete ? '' : ', stopped before the end'}.`,
  )
  for (const { title, count, operations: where } of failures)
    console.log(`  ${count} × ${title}: ${where.slice(0, 5).join(', ')}${where.length > 5 ? ', …' : ''}`)
  return cases.unique_failures === 0 && operations.errored === 0
}
