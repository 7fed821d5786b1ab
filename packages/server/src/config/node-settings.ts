// What a node is: where it listens, what it keeps its data in, and what it tells of itself.
import {
  blobPlace,
  duration,
  host,
  httpUrl,
  integer,
  namedServers,
  oneOf,
  origins,
  path,
  postgresUrl,
  requestSampling,
  type Setting,
  secretText,
  trustedProxies,
  urlOf,
} from './setting-kinds.js'

const minute = 60_000

export const nodeSettings = {
  port: {
    name: 'PORT',
    kind: integer(0, 65_535),
    default: '3000',
    meaning: 'TCP port of the API; 0 takes any free one.',
  },
  host: { name: 'HOST', kind: host, default: '127.0.0.1', meaning: 'Address to listen on; `0.0.0.0` or `::` for all.' },
  databaseUrl: {
    name: 'DATABASE_URL',
    kind: postgresUrl('read-write', 'primary'),
    meaning:
      'Your PostgreSQL, 15 or later. With several hosts (`postgresql://user@one:5432,two:5432/parley`) ' +
      'the one that can be written to. `connect_timeout` in it says how many seconds connecting may take (5). ' +
      'Unset: the server runs its own PostgreSQL in the data folder.',
  },
  databaseReadUrl: {
    name: 'DATABASE_READ_URL',
    kind: postgresUrl('any', 'read-only', 'standby', 'prefer-standby'),
    meaning:
      'Standbys of `DATABASE_URL` that reads go to, as a URL with one or several hosts; they show all that was ' +
      'written before. Unset: everything is read from `DATABASE_URL`.',
  },
  readWaitMs: {
    name: 'PARLEY_READ_WAIT',
    kind: duration({ min: 0, max: 10_000 }),
    default: '100ms',
    meaning: 'How long a read waits for a standby to catch up before it goes to the primary.',
  },
  shards: {
    name: 'DATABASE_SHARDS',
    kind: namedServers('main'),
    meaning:
      'More PostgreSQL servers that organizations live on, as `a=postgresql://…,b=postgresql://…`; the one of ' +
      '`DATABASE_URL` is `main`, and the directory. The same on every node. Unset: everything is in one server.',
  },
  redisUrl: {
    name: 'REDIS_URL',
    kind: urlOf('redis', 'rediss', 'unix'),
    meaning: 'Redis that shares rate limits between nodes. Unset: each node counts for itself.',
  },
  dataDir: {
    name: 'PARLEY_DATA_DIR',
    kind: path,
    default: '.parley',
    meaning: 'Folder of the embedded database, recordings, the made secret and `first-run.json`.',
  },
  blobPlace: {
    name: 'PARLEY_BLOBS_URL',
    kind: blobPlace,
    meaning:
      'Where recordings and files to import are kept: `file:///folder`, or a bucket of an S3-compatible store, ' +
      '`s3://bucket/prefix?endpoint=https://…&region=…`. Unset: `recordings` in the data folder.',
  },
  blobAddresses: {
    name: 'PARLEY_BLOBS_ADDRESSES',
    kind: oneOf('server', 'store'),
    default: 'server',
    meaning:
      'Who gives out the bytes of recordings: `server` sends them itself, `store` redirects to an address that the ' +
      'store signs; its endpoint must then be one that your clients reach.',
  },
  blobTimeoutMs: {
    name: 'PARLEY_BLOBS_TIMEOUT',
    kind: duration({ min: 100, max: 10 * minute }),
    default: '30s',
    meaning: 'Time that one request to the store may take: 8 MiB at most, larger files go in parts.',
  },
  walArchive: {
    name: 'PARLEY_WAL_ARCHIVE',
    kind: path,
    meaning:
      'Folder that keeps the write-ahead log of the embedded database, so that `parley-server restore --at` can ' +
      'bring back any moment since a backup. Unset: none is kept.',
  },
  publicUrl: {
    name: 'PARLEY_PUBLIC_URL',
    kind: httpUrl,
    meaning: 'Address under which clients reach the API. Unset: the address it listens on.',
  },
  secret: {
    name: 'PARLEY_SECRET',
    kind: secretText(16),
    meaning: 'Encrypts secrets at rest. Required with `DATABASE_URL`; otherwise made in the data folder.',
  },
  corsOrigins: {
    name: 'PARLEY_CORS_ORIGINS',
    kind: origins,
    default: '',
    meaning: 'Origins whose pages may call the API with a Bearer key, separated by commas.',
  },
  trustProxy: {
    name: 'PARLEY_TRUST_PROXY',
    kind: trustedProxies,
    default: 'false',
    meaning:
      'Whose `X-Forwarded-*` headers are believed: `false`, `true`, a number of hops, or addresses ' +
      'and CIDRs separated by commas.',
  },
  retentionDays: {
    name: 'PARLEY_RETENTION_DAYS',
    kind: integer(1, 36_500),
    default: '90',
    meaning: 'Days that events, finished deliveries and deleted records are kept.',
  },
  dbPool: {
    name: 'PARLEY_DB_POOL',
    kind: integer(1, 1_000),
    default: '10',
    meaning: 'Database connections of this node, at most.',
  },
  databaseRestartMs: {
    name: 'PARLEY_DB_RESTART_TIMEOUT',
    kind: duration({ min: 0, max: 60 * minute }),
    default: '1m',
    meaning:
      'How long the server tries to start its embedded PostgreSQL again after that has died, before ' +
      'it ends itself with exit code 1.',
  },
  role: {
    name: 'PARLEY_ROLE',
    kind: oneOf('all', 'api', 'worker'),
    default: 'all',
    meaning: 'What this node does: `api` answers requests, `worker` sends webhooks and fetches recordings, `all` both.',
  },
  logLevel: {
    name: 'LOG_LEVEL',
    kind: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    default: 'info',
    meaning: 'Least severe log line to print.',
  },
  logRequests: {
    name: 'LOG_REQUESTS',
    kind: requestSampling,
    default: 'all',
    meaning:
      'Requests that get a line in the log: `all`, `errors` (status 400 and up), `none`, or a share ' +
      'such as `0.05` (and every status from 500).',
  },
  metricsPort: {
    name: 'METRICS_PORT',
    kind: integer(0, 65_535),
    meaning:
      'Port of its own for `/metrics`, on the same `HOST`; the API then has none. Unset: `/metrics` ' +
      'is on the port of the API.',
  },
  metricsToken: {
    name: 'METRICS_TOKEN',
    kind: secretText(16),
    meaning: 'Token that `/metrics` wants as `Authorization: Bearer`. Unset: whoever reaches the port may read it.',
  },
} as const satisfies Record<string, Setting>
