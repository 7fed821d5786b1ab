// Environment → frozen Config: one table says every setting's name, kind, default and meaning, and the reference page
// is made from it. This is the only reader of process.env. It reports everything that is wrong at once, so that an
// operator mends it in one go.
import { providerSettings } from './provider-settings.js'
import {
  cidrs,
  duration,
  durations,
  host,
  httpUrl,
  httpUrls,
  integer,
  issuerUrl,
  type Kind,
  mailAddress,
  oneOf,
  origins,
  path,
  rate,
  requestSampling,
  secretText,
  text,
  trustedProxies,
  urlOf,
} from './setting-kinds.js'

interface Setting {
  readonly name: string
  readonly kind: Kind<unknown>
  /** As the operator would write it. Absent: the setting may stay unset. */
  readonly default?: string
  readonly meaning: string
}

const minute = 60_000
const day = 24 * 60 * minute
const MiB = 1024 * 1024

const table = {
  port: {
    name: 'PORT',
    kind: integer(0, 65_535),
    default: '3000',
    meaning: 'TCP port of the API; 0 takes any free one.',
  },
  host: { name: 'HOST', kind: host, default: '127.0.0.1', meaning: 'Address to listen on; `0.0.0.0` or `::` for all.' },
  databaseUrl: {
    name: 'DATABASE_URL',
    kind: urlOf('postgres', 'postgresql'),
    meaning: 'Your PostgreSQL, 15 or later. Unset: the server runs its own PostgreSQL in the data folder.',
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
  oidcIssuer: {
    name: 'PARLEY_OIDC_ISSUER',
    kind: issuerUrl,
    meaning:
      'OpenID Connect issuer. With a client, people sign in there; with an audience, its own tokens are taken in the `__session` cookie.',
  },
  oidcAudience: {
    name: 'PARLEY_OIDC_AUDIENCE',
    kind: text,
    meaning: 'Audience that a token in the cookie must be made for. Goes with the issuer.',
  },
  oidcClientId: {
    name: 'PARLEY_OIDC_CLIENT_ID',
    kind: text,
    meaning:
      'Client that this server is at the issuer, for signing in. Its callback is `/sign-in/callback` under `PARLEY_PUBLIC_URL`.',
  },
  oidcClientSecret: {
    name: 'PARLEY_OIDC_CLIENT_SECRET',
    kind: secretText(8),
    meaning: 'Secret of that client.',
  },
  oidcOrgClaim: {
    name: 'PARLEY_OIDC_ORG_CLAIM',
    kind: text,
    default: 'org_id',
    meaning: 'Claim that holds the organization id.',
  },
  oidcRoleClaim: {
    name: 'PARLEY_OIDC_ROLE_CLAIM',
    kind: text,
    default: 'role',
    meaning: 'Claim that holds the role: `owner`, `agent` or `viewer`.',
  },
  smtpUrl: {
    name: 'PARLEY_SMTP_URL',
    kind: urlOf('smtp', 'smtps'),
    meaning: 'Server that mail goes out by: invitations and links to a new password. Unset: no mail is sent.',
  },
  smtpFrom: {
    name: 'PARLEY_SMTP_FROM',
    kind: mailAddress,
    meaning: 'Address that mail comes from. Goes with the server.',
  },
  sessionIdleMs: {
    name: 'PARLEY_SESSION_IDLE_TIMEOUT',
    kind: duration({ min: 1_000, max: 366 * day }),
    default: '168h',
    meaning: 'A session of someone who signed in here ends when it was not used for so long.',
  },
  sessionLifetimeMs: {
    name: 'PARLEY_SESSION_LIFETIME',
    kind: duration({ min: 1_000, max: 366 * day }),
    default: '720h',
    meaning: 'A session of someone who signed in here ends after so long, however much it is used.',
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
      'Whose `X-Forwarded-*` headers are believed: `false`, `true`, a number of hops, or addresses and CIDRs separated by commas.',
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
      'How long the server tries to start its embedded PostgreSQL again after that has died, before it ends itself with exit code 1.',
  },
  rateLimitRead: {
    name: 'PARLEY_RATE_LIMIT_READ',
    kind: rate,
    default: '100:200',
    meaning: 'GET and HEAD requests of a tenant: `sustained:burst`, sustained per second.',
  },
  rateLimitWrite: {
    name: 'PARLEY_RATE_LIMIT_WRITE',
    kind: rate,
    default: '30:60',
    meaning: 'All other requests of a tenant, in the same form.',
  },
  webhookRetryDelaysMs: {
    name: 'PARLEY_WEBHOOK_RETRY_DELAYS',
    kind: durations(8, { min: 0, max: 30 * day }),
    default: '0s,1m,5m,15m,1h,6h,12h,24h',
    meaning: 'Waits before the eight attempts of a webhook delivery.',
  },
  webhookTimeoutMs: {
    name: 'PARLEY_WEBHOOK_TIMEOUT',
    kind: duration({ min: 1, max: 5 * minute }),
    default: '10s',
    meaning: 'Time that one attempt may take, from the name look-up to the response headers.',
  },
  webhookAllowNetworks: {
    name: 'PARLEY_WEBHOOK_ALLOW_NETWORKS',
    kind: cidrs,
    default: '',
    meaning: 'Addresses and CIDRs that webhooks may reach besides public addresses, separated by commas.',
  },
  recordingAllowNetworks: {
    name: 'PARLEY_RECORDING_ALLOW_NETWORKS',
    kind: cidrs,
    default: '',
    meaning: 'Addresses and CIDRs that recordings may be fetched from besides public addresses, separated by commas.',
  },
  modelUrls: {
    name: 'PARLEY_MODEL_URLS',
    kind: httpUrls,
    default: '',
    meaning:
      'Base addresses of OpenAI-compatible models that organizations may connect to, separated by commas, such as https://api.openai.com/v1.',
  },
  recordingTimeoutMs: {
    name: 'PARLEY_RECORDING_TIMEOUT',
    kind: duration({ min: 1, max: 30 * minute }),
    default: '2m',
    meaning: 'Time that one attempt to fetch a recording may take, to its last byte.',
  },
  recordingRetryDelaysMs: {
    name: 'PARLEY_RECORDING_RETRY_DELAYS',
    kind: durations(6, { min: 0, max: 30 * day }),
    default: '5s,30s,2m,10m,1h,6h',
    meaning: 'Waits before the six further attempts to fetch a recording.',
  },
  ...providerSettings,
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
  stallTimeoutMs: {
    name: 'PARLEY_STALL_TIMEOUT',
    kind: duration({ min: 100, max: 5 * minute }),
    default: '30s',
    meaning:
      'Time without progress after which a client that does not read its answer, or does not send the rest of its request, is disconnected.',
  },
  unsentBytesPerTenant: {
    name: 'PARLEY_UNSENT_BYTES_PER_TENANT',
    kind: integer(1, 2 ** 40),
    default: String(32 * MiB),
    meaning:
      'Bytes of answers of a tenant that may wait for its clients to read them; past that it gets 503 until they have.',
  },
  unsentBytes: {
    name: 'PARLEY_UNSENT_BYTES',
    kind: integer(1, 2 ** 40),
    default: String(256 * MiB),
    meaning: 'The same for all tenants of this node together; past that, those with more than an equal share get 503.',
  },
  connectionsPerAddress: {
    name: 'PARLEY_CONNECTIONS_PER_ADDRESS',
    kind: integer(1, 1_000_000),
    default: '1000',
    meaning: 'Connections that may be open from one address. Proxies named in `PARLEY_TRUST_PROXY` are not counted.',
  },
  logRequests: {
    name: 'LOG_REQUESTS',
    kind: requestSampling,
    default: 'all',
    meaning:
      'Requests that get a line in the log: `all`, `errors` (status 400 and up), `none`, or a share such as `0.05` (and every status from 500).',
  },
  metricsPort: {
    name: 'METRICS_PORT',
    kind: integer(0, 65_535),
    meaning:
      'Port of its own for `/metrics`, on the same `HOST`; the API then has none. Unset: `/metrics` is on the port of the API.',
  },
  metricsToken: {
    name: 'METRICS_TOKEN',
    kind: secretText(16),
    meaning: 'Token that `/metrics` wants as `Authorization: Bearer`. Unset: whoever reaches the port may read it.',
  },
} as const satisfies Record<string, Setting>

type Table = typeof table
type Value<S> = S extends { kind: Kind<infer T> } ? (S extends { default: string } ? T : T | undefined) : never
type Values = { readonly [Key in keyof Table]: Value<Table[Key]> }
type OidcKey =
  | 'oidcIssuer'
  | 'oidcAudience'
  | 'oidcOrgClaim'
  | 'oidcRoleClaim'
  | 'oidcClientId'
  | 'oidcClientSecret'
  | 'smtpUrl'
  | 'smtpFrom'

export interface Config extends Omit<Values, OidcKey> {
  readonly openIdClient:
    | { readonly issuer: string; readonly clientId: string; readonly clientSecret: string }
    | undefined
  readonly smtp: { readonly url: string; readonly from: string } | undefined
  readonly oidc:
    | { readonly issuer: string; readonly audience: string; readonly orgClaim: string; readonly roleClaim: string }
    | undefined
}

/** The settings as data, in the order of the reference page. `default` is null where there is none. */
export const settings: readonly { readonly name: string; readonly default: string | null; readonly meaning: string }[] =
  Object.values<Setting>(table).map((setting) => ({
    name: setting.name,
    default: setting.default ?? null,
    meaning: setting.meaning,
  }))

export class ConfigError extends Error {
  override readonly name = 'ConfigError'

  constructor(readonly problems: readonly string[]) {
    super(['The settings are wrong:', ...problems].join('\n  '))
  }
}

export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const problems: string[] = []
  const entries = Object.entries<Setting>(table).map(([key, setting]) => [key, readSetting(setting, env, problems)])
  problems.push(...missingPartners(env), ...unknownNames(env))
  if (problems.length > 0) throw new ConfigError(problems)
  return freezeDeeply(groupsOf(Object.fromEntries(entries) as Values))
}

