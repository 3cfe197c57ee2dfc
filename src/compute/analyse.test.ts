import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loopCpuMsOf, slowness } from '../../test/cpu.ts'
import type { Call } from '../domain/call.ts'
import { pack } from '../domain/pages/packed.ts'
import type { JsonCase } from '../formats/analysis/json.ts'
import { compute } from './index.ts'

const entry = new URL('../../dist/compute/worker.js', import.meta.url)
const call: Call = { id: 'c', team: 't', signal: new AbortController().signal, deadline: Date.now() + 60_000, retention: 'normal', log: () => undefined }
/** The longest CPU time that one page may hold the calling thread (R20), in milliseconds. */
const moment = 50

const words = 'tide gauge harbour '.repeat(30_000)
const judged = (text: string, answer: unknown): JsonCase => ({ text, title: 'T', urls: [], answers: [answer], draft: null, schema: null })
const many = (count: number, value: (at: number) => unknown): unknown => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, value(at)]))
/** A thread that never finishes one particular text, and returns any other. */
const endless = new URL(`data:text/javascript,${encodeURIComponent("import { parentPort } from 'node:worker_threads'; parentPort.postMessage({ ready: true }); parentPort.on('message', ({ input }) => { if (input.text === 'endless') for (;;); parentPort.postMessage({ value: input.text }) })")}`)

describe('an analysis of pages and answers', () => {
  let reader: ReturnType<typeof compute>
  beforeAll(async () => {
    reader = compute({ entry })
    await reader.analyse('chunks', { text: 'warm', limit: 5 }, call)
  })
  afterAll(() => reader.close())

  const heldFor = async (work: () => Promise<unknown>): Promise<number> => {
    const before = loopCpuMsOf(process.pid)
    await work()
    return loopCpuMsOf(process.pid) - before
  }

  // The inputs are created outside of the measurement.
  const cases: readonly (readonly [string, JsonCase])[] = [
    ['a long page of the words that are looked for', judged(words, many(60, (at) => `tide gauge harbour tide ${at} x`))],
    ['dates', judged('1 1 2024 '.repeat(10_000), many(8, (at) => `2024-01-${String(at + 1).padStart(2, '0')}`))],
    ['digits without end', judged('1 '.repeat(60_000), many(60, (at) => at * 1.5))],
    ['brackets without end', judged('['.repeat(100_000) + ']('.repeat(50_000), many(20, () => 'a b c'))],
  ]
  it.each(cases)('holds its caller for a moment at most: %s', async (_, input) => {
    expect(await heldFor(() => reader.analyse('judged', input, call))).toBeLessThan(moment * slowness())
  })

  it('blocks its caller only briefly, even for a megabyte page with a model’s answer', async () => {
    const bytes = pack({ fields: { markdown: words, rawHtml: words }, metadata: {}, verdict: 'ok', scriptDemand: null, confidence: 1, removals: [], warnings: [] }).bytes()
    expect(await heldFor(() => reader.analyse('assembled', { bytes, parts: [{ json: { a: 'tide' } }], clean: [], part: 'content', grounds: true, passing: false, without: [], saved: false }, call))).toBeLessThan(moment * slowness())
  })

  it('is aborted if it takes too long, and the next one works', async () => {
    const hasty = compute({ entry: endless, threads: 1, maxMs: 4_000 })
    await expect(hasty.analyse('judged', judged('endless', {}), call)).rejects.toMatchObject({ code: 'SCRAPE_TIMEOUT' })
    expect(await hasty.analyse('judged', judged('the next', {}), call)).toBe('the next')
    await hasty.close()
  })
})
