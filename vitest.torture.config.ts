import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { environment: 'node', include: ['test/torture/*.torture.ts'], setupFiles: ['test/setup.ts'], maxWorkers: 1, hookTimeout: 120_000, retry: 0 },
})
