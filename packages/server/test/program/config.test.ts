// What operators may rely on when they set, mistype or forget a setting.
import { resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig, settings } from '../../src/config/config.js'

function problemsOf(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

const secret = 'a secret of enough letters'

describe('without any setting', () => {
  test('every default is the documented one', () => {
    expect(readConfig({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      databaseUrl: undefined,
      databaseReadUrl: undefined,
      readWaitMs: 100,
      redisUrl: undefined,
      dataDir: resolve('.parley'),
      blobPlace: undefined,
      blobAddresses: 'server',
      blobTimeoutMs: 30_000,
      publicUrl: undefined,
      secret: undefined,
      oidc: undefined,
      openIdClient: undefined,
      smtp: undefined,
      sessionIdleMs: 7 * 86_400_000,
      sessionLifetimeMs: 30 * 86_400_000,
      corsOrigins: [],
      trustProxy: false,
      retentionDays: 90,
      dbPool: 10,
      databaseRestartMs: 60_000,
      rateLimitRead: { sustained: 100, burst: 200 },
      rateLimitWrite: { sustained: 30, burst: 60 },
      rateLimitBatch: { sustained: 500, burst: 2_000 },
      importFileBytes: 1_073_741_824,
      importLeaseMs: 30_000,
      requestLogRate: { sustained: 20, burst: 2_000 },
      webhookRetryDelaysMs: [0, 60_000, 300_000, 900_000, 3_600_000, 21_600_000, 43_200_000, 86_400_000],
      webhookTimeoutMs: 10_000,
      webhookAllowNetworks: [],
      recordingAllowNetworks: [],
      modelUrls: [],
      recordingTimeoutMs: 120_000,
      recordingRetryDelaysMs: [5_000, 30_000, 120_000, 600_000, 3_600_000, 21_600_000],
      role: 'all',
      logLevel: 'info',
      stallTimeoutMs: 30_000,
      unsentBytesPerTenant: 32 * 1_048_576,
      unsentBytes: 256 * 1_048_576,
      connectionsPerAddress: 1_000,
      logRequests: { share: 1, alwaysFrom: 500 },
      metricsPort: undefined,
      metricsToken: undefined,
      platformPort: undefined,
      platformKey: undefined,
      rateLimitPlatform: { sustained: 100, burst: 200 },
      usageFlushMs: 5_000,
      twilioUrl: 'https://api.twilio.com',
      vapiUrl: 'https://api.vapi.ai',
      retellUrl: 'https://api.retellai.com',
      elevenLabsUrl: 'https://api.elevenlabs.io',
      providerTimeoutMs: 10_000,
      rateLimitInbound: { sustained: 50, burst: 200 },
      inboundRetryDelaysMs: [1_000, 2_000, 5_000, 15_000, 60_000, 300_000],
      telemetry: undefined,
    })
  })

  test('an empty value counts as unset', () => {
    const empty = Object.fromEntries(settings.map(({ name }) => [name, '']))
    expect(readConfig(empty)).toEqual(readConfig({}))
  })

  test('the result is frozen, also inside', () => {
    const config = readConfig({ PARLEY_OIDC_ISSUER: 'https://id.example.com', PARLEY_OIDC_AUDIENCE: 'parley' })
    expect(
      [config, config.rateLimitRead, config.webhookRetryDelaysMs, config.corsOrigins, config.oidc].every(
        Object.isFrozen,
      ),
    ).toBe(true)
  })
})

describe('every setting is read', () => {
  test('all at once', () => {
    const config = readConfig({
      PORT: '0',
      HOST: '::',
      DATABASE_URL: 'postgres://parley:p%23ss@db.internal:5433/parley?sslmode=require',
      DATABASE_READ_URL: 'postgres://parley:p%23ss@one.internal,two.internal:5433/parley',
      PARLEY_READ_WAIT: '20ms',
      REDIS_URL: 'rediss://:word@cache.internal:6380/2',
      PARLEY_DATA_DIR: '/var/lib/parley/',
      PARLEY_BLOBS_URL: 's3://audio/parley?endpoint=https://s3.example.com&region=eu-west-1',
      PARLEY_BLOBS_ADDRESSES: 'store',
      PARLEY_BLOBS_TIMEOUT: '5s',
      PARLEY_PUBLIC_URL: 'https://API.example.com/parley/',
      PARLEY_SECRET: secret,
      PARLEY_OIDC_ISSUER: 'https://id.example.com/',
      PARLEY_OIDC_AUDIENCE: 'parley',
      PARLEY_OIDC_ORG_CLAIM: 'https://example.com/org',
      PARLEY_OIDC_ROLE_CLAIM: 'r',
      PARLEY_OIDC_CLIENT_ID: 'parley',
      PARLEY_OIDC_CLIENT_SECRET: 'of the client',
      PARLEY_SMTP_URL: 'smtps://parley:word@mail.internal:465',
      PARLEY_SMTP_FROM: 'Parley <parley@example.com>',
      PARLEY_SESSION_IDLE_TIMEOUT: '12h',
      PARLEY_SESSION_LIFETIME: '48h',
      PARLEY_CORS_ORIGINS: 'https://app.example.com, http://localhost:5173/',
      PARLEY_TRUST_PROXY: '2',
      PARLEY_RETENTION_DAYS: '30',
      PARLEY_DB_POOL: '25',
      PARLEY_DB_RESTART_TIMEOUT: '5m',
      PARLEY_RATE_LIMIT_READ: '5:7',
      PARLEY_RATE_LIMIT_WRITE: '1:1',
      PARLEY_RATE_LIMIT_BATCH: '20:30',
      PARLEY_IMPORT_FILE_BYTES: '1000',
      PARLEY_IMPORT_LEASE: '2s',
      PARLEY_REQUEST_LOG_RATE: '3:4',
      PARLEY_WEBHOOK_RETRY_DELAYS: '0s,10ms,20ms,30ms,40ms, 1s,1m,1h',
      PARLEY_WEBHOOK_TIMEOUT: '150ms',
      PARLEY_WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8,::1,fd00::/8',
      PARLEY_RECORDING_ALLOW_NETWORKS: '10.1.0.0/16',
      PARLEY_MODEL_URLS: 'https://api.example.com/v1/, http://10.0.0.7:8000/v1',
      PARLEY_RECORDING_TIMEOUT: '20s',
      PARLEY_RECORDING_RETRY_DELAYS: '0s,1s,2s,3s,4s,5s',
      PARLEY_ROLE: 'worker',
      LOG_LEVEL: 'silent',
      PARLEY_STALL_TIMEOUT: '2m',
      PARLEY_UNSENT_BYTES_PER_TENANT: '1000000',
      PARLEY_UNSENT_BYTES: '5000000',
      PARLEY_CONNECTIONS_PER_ADDRESS: '50',
      LOG_REQUESTS: '0.25',
      METRICS_PORT: '9100',
      METRICS_TOKEN: 'a token of enough letters',
      PARLEY_PLATFORM_PORT: '9200',
      PARLEY_PLATFORM_KEY: 'pk_0123456789ABCDEFGHJKMNPQRSTVWXYZ',
      PARLEY_RATE_LIMIT_PLATFORM: '11:12',
      PARLEY_USAGE_INTERVAL: '250ms',
      PARLEY_TWILIO_URL: 'http://twilio.internal/',
      PARLEY_VAPI_URL: 'https://vapi.internal',
      PARLEY_RETELL_URL: 'https://retell.internal',
      PARLEY_ELEVENLABS_URL: 'https://elevenlabs.internal',
      PARLEY_PROVIDER_TIMEOUT: '3s',
      PARLEY_RATE_LIMIT_INBOUND: '9:10',
      PARLEY_INBOUND_RETRY_DELAYS: '0s,1ms,2ms,3ms,4ms,5ms',
    })
    expect(config).toEqual({
      port: 0,
      host: '::',
      databaseUrl: 'postgres://parley:p%23ss@db.internal:5433/parley?sslmode=require',
      databaseReadUrl: 'postgres://parley:p%23ss@one.internal,two.internal:5433/parley',
      readWaitMs: 20,
      redisUrl: 'rediss://:word@cache.internal:6380/2',
      dataDir: '/var/lib/parley',
      blobPlace: {
        kind: 's3',
        address: {
          bucket: 'audio',
          prefix: 'parley/',
          endpoint: 'https://s3.example.com',
          region: 'eu-west-1',
          isPathStyle: true,
        },
      },
      blobAddresses: 'store',
      blobTimeoutMs: 5_000,
      publicUrl: 'https://api.example.com/parley',
      secret,
      oidc: {
        issuer: 'https://id.example.com/',
        audience: 'parley',
        orgClaim: 'https://example.com/org',
        roleClaim: 'r',
      },
      openIdClient: { issuer: 'https://id.example.com/', clientId: 'parley', clientSecret: 'of the client' },
      smtp: { url: 'smtps://parley:word@mail.internal:465', from: 'Parley <parley@example.com>' },
      sessionIdleMs: 12 * 3_600_000,
      sessionLifetimeMs: 48 * 3_600_000,
      corsOrigins: ['https://app.example.com', 'http://localhost:5173'],
      trustProxy: 2,
      retentionDays: 30,
      dbPool: 25,
      databaseRestartMs: 300_000,
      rateLimitRead: { sustained: 5, burst: 7 },
      rateLimitWrite: { sustained: 1, burst: 1 },
      rateLimitBatch: { sustained: 20, burst: 30 },
      importFileBytes: 1_000,
      importLeaseMs: 2_000,
      requestLogRate: { sustained: 3, burst: 4 },
      webhookRetryDelaysMs: [0, 10, 20, 30, 40, 1_000, 60_000, 3_600_000],
      webhookTimeoutMs: 150,
      webhookAllowNetworks: ['127.0.0.0/8', '::1/128', 'fd00::/8'],
      recordingAllowNetworks: ['10.1.0.0/16'],
      modelUrls: ['https://api.example.com/v1', 'http://10.0.0.7:8000/v1'],
      recordingTimeoutMs: 20_000,
      recordingRetryDelaysMs: [0, 1_000, 2_000, 3_000, 4_000, 5_000],
      role: 'worker',
      logLevel: 'silent',
      stallTimeoutMs: 120_000,
      unsentBytesPerTenant: 1_000_000,
      unsentBytes: 5_000_000,
      connectionsPerAddress: 50,
      logRequests: { share: 0.25, alwaysFrom: 500 },
      metricsPort: 9_100,
      metricsToken: 'a token of enough letters',
      platformPort: 9_200,
      platformKey: 'pk_0123456789ABCDEFGHJKMNPQRSTVWXYZ',
      rateLimitPlatform: { sustained: 11, burst: 12 },
      usageFlushMs: 250,
      twilioUrl: 'http://twilio.internal',
      vapiUrl: 'https://vapi.internal',
      retellUrl: 'https://retell.internal',
      elevenLabsUrl: 'https://elevenlabs.internal',
      providerTimeoutMs: 3_000,
      rateLimitInbound: { sustained: 9, burst: 10 },
      inboundRetryDelaysMs: [0, 1, 2, 3, 4, 5],
      telemetry: undefined,
    })
  })

  test.each([
    ['true', true],
    ['false', false],
    ['1', 1],
    ['10.0.0.0/8, 192.168.1.1', ['10.0.0.0/8', '192.168.1.1/32']],
  ])('PARLEY_TRUST_PROXY %s', (written, expected) => {
    expect(readConfig({ PARLEY_TRUST_PROXY: written }).trustProxy).toEqual(expected)
  })

  test('servers by name, of which one may have several hosts', () => {
    const written = 'a=postgresql://u:p@x,y/parley, b-2=postgres://u@/z?host=/run/postgresql'
    expect(
      readConfig({ DATABASE_URL: 'postgresql://db/x', PARLEY_SECRET: secret, DATABASE_SHARDS: written }).shards,
    ).toEqual([
      { name: 'a', url: 'postgresql://u:p@x,y/parley' },
      { name: 'b-2', url: 'postgres://u@/z?host=/run/postgresql' },
    ])
    expect(readConfig({}).shards).toBeUndefined()
  })

  test.each(['http://localhost:8080/realms/x', 'http://127.0.0.1:9000', 'http://[::1]:9000'])(
    'an issuer on loopback may be %s',
    (issuer) => {
      expect(readConfig({ PARLEY_OIDC_ISSUER: issuer, PARLEY_OIDC_AUDIENCE: 'x' }).oidc?.issuer).toBe(issuer)
    },
  )
})

describe('a bad value is refused with its name, the value and what is expected', () => {
  const bad: Record<string, readonly string[]> = {
    PORT: ['-1', '65536', '3e3', '80.5', ' 80', 'http', '99999999999999999999'],
    HOST: ['http://localhost', 'a b', '-x', 'localhost:3000'],
    DATABASE_URL: ['mysql://db/parley', 'db.internal/parley', 'postgres:/db', 'postgres://u:p#q@db/parley'],
    DATABASE_SHARDS: [
      'postgresql://db/parley',
      'main=postgresql://db/x',
      'A=postgresql://db/x',
      'a=mysql://db/x',
      'a=postgresql://one,two:x/parley',
      'a=postgresql://db/x?target_session_attrs=standby',
      'a=',
    ],
    DATABASE_READ_URL: [
      'mysql://db/parley',
      'postgres://one,two:x/db',
      'postgres://db/p?target_session_attrs=read-write',
    ],
    PARLEY_READ_WAIT: ['soon', '11s'],
    REDIS_URL: ['http://cache', 'cache:6379', 'redis//cache'],
    PARLEY_DATA_DIR: ['  '],
    PARLEY_WAL_ARCHIVE: [' '],
    PARLEY_BLOBS_URL: [
      'recordings',
      'https://s3.example.com/audio',
      's3://Audio_1',
      's3://audio?endpont=http://x',
      'file://x/y',
    ],
    PARLEY_BLOBS_ADDRESSES: ['s3', 'Server'],
    PARLEY_BLOBS_TIMEOUT: ['5', '1h'],
    PARLEY_PUBLIC_URL: ['api.example.com', 'ftp://x', 'https://x?y', 'https://x#y', 'https://u:p@x', 'https://'],
    PARLEY_OIDC_ISSUER: ['http://id.example.com', 'http://127.0.0.1.example.com', 'id.example.com', 'https://x?y'],
    PARLEY_OIDC_AUDIENCE: ['a b'],
    PARLEY_OIDC_ORG_CLAIM: [' '],
    PARLEY_OIDC_ROLE_CLAIM: ['my role'],
    PARLEY_OIDC_CLIENT_ID: ['my client'],
    PARLEY_SMTP_URL: ['mail.internal', 'http://mail.internal', 'smtp:mail'],
    PARLEY_SMTP_FROM: ['parley', 'a b c', 'Parley parley.example.com'],
    PARLEY_SESSION_IDLE_TIMEOUT: ['7', '10ms', '9000h'],
    PARLEY_SESSION_LIFETIME: ['30d', '0s'],
    PARLEY_CORS_ORIGINS: ['*', 'null', 'https://x/path', 'https://x,', 'https://x https://y'],
    PARLEY_TRUST_PROXY: ['yes', '0', '101', '10.0.0.0/33', '1.5'],
    PARLEY_RETENTION_DAYS: ['0', '-1', '90d', 'Infinity'],
    PARLEY_DB_POOL: ['0', '1001', 'ten'],
    PARLEY_TWILIO_URL: ['api.twilio.com', 'https://u:p@x'],
    PARLEY_VAPI_URL: ['vapi'],
    PARLEY_RETELL_URL: ['ftp://retell'],
    PARLEY_ELEVENLABS_URL: ['https://x?y'],
    PARLEY_PROVIDER_TIMEOUT: ['0s', '2m', '5'],
    PARLEY_RATE_LIMIT_INBOUND: ['50', '0:1'],
    PARLEY_INBOUND_RETRY_DELAYS: ['1s', '1s,2s,5s,15s,1m,never'],
    PARLEY_DB_RESTART_TIMEOUT: ['soon', '61m'],
    PARLEY_RATE_LIMIT_READ: ['100', '0:5', '5:0', '5:5:5', '1.5:2', 'a:b', ':'],
    PARLEY_RATE_LIMIT_WRITE: ['100/200', '-1:2'],
    PARLEY_RATE_LIMIT_BATCH: ['500', '0:1'],
    PARLEY_IMPORT_FILE_BYTES: ['0', '1GB'],
    PARLEY_IMPORT_LEASE: ['10ms', '2h'],
    PARLEY_REQUEST_LOG_RATE: ['20', '20:0'],
    PARLEY_WEBHOOK_RETRY_DELAYS: [
      '0s',
      '0s,1m,5m,15m,1h,6h,12h',
      '0s,1m,5m,15m,1h,6h,12h,24h,48h',
      '0,1,2,3,4,5,6,7',
      '0s,1m,5m,15m,1h,6h,12h,1d',
    ],
    PARLEY_WEBHOOK_TIMEOUT: ['10', '0s', '1.5s', '6m', '10 s', '-1s'],
    PARLEY_WEBHOOK_ALLOW_NETWORKS: [
      '10.0.0.0/33',
      '::/129',
      '10.0.0',
      '010.0.0.1',
      'localhost',
      'fe80::1%eth0',
      '10.0.0.0/8/8',
      '10.0.0.0/',
    ],
    PARLEY_ROLE: ['API', 'both'],
    LOG_LEVEL: ['verbose', 'INFO'],
    PARLEY_STALL_TIMEOUT: ['30', '99ms', '6m', '-1s'],
    PARLEY_UNSENT_BYTES_PER_TENANT: ['0', '32MB', '-1'],
    PARLEY_UNSENT_BYTES: ['0', '1e9'],
    PARLEY_CONNECTIONS_PER_ADDRESS: ['0', 'many', '1000001'],
    PARLEY_RECORDING_ALLOW_NETWORKS: ['10.0.0.0/33', 'localhost'],
    PARLEY_MODEL_URLS: ['api.example.com', 'ftp://x/v1', 'https://x/v1?a=b', 'https://me:secret@x/v1'],
    PARLEY_RECORDING_TIMEOUT: ['0s', '31m', '20'],
    PARLEY_RECORDING_RETRY_DELAYS: ['1s', '1s,1s,1s,1s,1s,1s,1s'],
    LOG_REQUESTS: ['some', '1.1', '-1', '.5'],
    METRICS_PORT: ['65536', 'x'],
    PARLEY_PLATFORM_PORT: ['65536', 'x'],
    PARLEY_RATE_LIMIT_PLATFORM: ['50', '0:1'],
    PARLEY_USAGE_INTERVAL: ['0s', '1h'],
    OTEL_SDK_DISABLED: ['yes', '1'],
    OTEL_EXPORTER_OTLP_ENDPOINT: ['collector:4318', 'grpc://collector'],
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ['/v1/traces'],
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: ['https://u:p@x'],
    OTEL_EXPORTER_OTLP_PROTOCOL: ['grpc', 'http'],
    OTEL_EXPORTER_OTLP_TIMEOUT: ['10s', '0'],
    OTEL_TRACES_EXPORTER: ['console', 'otlp,console'],
    OTEL_METRICS_EXPORTER: ['prometheus'],
    OTEL_SERVICE_NAME: ['my service'],
    OTEL_RESOURCE_ATTRIBUTES: ['alone', '=x', 'a=%zz'],
    OTEL_TRACES_SAMPLER: ['always', 'jaeger_remote'],
    OTEL_TRACES_SAMPLER_ARG: ['2', '-1', '10%'],
    OTEL_PROPAGATORS: ['b3'],
    OTEL_BSP_SCHEDULE_DELAY: ['0', '5s'],
    OTEL_METRIC_EXPORT_INTERVAL: ['1m'],
  }
  const partner: NodeJS.ProcessEnv = {
    PARLEY_SECRET: secret,
    DATABASE_URL: 'postgresql://db/parley',
    PARLEY_OIDC_ISSUER: 'https://id.example.com',
    PARLEY_OIDC_AUDIENCE: 'x',
    PARLEY_OIDC_CLIENT_ID: 'parley',
    PARLEY_OIDC_CLIENT_SECRET: 'of the client',
    PARLEY_SMTP_URL: 'smtp://mail.internal',
    PARLEY_SMTP_FROM: 'parley@example.com',
  }
  const cases = Object.entries(bad).flatMap(([name, values]) => values.map((value) => [name, value] as const))

  test.each(cases)('%s = %j', (name, value) => {
    const problems = problemsOf({ ...partner, [name]: value })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(new RegExp(`^${name} is ".*"; expected \\S.+`))
    if (!value.includes('@')) expect(problems[0]).toContain(JSON.stringify(value))
  })

  test('every setting but the secrets is in this list of bad values', () => {
    const secrets = [
      'PARLEY_SECRET',
      'PARLEY_OIDC_CLIENT_SECRET',
      'PARLEY_PLATFORM_KEY',
      'METRICS_TOKEN',
      'OTEL_EXPORTER_OTLP_HEADERS',
    ]
    expect([...Object.keys(bad), ...secrets].sort()).toEqual(settings.map(({ name }) => name).sort())
  })

  test('all problems are reported at once', () => {
    const env = {
      PORT: 'x',
      LOG_LEVEL: 'loud',
      PARLEY_ROLL: 'api',
      DATABASE_URL: 'postgres://db/parley',
      PARLEY_OIDC_AUDIENCE: 'parley',
    }
    expect(problemsOf(env)).toEqual([
      'PORT is "x"; expected a whole number from 0 to 65535',
      'LOG_LEVEL is "loud"; expected one of fatal, error, warn, info, debug, trace, silent',
      'PARLEY_SECRET is not set; with DATABASE_URL, expected at least 16 characters, the same on every node',
      'PARLEY_OIDC_ISSUER is not set; with PARLEY_OIDC_AUDIENCE, expected the https URL of the issuer',
      'PARLEY_ROLL is not a setting; did you mean PARLEY_ROLE?',
    ])
    expect(() => readConfig(env)).toThrow(/PORT.*LOG_LEVEL.*PARLEY_SECRET.*PARLEY_OIDC_ISSUER.*PARLEY_ROLL/s)
  })
})

describe('what goes to an OpenTelemetry collector', () => {
  const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' }

  test('an endpoint turns it on, with the defaults of the specification', () => {
    expect(readConfig(collector).telemetry).toEqual({
      serviceName: 'parley',
      resource: {},
      protocol: 'http/protobuf',
      headers: {},
      timeoutMs: 10_000,
      traces: {
        url: 'http://collector:4318/v1/traces',
        sampler: 'parentbased_always_on',
        share: 1,
        isPropagated: true,
        everyMs: 5_000,
      },
      metrics: { url: 'http://collector:4318/v1/metrics', everyMs: 60_000 },
    })
  })

  test('everything can be said otherwise, and each half turned off', () => {
    const { telemetry } = readConfig({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example.com/in',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20x, x-team = calls',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=production',
      OTEL_SERVICE_NAME: 'shops',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.05',
      OTEL_PROPAGATORS: 'none',
    })
    expect(telemetry).toMatchObject({
      serviceName: 'shops',
      resource: { 'deployment.environment.name': 'production' },
      headers: { authorization: 'Bearer x', 'x-team': 'calls' },
      traces: { url: 'https://traces.example.com/in', sampler: 'traceidratio', share: 0.05, isPropagated: false },
      metrics: undefined,
    })
    expect(readConfig({ ...collector, OTEL_TRACES_EXPORTER: 'none' }).telemetry?.traces).toBeUndefined()
    expect(readConfig({ ...collector, OTEL_SDK_DISABLED: 'true' }).telemetry).toBeUndefined()
    expect(problemsOf({ ...collector, OTEL_EXPORTER_OTLP_HEADERS: 'a secret' })).toEqual([
      'OTEL_EXPORTER_OTLP_HEADERS is not of this form (its value is not shown); expected name=value separated by ' +
        'commas, special characters percent-encoded',
    ])
  })
})

describe('settings that go together', () => {
  test.each([
    [{ DATABASE_URL: 'postgres://db/parley' }, 'PARLEY_SECRET'],
    [{ DATABASE_URL: 'postgres://db/parley', PARLEY_SECRET: '' }, 'PARLEY_SECRET'],
    [{ PARLEY_OIDC_ISSUER: 'https://id.example.com' }, 'PARLEY_OIDC_AUDIENCE'],
    [{ PARLEY_OIDC_AUDIENCE: 'parley' }, 'PARLEY_OIDC_ISSUER'],
    [{ PARLEY_OIDC_CLIENT_ID: 'parley', PARLEY_OIDC_CLIENT_SECRET: 'of the client' }, 'PARLEY_OIDC_ISSUER'],
    [{ PARLEY_OIDC_ISSUER: 'https://id.example.com', PARLEY_OIDC_CLIENT_ID: 'parley' }, 'PARLEY_OIDC_CLIENT_SECRET'],
    [{ PARLEY_OIDC_CLIENT_SECRET: 'of the client' }, 'PARLEY_OIDC_CLIENT_ID'],
    [{ PARLEY_BLOBS_ADDRESSES: 'store' }, 'PARLEY_BLOBS_URL'],
    [{ PARLEY_BLOBS_ADDRESSES: 'store', PARLEY_BLOBS_URL: '/var/recordings' }, 'PARLEY_BLOBS_URL'],
    [{ PARLEY_SMTP_URL: 'smtp://mail.internal' }, 'PARLEY_SMTP_FROM'],
    [{ PARLEY_SMTP_FROM: 'parley@example.com' }, 'PARLEY_SMTP_URL'],
  ])('%j needs %s', (env, needed) => {
    expect(problemsOf(env)).toEqual([expect.stringMatching(`^${needed} is not set`)])
  })

  test('an issuer with a client needs no audience', () => {
    const env = {
      PARLEY_OIDC_ISSUER: 'https://id.example.com',
      PARLEY_OIDC_CLIENT_ID: 'parley',
      PARLEY_OIDC_CLIENT_SECRET: 'of the client',
    }
    expect(readConfig(env)).toMatchObject({ oidc: undefined, openIdClient: { clientId: 'parley' } })
  })

  test('the log of a database of your own is kept by that one', () => {
    const env = { DATABASE_URL: 'postgres://db/parley', PARLEY_SECRET: secret, PARLEY_WAL_ARCHIVE: '/var/wal' }
    expect(problemsOf(env)).toEqual([expect.stringMatching(/^PARLEY_WAL_ARCHIVE is set; with DATABASE_URL/)])
  })

  test('a database of your own with a secret is enough', () => {
    expect(problemsOf({ DATABASE_URL: 'postgresql:///parley?host=/run/postgresql', PARLEY_SECRET: secret })).toEqual([])
  })
})

describe('nothing secret is shown', () => {
  test('a short secret', () => {
    expect(problemsOf({ METRICS_TOKEN: 'hunter2hunter2!' })).toEqual([
      'METRICS_TOKEN is too short (its value is not shown); expected at least 16 characters',
    ])
    expect(problemsOf({ PARLEY_SECRET: 'hunter2hunter2!' })).toEqual([
      'PARLEY_SECRET is too short (its value is not shown); expected at least 16 characters',
    ])
  })

  test.each([
    ['DATABASE_URL', 'mysql://parley:hunter2@db/parley', '"mysql://***@db/parley"'],
    ['DATABASE_URL', 'mysql://parley:hun@ter2@db/parley', '"mysql://***@db/parley"'],
    ['DATABASE_URL', 'postgres://parley:hun#ter2@db/parley', '"postgres://***@db/parley"'],
    ['DATABASE_URL', 'postgres://parley:hun/t?er#2@db/parley', '"postgres://***@db/parley"'],
    ['DATABASE_URL', 'parley:hunter2@db/parley', '"***@db/parley"'],
    ['DATABASE_URL', 'host=db password=hunter2 user=parley', '"host=db password=***"'],
    ['REDIS_URL', 'http://:hunter2@cache', '"http://***@cache"'],
    ['PARLEY_PUBLIC_URL', 'https://me:hunter2@api.example.com', '"https://***@api.example.com"'],
    ['PARLEY_CORS_ORIGINS', 'https://me:hunter2@x,https://y', '"https://***@x,https://y"'],
  ])('the password in %s = %s', (name, value, shown) => {
    const [problem] = problemsOf({ PARLEY_SECRET: secret, [name]: value })
    expect(problem).toContain(`${name} is ${shown};`)
  })

  test('the value of a mistyped name', () => {
    expect(problemsOf({ PARLEY_SECRETS: 'hunter2' }).join()).not.toContain('hunter2')
  })

  test('any password, in any place of a connection URL', () => {
    const word = fc.string({ minLength: 1 }).map((letters) => `<${letters}>`)
    fc.assert(
      fc.property(word, fc.constantFrom('http://u:', 'postgres//u:', 'u:', 'postgres://u#:'), (password, before) => {
        const problems = problemsOf({ DATABASE_URL: `${before}${password}@db/parley`, PARLEY_SECRET: secret })
        expect(problems).toHaveLength(1)
        expect(problems[0]).not.toContain(JSON.stringify(password).slice(1, -1))
      }),
    )
  })
})

describe('names that are not settings', () => {
  test.each([
    ['PARLEY_RETENTION', 'PARLEY_RETENTION_DAYS'],
    ['PARLEY_RATE_LIMIT', 'PARLEY_RATE_LIMIT_READ'],
    ['PARLEY_PORT', 'PORT'],
    ['PARLEY_DATABASE_URL', 'DATABASE_URL'],
    ['PARLEY_LOG_LEVEL', 'LOG_LEVEL'],
    ['PARLEY_DATADIR', 'PARLEY_DATA_DIR'],
    ['PARLEY_WEBHOOKS_TIMEOUT', 'PARLEY_WEBHOOK_TIMEOUT'],
    ['PARLEY_ODIC_ISSUER', 'PARLEY_OIDC_ISSUER'],
  ])('%s leads to %s', (name, nearest) => {
    expect(problemsOf({ [name]: 'x' })).toEqual([`${name} is not a setting; did you mean ${nearest}?`])
  })

  test("the client's names, other programs' names and empty values are ignored", () => {
    expect(
      problemsOf({
        PARLEY_API_KEY: 'ak_test_x',
        PARLEY_BASE_URL: 'http://x',
        NODE_ENV: 'test',
        PATH: '/bin',
        PORTS: 'x',
        PARLEY_UNSET: '',
      }),
    ).toEqual([])
  })
})

test('the table for the reference page has every setting once, with a meaning, and defaults that readConfig accepts', () => {
  expect(settings.length).toBeGreaterThan(30)
  expect(new Set(settings.map(({ name }) => name)).size).toBe(settings.length)
  expect(settings.filter(({ meaning }) => !/^[A-Z].+\.$/.test(meaning))).toEqual([])
  const defaults = Object.fromEntries(
    settings.flatMap((setting) => (setting.default === null ? [] : [[setting.name, setting.default]])),
  )
  expect(readConfig(defaults)).toEqual(readConfig({}))
})
