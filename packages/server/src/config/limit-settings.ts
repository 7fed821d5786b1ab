// How much a node gives to whom.
import { duration, integer, rate, type Setting } from './setting-kinds.js'

const minute = 60_000
const MiB = 1024 * 1024

export const limitSettings = {
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
  rateLimitBatch: {
    name: 'PARLEY_RATE_LIMIT_BATCH',
    kind: rate,
    default: '500:2000',
    meaning: 'Items of batches of a tenant, in the same form; each batch is also one request.',
  },
  importFileBytes: {
    name: 'PARLEY_IMPORT_FILE_BYTES',
    kind: integer(1, 2 ** 40),
    default: String(1024 * MiB),
    meaning:
      'Bytes of a file to import, as it is sent; unpacked it may have 16 times as many. A tenant has room for 4.',
  },
  importLeaseMs: {
    name: 'PARLEY_IMPORT_LEASE',
    kind: duration({ min: 100, max: 60 * minute }),
    default: '30s',
    meaning: 'Time without progress after which another worker goes on with an import.',
  },
  requestLogRate: {
    name: 'PARLEY_REQUEST_LOG_RATE',
    kind: rate,
    default: '20:2000',
    meaning:
      'Requests of a tenant that this node keeps in the request log, in the same form. Those past that are answered ' +
      'like any other and counted in `parley_request_log_dropped_total`.',
  },
  stallTimeoutMs: {
    name: 'PARLEY_STALL_TIMEOUT',
    kind: duration({ min: 100, max: 5 * minute }),
    default: '30s',
    meaning:
      'Time without progress after which a client that does not read its answer, or does not send ' +
      'the rest of its request, is disconnected.',
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
} as const satisfies Record<string, Setting>
