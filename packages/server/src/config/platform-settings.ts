// The platform API: where it listens, how much it takes, and how the operator's commands reach it.
import { duration, integer, rate, type Setting, secretText } from './setting-kinds.js'

export const platformSettings = {
  platformPort: {
    name: 'PARLEY_PLATFORM_PORT',
    kind: integer(0, 65_535),
    meaning:
      'Port of its own for `/platform/v1`, on the same `HOST`; the API then has none. Unset: it is on the port of ' +
      'the API. Either way it answers 404 until a platform key is minted.',
  },
  platformKey: {
    name: 'PARLEY_PLATFORM_KEY',
    kind: secretText(16),
    meaning: 'Platform key that the operator’s commands use with `--url`. A server has no use for it.',
  },
  rateLimitPlatform: {
    name: 'PARLEY_RATE_LIMIT_PLATFORM',
    kind: rate,
    default: '100:200',
    meaning: 'Requests with one platform key: `sustained:burst`, for reads and again for writes.',
  },
  usageFlushMs: {
    name: 'PARLEY_USAGE_INTERVAL',
    kind: duration({ min: 10, max: 10 * 60_000 }),
    default: '5s',
    meaning:
      'How often this node adds the requests and bytes it has served to the usage of organizations. A crash loses ' +
      'what was not added yet.',
  },
} as const satisfies Record<string, Setting>
