import { expect, it } from 'vitest'
import type { Call } from '../../domain/call.ts'
import type { Capture } from '../../domain/pages/capture.ts'
import type { Derivation } from '../../domain/pages/derivation.ts'
import { pack } from '../../domain/pages/packed.ts'
import { ScrapeRequest } from '../../spec/scrape.ts'
import { derive, type DerivePorts } from './derive.ts'
import { plan } from './plan.ts'

const call: Call = { id: 'call', team: 'a', signal: new AbortController().signal, deadline: 9_000, retention: 'normal', log: () => {} }
const none = () => Promise.reject(new Error('not here'))
const planOf = (url: string) => plan(ScrapeRequest.parse({ url }), { features: new Set(), gates: { zeroRetention: [], ignoreRobots: [], enterpriseSearch: [] } }, 'a', 0)
const derived: Derivation = { fields: {}, metadata: {}, verdict: 'ok', scriptDemand: null, confidence: null, removals: [], warnings: [] }

it('a page is read at its address without the fragment of the request', async () => {
  const url = 'https://site.test/page#secret'
  const read: string[] = []
  const compute: DerivePorts['compute'] = {
    derive: async (capture) => {
      read.push(capture.url)
      return pack(derived)
    },
    close: none,
  }
  const ports: DerivePorts = { compute, pdf: { parse: none, close: none }, documents: { convert: none, recognise: none }, features: new Set() }
  const capture: Capture = { requestedUrl: url, url, status: 200, headers: [['content-type', 'text/html']], body: new TextEncoder().encode('<p>page</p>'), engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 }
  await derive(capture, planOf(url), ports, call)
  expect(read).toEqual(['https://site.test/page'])
})

it('a copy of a page is read as that page, but leads nowhere and runs no scripts', async () => {
  const url = 'https://site.test/saved.mhtml'
  const read: unknown[] = []
  const compute: DerivePorts['compute'] = {
    derive: async (capture, { read: { onlyMainContent } }) => {
      read.push([capture.url, Buffer.from(capture.body).toString(), onlyMainContent])
      return pack({ ...derived, fields: { markdown: 'Tides', warning: 'cut' }, metadata: { title: 'Tides' }, scriptDemand: 'empty', leadsOn: 'https://other.test/' })
    },
    close: none,
  }
  const ports: DerivePorts = { compute, pdf: { parse: none, close: none }, documents: { convert: async () => ({ html: '<p>Tides</p>', metadata: {}, warnings: [], page: 'https://pier.test/tides' }), recognise: none }, features: new Set() }
  const capture: Capture = { requestedUrl: url, url, status: 200, headers: [['content-type', 'multipart/related']], body: Buffer.from('MIME-Version: 1.0'), engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 }
  const { facts, fields } = await derive(capture, planOf(url), ports, call)
  expect(read).toEqual([['https://pier.test/tides', '<p>Tides</p>', true]])
  expect({ facts, fields: fields() }).toEqual({ facts: { ...derived, fields: undefined, metadata: { title: 'Tides' }, formatWarning: 'cut' }, fields: { markdown: 'Tides' } })
})

it.each([[{ late: true }, true, true], [{}, undefined, undefined]] as const)('a PDF that was read %j answers no later request from its memo: %s', async (read, passing, late) => {
  const url = 'https://site.test/scan.pdf'
  const document = { markdown: 'Tides', html: null, pages: [], blocks: [], numPages: 2, totalPages: 2, metadata: {}, links: [], pagesNeedingOcr: [], warnings: [], ...read }
  const ports: DerivePorts = { compute: { derive: none, close: none }, pdf: { parse: async () => document, close: none }, documents: { convert: none, recognise: none }, features: new Set(['pdf']) }
  const capture: Capture = { requestedUrl: url, url, status: 200, headers: [['content-type', 'application/pdf']], body: Buffer.from('%PDF-1.7'), engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 }
  const { facts } = await derive(capture, planOf(url), ports, call)
  expect([facts.passing, facts.late]).toEqual([passing, late])
})

it.each([['The picture was not read.', true], [undefined, undefined]] as const)('nor does a picture with the warning %s: %s', async (warning, passing) => {
  const url = 'https://site.test/pier.png'
  const ports: DerivePorts = { compute: { derive: async () => pack(derived), close: none }, pdf: { parse: none, close: none }, documents: { convert: none, recognise: async () => ({ html: '', metadata: {}, warnings: warning === undefined ? [] : [warning] }) }, features: new Set() }
  const capture: Capture = { requestedUrl: url, url, status: 200, headers: [['content-type', 'image/png']], body: Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 }
  const wanted = plan(ScrapeRequest.parse({ url, parsers: ['image'] }), { features: new Set(), gates: { zeroRetention: [], ignoreRobots: [], enterpriseSearch: [] } }, 'a', 0)
  expect((await derive(capture, wanted, ports, call)).facts.passing).toBe(passing)
})

it.each([
  [{ includeTags: ['h1'], excludeTags: ['p'] }, { pages: true, blocks: true, pageMarkers: true }, null, ['includeTags, excludeTags: not applied to pages and blocks of a PDF; blocks have no position in the markdown then.', 'pageMarkers: left out with includeTags and excludeTags.']],
  [{ excludeTags: ['p'] }, { pageMarkdown: true }, null, ['excludeTags: not applied to pages of a PDF.']],
  [{ onlyCleanContent: true }, { blocks: true, pageMarkers: true }, null, ['onlyCleanContent: not applied to blocks of a PDF; blocks have no position in the markdown then.']],
  [{ includeTags: ['h1'] }, {}, null, []],
  [{}, { pages: true, blocks: true, pageMarkers: true }, [0, 5], []],
] as const)('a PDF read with %j and %j says what was not applied', async (options, parser, markdownSpan, warnings) => {
  const url = 'https://site.test/tides.pdf'
  const item = { id: 'p1-b1', type: 'text', content: 'Tides', markdownSpan: [0, 5], readingOrder: 0, source: 'native' } as const
  const document = { markdown: 'Tides', html: '<p>Tides</p>', pages: [{ pageNumber: 1, markdown: 'Tides' }], blocks: [{ pageNumber: 1, items: [item] }], numPages: 1, totalPages: 1, metadata: {}, links: [], pagesNeedingOcr: [], warnings: [] }
  const ports: DerivePorts = { compute: { derive: async () => pack(derived), close: none }, pdf: { parse: async () => document, close: none }, documents: { convert: none, recognise: none }, features: new Set(['pdf']) }
  const capture: Capture = { requestedUrl: url, url, status: 200, headers: [['content-type', 'application/pdf']], body: Buffer.from('%PDF-1.7'), engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 }
  const wanted = plan(ScrapeRequest.parse({ url, parsers: [{ type: 'pdf', ...parser }], ...options }), { features: new Set(['pdf']), gates: { zeroRetention: [], ignoreRobots: [], enterpriseSearch: [] } }, 'a', 0)
  const { facts, fields } = await derive(capture, wanted, ports, call)
  const { pages, blocks } = fields()
  expect([pages, blocks?.[0]?.items[0]?.markdownSpan, facts.warnings]).toEqual([document.pages, markdownSpan, warnings])
})
