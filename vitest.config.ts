import { defineConfig } from 'vitest/config'
import { LongestFirst } from './vitest.sequencer.js'

export default defineConfig({
  test: {
    include: ['packages/*/test/**/*.test.ts'],
    globalSetup: ['packages/server/test/support/run/global-setup.ts'],
    setupFiles: ['packages/server/test/support/run/setup.ts'],
    // Files share the modules of their worker: loading the server anew for each of them takes a fifth of the whole run.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    testTimeout: 240_000,
    // What others do in their own time may take a busy machine longer than the second that is usual.
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 180_000,
    // Each worker runs servers and loads of its own, and waits for them half of the time: three keep the two cores of a
    // small machine busy, and more only wait for each other.
    maxWorkers: 3,
  },
})
