import { configDefaults, defineConfig } from 'vitest/config'
import { LongestFirst } from './vitest.sequencer.js'

const all = 'packages/*/test/**/*.test.ts'

/**
 * What takes minutes: tests that open a browser, kill processes under load, or start and lose whole servers and
 * databases. `npm test` leaves them to `npm run test:long`; CI runs both.
 */
const long = [
  'packages/cockpit/test/!(house-rules).test.ts',
  'packages/sdk/test/{away,cli-guide}.test.ts',
  'packages/server/test/{backup,embedded-postgres,shards}/**/*.test.ts',
  'packages/server/test/**/*-{crash,restart}.test.ts',
  'packages/server/test/database/{failover,pgbouncer,standby-reads}.test.ts',
  'packages/server/test/delivery/worker/delivery-{fairness,workers}.test.ts',
  'packages/server/test/program/serve.test.ts',
]

export default defineConfig(({ mode }) => ({
  test: {
    include: mode === 'long' ? long : [all],
    exclude: [...configDefaults.exclude, ...(mode === 'short' ? long : [])],
    globalSetup: ['packages/server/test/support/run/global-setup.ts'],
    setupFiles: ['packages/server/test/support/run/setup.ts'],
    // Files share the modules of their worker: loading the server anew for each of them takes a fifth of the whole run.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    testTimeout: 600_000,
    // What others do in their own time may take a busy machine longer than the second that is usual.
    expect: { poll: { timeout: 120_000 } },
    hookTimeout: 300_000,
    // Each worker runs servers and loads of its own, and waits for them half of the time: three keep the two cores of a
    // small machine busy, and more only wait for each other.
    maxWorkers: 3,
  },
}))
