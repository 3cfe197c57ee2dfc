import { expect, it } from 'vitest'
import type { Call } from '../domain/call.ts'
import type { Engine, Order } from '../domain/pages/capture.ts'
import { browserEngine, type VisitTerms } from './browser.ts'

it('pages of one visitor share a context: those of the same team, host and tier', async () => {
  const asked: (string | undefined)[] = []
  const files: Engine = { name: 'http', can: new Set(), cost: 1, fetch: () => Promise.reject(new Error('no file')) }
  const source = { use: (terms: VisitTerms) => (asked.push(terms.shared), Promise.reject(new Error('no page'))) }
  const engine = browserEngine(source, { clock: { now: () => 0 }, maxBytes: 1_000, files })
  const fetched = (url: string, more: Partial<Order>, team = 'a'): Promise<void> => {
    const call: Call = { id: 'c', team, signal: new AbortController().signal, deadline: 1_000, retention: 'normal', log: () => undefined }
    return engine.fetch({ url, headers: {}, languages: ['en'], skipTlsVerification: true, ...more }, call).then(() => undefined, () => undefined)
  }
  await fetched('https://one.example/a', {})
  for (const path of ['a', 'b']) await fetched(`https://one.example/${path}`, { visitor: 'crawl' })
  await fetched('https://two.example/a', { visitor: 'crawl' })
  await fetched('https://one.example/a', { visitor: 'crawl', tier: 'enhanced' })
  await fetched('https://one.example/a', { visitor: 'crawl' }, 'b')
  expect([asked[0], asked[1] === asked[2], new Set(asked.slice(1)).size]).toEqual([undefined, true, 4])
})
