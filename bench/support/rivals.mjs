// The job queues that Parley is measured against, installed into a temporary folder: the newest lines that run on Node
// 20.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newSecret } from '../../packages/server/dist/delivery/attempt/sign.js'
import { newId } from '../../packages/server/dist/store/id.js'
import { sampleBody } from './webhook-load.mjs'

const packages = ['pg-boss@10.4.2', 'graphile-worker@0.17.3']

export function installRivals() {
  const folder = mkdtempSync(join(tmpdir(), 'parley-rivals-'))
  writeFileSync(join(folder, 'package.json'), '{"private": true}')
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent', ...packages], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return { folder, names: packages, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

const jobs = (count) => {
  const secret = newSecret()
  const body = sampleBody('01KJQH7VM8T6M3N5P7R9V0XCZ4')
  return Array.from({ length: count }, () => ({ id: newId(new Date()), body, secret }))
}

export async function fillPgBoss(folder, url, count) {
  const PgBoss = createRequire(`${folder}/package.json`)('pg-boss')
  const boss = new PgBoss({ connectionString: url, schedule: false })
  await boss.start()
  await boss.createQueue('webhooks')
  for (let at = 0; at < count; at += 1_000)
    await boss.insert(
      jobs(Math.min(1_000, count - at)).map(({ id, body, secret }) => ({
        id,
        name: 'webhooks',
        data: { body, secret },
      })),
    )
  await boss.stop({ graceful: false })
}

export async function fillGraphile(folder, url, count) {
  const { makeWorkerUtils } = createRequire(`${folder}/package.json`)('graphile-worker')
  const utils = await makeWorkerUtils({ connectionString: url })
  await utils.migrate()
  for (let at = 0; at < count; at += 1_000)
    await utils.addJobs(jobs(Math.min(1_000, count - at)).map((payload) => ({ identifier: 'webhook', payload })))
  await utils.release()
}