/** Settings that make sense together only. */
function groupsOf(values: Values): Config {
  const { oidcIssuer, oidcAudience, oidcOrgClaim, oidcRoleClaim, oidcClientId, oidcClientSecret, ...others } = values
  const { smtpUrl, smtpFrom, ...rest } = others
  return {
    ...rest,
    oidc:
      oidcIssuer && oidcAudience
        ? { issuer: oidcIssuer, audience: oidcAudience, orgClaim: oidcOrgClaim, roleClaim: oidcRoleClaim }
        : undefined,
    openIdClient:
      oidcIssuer && oidcClientId && oidcClientSecret
        ? { issuer: oidcIssuer, clientId: oidcClientId, clientSecret: oidcClientSecret }
        : undefined,
    smtp: smtpUrl && smtpFrom ? { url: smtpUrl, from: smtpFrom } : undefined,
  }
}

/** An empty value counts as unset: a compose file writes `NAME=` for what it leaves out. */
function given(env: NodeJS.ProcessEnv, name: string): string | undefined {
  return env[name] === '' ? undefined : env[name]
}

function readSetting(setting: Setting, env: NodeJS.ProcessEnv, problems: string[]): unknown {
  const written = given(env, setting.name) ?? setting.default
  if (written === undefined) return undefined
  const value = setting.kind.read(written)
  if (value === undefined)
    problems.push(`${setting.name} is ${setting.kind.show(written)}; expected ${setting.kind.expected}`)
  return value
}

