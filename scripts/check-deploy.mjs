// Checks what is in deploy/, compose.yaml and the Dockerfile without running them: one version everywhere, the chart's
// output by the schemas of Kubernetes and its refusals, compose.yaml by its schema, the unit by systemd, the samples of
// proxies by the proxies. What a check needs and does not find here is named, and the check skipped.
// Usage: node scripts/check-deploy.mjs
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { needs, pythonTools, root, run, Skipped } from './generated-clients/tools.mjs'

const KUBERNETES = '1.33'
const EXPOSURE_MAX = 2
const chart = join(root, 'deploy/helm/parley')
const temporary = mkdtempSync(join(tmpdir(), 'parley-deploy-'))

const refusals = [
  [['api.replicas=2'], 'Several replicas need a PostgreSQL'],
  [['database.url=postgresql://a@b/c'], 'needs PARLEY_SECRET'],
  [['database.url=postgresql://a@b/c', 'secret.value=0123456789abcdef'], 'one place for recordings'],
  [['settings.PORT=1'], '/settings'],
  [['replicas=3'], 'additional properties'],
]

const checks = {
  async versions() {
    return (await run(process.execPath, ['scripts/version.mjs', '--check'])).trim()
  },
  async chart() {
    needsHelm()
    const schemas = await kubernetesSchemas()
    for (const name of ['one-node', 'several-nodes']) {
      const values = ['--values', join(chart, 'ci', `${name}.yaml`), '--kube-version', `${KUBERNETES}.0`]
      await run('helm', ['lint', '--strict', '--quiet', chart, ...values])
      const rendered = join(temporary, `${name}.yaml`)
      writeFileSync(rendered, execFileSync('helm', ['template', 'parley', chart, ...values]))
      await run(join(schemas, 'bin/kubernetes-validate'), ['--strict', '-k', KUBERNETES, rendered])
    }
    return `one node and several are valid in Kubernetes ${KUBERNETES}`
  },
  refusals() {
    needsHelm()
    for (const [values, reason] of refusals) {
      const sets = values.flatMap((value) => ['--set', value])
      const { status, stderr } = spawnSync('helm', ['template', chart, '--kube-version', `${KUBERNETES}.0`, ...sets])
      if (status === 0 || !String(stderr).includes(reason))
        throw new Error(`The chart should refuse ${values.join(' ')} for "${reason}":\n${stderr}`)
    }
    return `the chart refuses ${refusals.length} mistakes`
  },
  async compose() {
    const { status, error } = spawnSync('docker', ['compose', 'version'], { stdio: 'ignore' })
    if (error || status !== 0) return composeBySchema()
    for (const profile of ['', 'full'])
      await run('docker', ['compose', '--project-directory', root, 'config', '--quiet'], {
        env: { COMPOSE_PROFILES: profile },
      })
    return 'docker compose reads it, with and without its profile'
  },
  async systemd() {
    needs('systemd-analyze')
    const unit = join(root, 'deploy/systemd/parley.service')
    const said = await run('systemd-analyze', ['verify', unit])
    if (said.trim() !== '') throw new Error(said)
    const threshold = [`--threshold=${EXPOSURE_MAX * 10}`, '--offline=true', '--no-pager']
    const report = await run('systemd-analyze', ['security', ...threshold, unit])
    return `the unit is verified; exposure ${report.match(/exposure level for \S+: (\S+)/)?.[1]} of 10`
  },
  caddy() {
    if (spawnSync('caddy', ['version'], { stdio: 'ignore' }).error) throw new Skipped('there is no caddy here')
    const file = join(root, 'deploy/caddy/Caddyfile')
    const { status, stderr } = spawnSync('caddy', ['adapt', '--config', file, '--adapter', 'caddyfile', '--validate'])
    if (status !== 0) throw new Error(String(stderr))
    return 'caddy takes the sample; scripts/try-proxies.mjs runs it'
  },
}

try {
  for (const [name, check] of Object.entries(checks)) {
    try {
      console.log(`${name}: ${await check()}`)
    } catch (error) {
      if (error instanceof Skipped) console.log(`${name}: skipped, ${error.message}`)
      else {
        process.exitCode = 1
        console.error(`${name}: failed\n${error.message}`)
      }
    }
  }
} finally {
  rmSync(temporary, { recursive: true, force: true })
}

function needsHelm() {
  if (spawnSync('helm', ['version'], { stdio: 'ignore' }).error)
    throw new Skipped('there is no helm here (go install helm.sh/helm/v3/cmd/helm@latest)')
}

/** The schemas come with the package, so that nothing is asked of a network when it runs. */
function kubernetesSchemas() {
  return pythonTools('kubernetes-validate', ['kubernetes-validate==1.37.0'])
}

/** By the schema that docker compose itself carries, from its Go module. */
async function composeBySchema() {
  needs('go')
  const python = join(await kubernetesSchemas(), 'bin/python')
  const module = 'github.com/compose-spec/compose-go/v2@v2.9.1'
  const found = spawnSync('go', ['mod', 'download', '-json', module], { cwd: temporary, encoding: 'utf8' })
  if (found.status !== 0) throw new Skipped('neither docker compose nor its schema can be had here')
  const schema = join(JSON.parse(found.stdout).Dir, 'schema/compose-spec.json')
  const program = `
import json, sys, yaml, jsonschema
jsonschema.validate(yaml.safe_load(open(sys.argv[1])), json.load(open(sys.argv[2])))`
  await run(python, ['-c', program, join(root, 'compose.yaml'), schema])
  return `compose.yaml is valid by the schema of ${module}`
}
