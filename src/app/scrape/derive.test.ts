import { expect, it } from 'vitest'
import type { Call } from '../../domain/call.ts'
import type { Capture } from '../../domain/pages/capture.ts'
import { pack } from '../../domain/pages/packed.ts'
import { ScrapeRequest } from '../../spec/scrape.ts'
import { derive, type DerivePorts } from './derive.ts'
import { plan } from './plan.ts'

it('a page is read at its address without the fragment of the request', async () => {
  const url = 'https://site.test/page#secret'
  const read: string[] = []
  const none = () => Promise.reject(new Error('not here'))
  const compute: DerivePorts['compute'] = {
    derive: async (capture) => {
      read.push(capture.url)
      return pack({ fields: {}, metadata: {}, verdict: 'ok', scriptDemand: null, confidence: null, removals: [], warnings: [] })
    },
    close: none,
  }
  const ports: DerivePorts = { compute, pdf: { parse: none, close: none }, documents: { convert: none, recognise: none }, features: new Set() }
  const call: Call = { id: 'call', team: 'a', signal: new AbortController().signal, deadline: 9_000, retention: 'normal', log: () => {} }
  const capture: Capture = { requestedUrl: url, url, status: 200, headers: [['content-type', 'text/html']], body: new TextEncoder().encode('<p>page</p>'), engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 }
  await derive(capture, plan(ScrapeRequest.parse({ url }), { features: new Set(), gates: { zeroRetention: [], ignoreRobots: [], enterpriseSearch: [] } }, 'a', 0), ports, call)
  expect(read).toEqual(['https://site.test/page'])
})