function missingPartners(env: NodeJS.ProcessEnv): string[] {
  const needs = [
    ['DATABASE_URL', 'PARLEY_SECRET', 'at least 16 characters, the same on every node'],
    // With a client people sign in at the issuer; without one its tokens are taken, which need an audience.
    ...(given(env, 'PARLEY_OIDC_CLIENT_ID') === undefined
      ? [['PARLEY_OIDC_ISSUER', 'PARLEY_OIDC_AUDIENCE', 'the audience that the cookie is made for'] as const]
      : []),
    ['PARLEY_OIDC_AUDIENCE', 'PARLEY_OIDC_ISSUER', 'the https URL of the issuer'],
    ['PARLEY_OIDC_CLIENT_ID', 'PARLEY_OIDC_ISSUER', 'the https URL of the issuer'],
    ['PARLEY_OIDC_CLIENT_ID', 'PARLEY_OIDC_CLIENT_SECRET', 'the secret of that client'],
    ['PARLEY_OIDC_CLIENT_SECRET', 'PARLEY_OIDC_CLIENT_ID', 'the client whose secret it is'],
    ['PARLEY_SMTP_URL', 'PARLEY_SMTP_FROM', 'the address that mail comes from'],
    ['PARLEY_SMTP_FROM', 'PARLEY_SMTP_URL', 'the server that mail goes out by'],
  ] as const
  return needs
    .filter(([has, needed]) => given(env, has) !== undefined && given(env, needed) === undefined)
    .map(([has, needed, expected]) => `${needed} is not set; with ${has}, expected ${expected}`)
}

/** The client's settings are ignored, so that one `.env` file can serve both. */
const namesOfTheClient = ['PARLEY_API_KEY', 'PARLEY_BASE_URL']

function unknownNames(env: NodeJS.ProcessEnv): string[] {
  const known = new Set([...settings.map(({ name }) => name), ...namesOfTheClient])
  return Object.keys(env)
    .filter((name) => name.startsWith('PARLEY_') && !known.has(name) && given(env, name) !== undefined)
    .map((name) => `${name} is not a setting; did you mean ${nearestSetting(name)}?`)
}

/** Names are compared without their prefix, so that PARLEY_PORT leads to PORT. */
function nearestSetting(name: string): string {
  const bare = (full: string) => full.replace(/^PARLEY_/, '')
  const byDistance = settings.map((setting) => ({
    name: setting.name,
    distance: editDistance(bare(name), bare(setting.name)),
  }))
  return byDistance.reduce((nearest, candidate) => (candidate.distance < nearest.distance ? candidate : nearest)).name
}

/** Levenshtein's distance, one row of the matrix at a time. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (let column = 1; column <= to.length; column++) {
      const replaced = at(row, column - 1) + (letter === to[column - 1] ? 0 : 1)
      next.push(Math.min(replaced, at(row, column) + 1, at(next, column - 1) + 1))
    }
    row = next
  }
  return at(row, to.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}

function freezeDeeply<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(freezeDeeply)
  return Object.freeze(value)
}
