import { configDefaults, defineConfig } from 'vitest/config'

/** Tests of what keeps nothing in its process: their files share one, so what they import is loaded once. */
const together = 'src/{app,content,domain,formats,http,lib,llm,search,spec,worker}/**/*.test.ts'

export default defineConfig({
  test: {
    environment: 'node',
    setupFiles: ['test/setup.ts'],
    // A test starts servers, databases and browsers, and waits for them about as long as it works: more than these at once only makes each slower.
    maxWorkers: 3,
    testTimeout: 15_000,
    hookTimeout: 60_000,
    // A test that fails now and then is a fault to be found, not to be tried again.
    retry: 0,
    restoreMocks: true,
    projects: [
      { extends: true, test: { name: 'together', include: [together], isolate: false } },
      { extends: true, test: { name: 'apart', include: ['src/**/*.test.ts', 'test/**/*.test.ts'], exclude: [...configDefaults.exclude, together] } },
    ],
  },
})
