import { Session } from 'node:inspector/promises'
import { expect, it } from 'vitest'
import { read } from '../content/reading.ts'
import { readDefaults } from '../domain/pages/reading.ts'
import { atOnce } from '../lib/in-steps.ts'
import { deriveInSteps } from './run.ts'
import { samplePage } from './sample-page.ts'

const pages = 20

function readOne(number: number): void {
  const url = `https://sample.invalid/${number}`
  const capture = { requestedUrl: url, url, status: 200, headers: [['content-type', 'text/html; charset=utf-8']] as const, body: new TextEncoder().encode(samplePage(number)), engine: 'http' as const, proxy: 'basic' as const, tlsVerified: true, truncated: false, at: 0 }
  atOnce(deriveInSteps(read(capture, readDefaults), { formats: [{ type: 'markdown' }], read: readDefaults, parsers: [], explain: false, discover: true }))
}

/** How many functions of this project ran, and how many calls of them there were per page, after all was loaded. */
async function counted(): Promise<{ readonly functions: number; readonly calls: number }> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  // What is optimised before counting begins is not counted, and how much that is depends on how busy the machine is.
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  for (let i = 0; i < pages; i++) readOne(i)
  await session.post('Profiler.takePreciseCoverage')
  for (let i = 0; i < pages; i++) readOne(i)
  const { result } = await session.post('Profiler.takePreciseCoverage')
  session.disconnect()
  const counts = result.filter(({ url }) => url.includes('/src/')).flatMap(({ functions }) => functions.map(({ ranges }) => ranges[0]?.count ?? 0)).filter((count) => count > 0)
  return { functions: counts.length, calls: counts.reduce((sum, count) => sum + count, 0) / pages }
}

// The first thousands of pages of a process pay for each function that has to be compiled and optimised (docs/performance.md).
// A rule that exceeds this should first ask for something cheap that the pages it is for must have.
it('the rules for unusual pages cost an ordinary page little', async () => {
  const { functions, calls } = await counted()
  expect(functions).toBeLessThan(1_260)
  expect(calls).toBeLessThan(48_500)
  // The counting itself works.
  expect(functions).toBeGreaterThan(500)
})
