import { defineConfig } from 'vitest/config'

const hourMs = 3_600_000

export default defineConfig({
  test: { environment: 'node', include: ['test/**/*.torture.ts'], setupFiles: ['test/setup.ts'], maxWorkers: 2, testTimeout: hourMs, hookTimeout: 120_000, retry: 0 },
})
