import { configDefaults, defineConfig } from 'vitest/config'

/** What changes its process for those who come after, measures all of it, or would be slowed down by what others left in it. */
const own = ['src/net/{coding,dns-queue,https-verified,leftovers}.test.ts', 'src/main/metrics.test.ts', 'src/content/html/{shadow,tokenizer}.test.ts', 'src/compute/**/*.test.ts', 'test/cpu.test.ts', 'test/browser/{egress,protocol}.test.ts', 'test/tooling/spreads.test.ts']
/** What takes long: begun last, it would go on alone while a core has nothing to do. */
const long = ['src/store/{postgres,sqlite,sqlite-thread}.test.ts', 'src/store/{postgres/contention,blobs/s3}.test.ts', 'src/engines/browser.test.ts', 'src/browser/{chromium/packaged,device/device}.test.ts', 'src/parsers/parsers.test.ts', 'src/net/hostile-sites.test.ts']
const apart = [...own, ...long]
const exclude = [...configDefaults.exclude, ...apart]

export default defineConfig({
  test: {
    environment: 'node',
    setupFiles: ['test/setup.ts'],
    // A test starts servers, databases and browsers, and waits for them about as long as it works: more than these at once only makes each slower.
    maxWorkers: 3,
    // For a test that hangs. What must be quick has a bound of its own, which this is not.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What a test waits for comes when the machine gets to it.
    expect: { poll: { timeout: 15_000 } },
    // A test that fails now and then is a fault to be found, not to be tried again.
    retry: 0,
    restoreMocks: true,
    // By name, one after another. The files of a project that does not isolate them share a process: to start one and to load
    // the same into it takes as much as most of them do.
    projects: [
      { extends: true, test: { name: 'apart', include: apart } },
      { extends: true, test: { name: 'services', include: ['test/**/*.test.ts'], exclude, isolate: false } },
      { extends: true, test: { name: 'together', include: ['src/**/*.test.ts'], exclude, isolate: false } },
    ],
  },
})
