import { defineConfig } from 'vitest/config'

/** Suites that run for either tier of the browser: here for the one that `npm test` leaves out. */
const ofTiers = ['src/engines/browser.test.ts', 'src/browser/device/device.test.ts', 'test/browser/egress.test.ts']

const hourMs = 3_600_000

export default defineConfig({
  test: { environment: 'node', include: ['test/**/*.torture.ts', 'test/**/*.slow.ts', ...ofTiers], env: { TRAWL_TEST_TIER: 'enhanced' }, setupFiles: ['test/setup.ts'], maxWorkers: 2, testTimeout: hourMs, hookTimeout: 120_000, retry: 0 },
})
