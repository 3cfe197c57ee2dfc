import { describe, expect, it } from 'vitest'
import { read } from '../content/reading.ts'
import { readDefaults } from '../domain/pages/reading.ts'
import { samplePage } from './sample-page.ts'
import { warmUp } from './warm-up.ts'

const options = { pages: 5, budgetMs: 1_000, isIdle: () => true, signal: new AbortController().signal }

/** A clock that advances by `ms` with each read, and a record of the pauses. */
function clock(ms: number) {
  const rests: number[] = []
  let time = 0
  return { rests, cpuMs: () => (time += ms), sleep: async (rest: number) => void rests.push(rest) }
}

describe('warming up', () => {
  it('reads the requested number of pages, and yields after each', async () => {
    const { rests, ...time } = clock(10)
    expect([await warmUp({ ...options, ...time }), rests]).toEqual([5, [0, 0, 0, 0, 0]])
  })

  it('ends after enough work, or on abort', async () => {
    expect(await warmUp({ ...options, ...clock(400) })).toBe(3)
    expect(await warmUp({ ...options, ...clock(1), signal: AbortSignal.abort() })).toBe(0)
  })

  it('waits while a request is served, and does not count that time', async () => {
    const { rests, ...time } = clock(10)
    const looks = [true, false, false, true]
    expect([await warmUp({ ...options, pages: 2, isIdle: () => looks.shift() ?? true, ...time }), rests]).toEqual([2, [0, 50, 50, 0]])
  })

  it('uses different pages that are read like real ones: it keeps their content and removes what surrounds it', () => {
    const bodies = Array.from({ length: 20 }, (_, i) => samplePage(i))
    expect(new Set(bodies).size).toBe(20)
    for (const body of bodies) {
      const capture = { requestedUrl: 'https://sample.invalid/', url: 'https://sample.invalid/', status: 200, headers: [], body: new TextEncoder().encode(body), engine: 'http' as const, proxy: 'basic' as const, tlsVerified: true, truncated: false, at: 0 }
      const page = read(capture, readDefaults)
      expect([page.isSmall(), page.markdown().startsWith('# '), page.markdown().includes('## '), page.markdown().length > 800, page.markdown().includes('Accept'), page.verdict()]).toEqual([true, true, true, true, false, 'ok'])
    }
  })
})
