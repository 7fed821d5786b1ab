// A client of one store: the AWS SDK, loaded when it is first needed, with a limit of time on every request, and with
// errors that say what to do.
import type { S3Client } from '@aws-sdk/client-s3'
import { StartupError } from '../database/startup-error.js'
import type { S3Address } from './s3-address.js'
import { explainS3 } from './s3-trouble.js'

type Sdk = typeof import('@aws-sdk/client-s3') & Pick<typeof import('@aws-sdk/s3-request-presigner'), 'getSignedUrl'>

export interface Connection {
  readonly sdk: Sdk
  readonly client: S3Client
}

export interface ConnectionOptions {
  /** Of one request, and of silence on a connection. */
  readonly timeoutMs: number
}

const CONNECT_MS = 5_000
const SOCKETS = 50
const ATTEMPTS = 3

export async function connect(address: S3Address, { timeoutMs }: ConnectionOptions): Promise<Connection> {
  const sdk = await loadSdk()
  const { endpoint, region } = address
  const agent = { keepAlive: true, maxSockets: SOCKETS }
  const client = new sdk.S3Client({
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
    forcePathStyle: address.isPathStyle,
    maxAttempts: ATTEMPTS,
    // Many stores do not know the newer checksums. Each body carries its MD5 instead, which all of them check.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: Math.min(CONNECT_MS, timeoutMs),
      requestTimeout: timeoutMs,
      throwOnRequestTimeout: true,
      socketTimeout: timeoutMs,
      httpAgent: agent,
      httpsAgent: agent,
    },
  })
  client.middlewareStack.add(
    (next) => (args) =>
      next(args).catch((error: unknown) => {
        throw explainS3(error, address)
      }),
    { step: 'initialize', priority: 'high', name: 'explain' },
  )
  return { sdk, client }
}

async function loadSdk(): Promise<Sdk> {
  try {
    const [sdk, { getSignedUrl }] = await Promise.all([
      import('@aws-sdk/client-s3'),
      import('@aws-sdk/s3-request-presigner'),
    ])
    return { ...sdk, getSignedUrl }
  } catch (error) {
    throw new StartupError(
      'An s3:// address is set, but the optional packages @aws-sdk/client-s3 and @aws-sdk/s3-request-presigner are ' +
        'not installed. Install them, or use a folder.',
      { cause: error },
    )
  }
}
