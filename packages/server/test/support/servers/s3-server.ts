// A real S3-compatible server in a process of its own: versitygw, which keeps buckets as folders.
// `go install github.com/versity/versitygw/cmd/versitygw@v1.8.0` brings it; without it, what needs it is skipped.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../free-port.js'
import { until } from '../until.js'
import { freeze } from '../waiting/freeze.js'

const versitygw = ['versitygw', join(homedir(), 'go/bin/versitygw')].find(
  (command) => spawnSync(command, ['--version']).status === 0,
)
export const hasS3 = versitygw !== undefined
if (!hasS3) console.warn('Skipped: recordings in S3, because there is no versitygw on PATH or in ~/go/bin.')

/** As the AWS tools take them. */
export const s3Credentials = { AWS_ACCESS_KEY_ID: 'parley-tests', AWS_SECRET_ACCESS_KEY: 'a secret of tests only' }

export interface S3Server {
  readonly endpoint: string
  /** `s3://` address of a bucket that is there. */
  readonly url: (bucketAndPrefix?: string) => string
  /** Where a bucket's objects are. */
  readonly folderOf: (bucket: string) => string
  /** Goes away at once, and comes back at the same address. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Answers nothing any more, until it goes on. */
  freeze(): Promise<void>
  goOn(): void
  stop(): Promise<void>
}

export async function startS3(): Promise<S3Server> {
  const root = await mkdtemp(join(tmpdir(), 'parley-s3-'))
  const folderOf = (bucket: string) => join(root, 'buckets', bucket)
  await mkdir(folderOf('recordings'), { recursive: true })
  await mkdir(join(root, 'meta'))
  const port = await freePort()
  let child: ChildProcess | undefined
  const start = async () => {
    const own = ['--port', `127.0.0.1:${port}`, '--quiet', '--keep-alive']
    child = spawn(versitygw ?? '', [...own, 'posix', '--sidecar', join(root, 'meta'), join(root, 'buckets')], {
      env: {
        ...process.env,
        ROOT_ACCESS_KEY: s3Credentials.AWS_ACCESS_KEY_ID,
        ROOT_SECRET_KEY: s3Credentials.AWS_SECRET_ACCESS_KEY,
      },
      stdio: 'ignore',
    })
    await until(() => accepts(port), Boolean)
  }
  const kill = async () => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'close')
    child.kill('SIGKILL')
    await gone
  }
  await start()
  const endpoint = `http://127.0.0.1:${port}`
  return {
    endpoint,
    url: (place = 'recordings') => `s3://${place}?endpoint=${endpoint}`,
    folderOf,
    kill,
    start,
    freeze: () => freeze(child?.pid ?? Number.NaN),
    goOn: () => void child?.kill('SIGCONT'),
    async stop() {
      await kill()
      await rm(root, { recursive: true, force: true })
    },
  }
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
