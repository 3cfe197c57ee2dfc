import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    environment: 'node',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    // A test starts servers, databases and browsers: more of them at once only makes each slower.
    maxWorkers: 2,
    testTimeout: 15_000,
    hookTimeout: 60_000,
    // A test that fails now and then is a fault to be found, not to be tried again.
    retry: 0,
    restoreMocks: true,
  },
})
