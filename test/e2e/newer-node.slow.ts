import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { dataDirOfTest, jobEnd, leaves, linksTo, numbered, siteWith, startJob } from '../crawls.ts'
import { newerNode } from '../newer-node.ts'
import { startTrawl, type TestService } from '../service.ts'
import type { Page, Pages } from '../site/page.ts'

beforeAll(() => newerNode(), 240_000)

const paths = numbered(12)

/** Delays the pages, so that a kill hits between them. */
function slowly(pages: Pages): Pages {
  const slow = (page: Page): Page => async (visit, answer) => {
    await visit.later(150)
    await page(visit, answer)
  }
  return Object.fromEntries(Object.entries(pages).map(([path, page]) => [path, slow(page)]))
}

/** The log as JSON; throws if a line is not JSON. */
const logged = (trawl: TestService): readonly unknown[] => trawl.output().trim().split('\n').map((line) => JSON.parse(line) as unknown)

// Newer versions of Node use their own SQLite for the embedded store, Node 20 uses that of a package. Each must
// continue on the files that the other left behind when it was killed.
it.each([
  ['Node 20', 'Node 26', async () => [process.execPath, await newerNode()] as const],
  ['Node 26', 'Node 20', async () => [await newerNode(), process.execPath] as const],
])('work that was killed under %s continues under %s', { timeout: 60_000 }, async (_former, _later, nodes) => {
  const [former, later] = await nodes()
  const site = await siteWith({ '/': linksTo(...paths), ...slowly(leaves(...paths)) })
  const dataDir = dataDirOfTest()
  const start = async (node: string): Promise<TestService> => {
    const trawl = await startTrawl({ node, dataDir, settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8', TRAWL_CHROMIUM_PATH: '/none' } })
    onTestFinished(async () => void (await trawl.stop()))
    return trawl
  }
  const first = await start(former)
  const page = await first.scrape({ url: site.url('/') })
  const id = await startJob(first, 'crawl', { url: site.url('/'), maxConcurrency: 2, scrapeOptions: { maxAge: 0 } })
  await expect.poll(async () => (await first.call('GET', `/v2/crawl/${id}`)).json.completed, { timeout: 20_000 }).toBeGreaterThan(2)
  await first.stop('SIGKILL')
  const second = await start(later)
  expect((await second.call('GET', `/v2/scrape/${page.json.data.metadata.scrapeId}`)).text).toBe(page.text)
  const job = await jobEnd(second, id)
  expect([job.status.status, job.paths]).toEqual(['completed', ['/', ...paths].sort()])
  expect(await second.stop()).toBe(0)
  for (const trawl of [first, second]) expect(logged(trawl).length).toBeGreaterThan(1)
})

// HTTP upgrades, address space, child processes and shutdown have differed between versions.
const runtimeTests = ['test/e2e/job-sockets.test.ts', 'test/e2e/lifecycle.test.ts', 'src/parsers/parsers.test.ts', 'src/compute/run.test.ts']

it('tests that depend on the runtime pass on Node 26', { timeout: 240_000 }, async () => {
  const run = promisify(execFile)(await newerNode(), ['node_modules/vitest/vitest.mjs', 'run', '--no-color', ...runtimeTests], { maxBuffer: 2 ** 26 })
  const { stdout } = await run.catch((error: { readonly stdout: string; readonly stderr: string }) => expect.fail(error.stdout + error.stderr))
  expect(stdout).toMatch(new RegExp(`Test Files {2}${runtimeTests.length} passed`))
})
