import { defineConfig } from 'vitest/config'

/** Suites that run for either tier of the browser: here for the one that `npm test` leaves out. */
const ofTiers = ['src/engines/browser.test.ts', 'src/browser/device/device.test.ts', 'test/browser/egress.test.ts']

const minuteMs = 60_000

export default defineConfig({
  test: {
    environment: 'node',
    env: { TRAWL_TEST_TIER: 'enhanced' },
    setupFiles: ['test/setup.ts'],
    maxWorkers: 2,
    hookTimeout: 2 * minuteMs,
    retry: 0,
    projects: [
      { extends: true, test: { name: 'torture', include: ['test/**/*.torture.ts'], testTimeout: 60 * minuteMs } },
      // One that hangs is to be named, not to take the time of all others.
      { extends: true, test: { name: 'slow', include: ['test/**/*.slow.ts', ...ofTiers], testTimeout: 5 * minuteMs } },
    ],
  },
})
