import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Suites that run for either tier of the browser: here for the one that `npm test` leaves out. */
const ofTiers = ['src/engines/browser.test.ts', 'src/browser/device/device.test.ts', 'test/browser/egress.test.ts']

const minuteMs = 60_000

/** What takes minutes goes first: begun last, it would go on alone while a core has nothing to do. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const long = (file: TestSpecification): boolean => file.moduleId.endsWith('.torture.ts')
    return [...sorted.filter(long), ...sorted.filter((file) => !long(file))]
  }
}

export default defineConfig({
  test: {
    environment: 'node',
    env: { TRAWL_TEST_TIER: 'enhanced' },
    setupFiles: ['test/setup.ts'],
    maxWorkers: 2,
    hookTimeout: 2 * minuteMs,
    expect: { poll: { timeout: minuteMs / 2 } },
    retry: 0,
    sequence: { sequencer: LongestFirst },
    projects: [
      { extends: true, test: { name: 'torture', include: ['test/**/*.torture.ts'], testTimeout: 60 * minuteMs } },
      // One that hangs is to be named, not to take the time of all others.
      { extends: true, test: { name: 'slow', include: ['test/**/*.slow.ts', ...ofTiers], testTimeout: 5 * minuteMs } },
    ],
  },
})
