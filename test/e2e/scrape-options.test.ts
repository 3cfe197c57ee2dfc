import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Answered, startTrawl, type TestService } from '../service.ts'
import { type Site, startSite, startTlsSite, type TlsSite } from '../site/index.ts'
import type { Page } from '../site/page.ts'

let site: Site
let tls: TlsSite
let trawl: TestService

const broadcasts = { begun: 0, left: 0 }
/** Sends an endless audio file. */
const broadcast: Page = async (visit, answer) => {
  broadcasts.begun++
  answer.head(200, { 'content-type': 'audio/ogg' })
  while (await answer.write(`OggS\0${'\x01\x02'.repeat(600)}`)) await visit.later(20)
  broadcasts.left++
}

beforeAll(async () => {
  site = await startSite({ '/broadcast.ogg': broadcast })
  tls = await startTlsSite()
  trawl = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port},127.0.0.1:${tls.port}` } })
})
afterAll(async () => {
  await trawl.stop()
  await site.close()
  await tls.close()
})
beforeEach(() => site.reset())

const data = async (body: object): Promise<Answered['json']> => {
  const answer = await trawl.scrape({ maxAge: 0, ...body })
  expect(answer.text).toContain('"success":true')
  expect(answer.status).toBe(200)
  return answer.json.data
}

describe('the formats', () => {
  it('default to markdown of the main content', async () => {
    const { markdown, metadata, ...rest } = await data({ url: site.url('/article') })
    expect(rest).toEqual({})
    expect(markdown).toContain('# How harbours measure the tide')
    expect(markdown).toContain('```python\ndef height(line):')
    expect(markdown).toContain('| North pier | 0.4 | 3.1 |')
    expect(markdown).not.toContain('Subscribe to the weekly letter')
    expect(markdown).not.toContain('Imprint')
    expect(metadata).toMatchObject({ title: 'How harbours measure the tide | Tidewater Review', sourceURL: site.url('/article'), url: site.url('/article'), statusCode: 200, verdict: 'ok', proxyUsed: 'basic', creditsUsed: 1 })
    expect(metadata.scrapeId).toMatch(/^[0-9a-f-]{36}$/)
    expect(metadata.contentConfidence > 0.4 && metadata.contentConfidence <= 1).toBe(true)
  })

  it('can all be returned in one answer, given as strings or objects', async () => {
    const all = await data({
      url: site.url('/rich/attributes'),
      formats: ['markdown', { type: 'html' }, 'rawHtml', 'links', { type: 'images' }, { type: 'attributes', selectors: [{ selector: '[data-price]', attribute: 'data-price' }] }],
    })
    expect(Object.keys(all).sort()).toEqual(['attributes', 'html', 'images', 'links', 'markdown', 'metadata', 'rawHtml'])
    expect(all['rawHtml']).toContain('<!doctype html>')
    expect(all['html']).not.toContain('<script')
    expect(Array.isArray(all['links'])).toBe(true)
    expect(all['attributes'][0].values.length).toBeGreaterThan(0)
  })

  it.each(['json', { type: 'json', prompt: 'All of it' }])(
    '%j is refused as not configured, before anything is fetched',
    async (format) => {
      const answer = await trawl.scrape({ url: site.url('/article'), formats: [format] })
      expect([answer.status, answer.json.code]).toEqual([501, 'FEATURE_NOT_CONFIGURED'])
      expect(site.hits()).toBe(0)
    },
  )

  it('menu and deterministicJson are reported as not produced', async () => {
    const { warning } = await data({ url: site.url('/article'), formats: ['markdown', 'menu', 'deterministicJson'] })
    expect(warning).toMatch(/menu.*deterministicJson/)
  })
})

describe('a scrape with options', () => {
  it('keeps the whole page with onlyMainContent: false', async () => {
    const { markdown, metadata } = await data({ url: site.url('/article'), onlyMainContent: false })
    expect(metadata).not.toHaveProperty('contentConfidence')
    expect(markdown).toContain('Subscribe to the weekly letter')
    expect(markdown).toContain('Imprint')
  })

  it('returns only what includeTags match, without what excludeTags match', async () => {
    const { markdown } = await data({ url: site.url('/parts'), includeTags: ['#wanted'], excludeTags: ['.note'] })
    expect(markdown).toContain('Lead of the wanted part.')
    expect(markdown).not.toContain('A note to leave out.')
    expect(markdown).not.toContain('Other part')
  })

  it('refuses an invalid selector', async () => {
    const answer = await trawl.scrape({ url: site.url('/parts'), includeTags: ['div[['] })
    expect([answer.status, answer.json.code]).toEqual([400, 'BAD_REQUEST'])
  })

  it('sends custom headers, which override its own', async () => {
    await data({ url: site.url('/echo'), headers: { 'User-Agent': 'tide-reader/1', 'X-Tide': 'high', Cookie: 'a=b' } })
    const seen = site.lastRequest('/echo')?.headers
    expect([seen?.['user-agent'], seen?.['x-tide'], seen?.['cookie']]).toEqual(['tide-reader/1', 'high', 'a=b'])
  })

  it('looks like a browser by default', async () => {
    await data({ url: site.url('/echo') })
    const seen = site.lastRequest('/echo')?.headers
    expect(seen?.['user-agent']).toMatch(/Mozilla\/5\.0 .*Chrome\/\d+/)
    expect(seen?.['accept']).toContain('text/html')
    expect(seen?.['accept-language']).toMatch(/^en-US/)
  })

  it('requests the given languages, and those of the country', async () => {
    await data({ url: site.url('/language'), location: { country: 'us', languages: ['de-DE', 'fr'] } })
    expect(site.lastRequest('/language')?.headers['accept-language']).toBe('de-DE,de;q=0.9,fr;q=0.8')
    await data({ url: site.url('/language'), location: { country: 'br' } })
    expect(site.lastRequest('/language')?.headers['accept-language']).toMatch(/^pt-BR/)
  })

  it('refuses an invalid country', async () => {
    const answer = await trawl.scrape({ url: site.url('/language'), location: { country: 'QQ' } })
    expect([answer.status, answer.json.details[0].path]).toEqual([400, ['location', 'country']])
  })

  it('accepts an invalid certificate and says so; refuses it on request', async () => {
    const { metadata } = await data({ url: tls.url('/article') })
    expect(metadata).toMatchObject({ statusCode: 200, tlsVerified: false })
    const refused = await trawl.scrape({ url: tls.url('/article'), skipTlsVerification: false, maxAge: 0 })
    expect([refused.status, refused.json.code]).toEqual([500, 'SCRAPE_SSL_ERROR'])
  })

  it('ends at the timeout', async () => {
    const answer = await trawl.scrape({ url: site.url('/slow/never'), timeout: 1000 })
    expect([answer.status, answer.json.code]).toEqual([408, 'SCRAPE_TIMEOUT'])
  })

  it('replaces inline images in markdown, or keeps them when told to', async () => {
    const { markdown } = await data({ url: site.url('/rich/base64-images') })
    expect(markdown).toContain('![A dot](<Base64-Image-Removed>)')
    expect(markdown).not.toMatch(/!\[[^\]]*\]\(<?data:image/)
    const kept = await data({ url: site.url('/rich/base64-images'), removeBase64Images: false })
    expect(kept.markdown).toMatch(/!\[A dot\]\(<?data:image/)
  })

  it('answers the same, without a warning, when the defaults of options are given', async () => {
    const plain = await data({ url: site.url('/article') })
    const defaults = { blockAds: true, proxy: 'auto', parsers: ['pdf'], waitFor: 0, mobile: false, actions: [], onlyCleanContent: false }
    for (const options of [defaults, { proxy: 'basic' }]) {
      const given = await data({ url: site.url('/article'), ...options })
      expect([given.markdown, given.warning]).toEqual([plain.markdown, undefined])
    }
  })

  it('returns a PDF as base64 with parsers: []', async () => {
    const { markdown, rawBase64, metadata } = await data({ url: site.url('/files/doc.pdf'), parsers: [] })
    expect(Buffer.from(markdown, 'base64').toString('latin1')).toMatch(/^%PDF-/)
    expect(rawBase64).toBe(markdown)
    expect(metadata).toMatchObject({ contentType: 'application/pdf', creditsUsed: 1 })
  })

  it('refuses files that it cannot read', async () => {
    const answer = await trawl.scrape({ url: site.url('/image.png') })
    expect([answer.status, answer.json.code]).toEqual([500, 'SCRAPE_UNSUPPORTED_FILE_ERROR'])
  })

  it('refuses a broadcast by its first bytes, without waiting for its end', async () => {
    const answer = await trawl.scrape({ url: site.url('/broadcast.ogg'), timeout: 20_000 })
    expect([answer.status, answer.json.code, answer.json.error]).toEqual([500, 'SCRAPE_UNSUPPORTED_FILE_ERROR', expect.stringContaining('audio/ogg')])
    await expect.poll(() => broadcasts).toEqual({ begun: 1, left: 1 })
  })

  it('explains how a page was obtained', async () => {
    const { explain } = await data({ url: site.url('/article'), explain: true })
    expect(explain).toMatchObject({ engine: 'http', cache: 'skipped', tried: [{ engine: 'http', outcome: 'captured' }] })
    expect(explain.removals.length).toBeGreaterThan(0)
  })
})

describe('a scrape', () => {
  it('returns a page with an error status as it is', async () => {
    const { markdown, metadata } = await data({ url: site.url('/status/404') })
    expect(markdown).toContain('We could not find that page.')
    expect(metadata).toMatchObject({ statusCode: 404, error: 'The site answered with status 404.' })
    expect((await data({ url: site.url('/status/500') }))['metadata'].statusCode).toBe(500)
  })

  it('follows redirects and reports both URLs', async () => {
    const { metadata } = await data({ url: site.url('/redirect/all') })
    expect(metadata).toMatchObject({ sourceURL: site.url('/redirect/all'), url: site.url('/redirect/landing') })
  })

  it('gives up on endless redirects', async () => {
    const answer = await trawl.scrape({ url: site.url('/redirect/loop') })
    expect([answer.status, answer.json.code]).toEqual([500, 'SCRAPE_SITE_ERROR'])
  })

  it.each(['/redirect/private', '/redirect/metadata'])('does not follow %s to an address that is not allowed', async (path) => {
    const answer = await trawl.scrape({ url: site.url(path) })
    expect([answer.status, answer.json.code]).toEqual([403, 'FORBIDDEN'])
  })

  it.each(['http://169.254.169.254/latest/meta-data', 'http://10.0.0.1/', 'http://127.0.0.1:1/', 'http://[::1]/', 'http://0x7f000001/', 'http://[::ffff:169.254.169.254]/'])('refuses %s', async (url) => {
    const answer = await trawl.scrape({ url })
    expect([answer.status, answer.json.code]).toEqual([403, 'FORBIDDEN'])
  })

  it('refuses its own address even if an allow-list covers it', async () => {
    const own = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8' } })
    try {
      const answer = await own.scrape({ url: `${own.base}/health` })
      expect([answer.status, answer.json.code]).toEqual([403, 'FORBIDDEN'])
    } finally {
      await own.stop()
    }
  })

  it.each([
    ['/walls/challenge', 'challenge', 0],
    ['/walls/captcha', 'challenge', 0],
    ['/walls/login', 'login', 1],
    ['/soft-404', 'soft-404', 1],
    ['/walls/empty-shell', 'empty', 0],
  ])('marks %s as %s, charges %i, and fails under strict', async (path, verdict, credits) => {
    // Concurrently: a challenge is given twenty seconds to solve itself.
    const [{ warning, metadata }, strict] = await Promise.all([data({ url: site.url(path), maxAge: 0 }), trawl.scrape({ url: site.url(path), strict: true, maxAge: 0 })])
    expect(metadata).toMatchObject({ verdict, creditsUsed: credits })
    expect(metadata.error).toBeTruthy()
    expect(warning).toContain(metadata.error)
    expect([strict.status, strict.json.code]).toEqual([500, 'SCRAPE_SITE_ERROR'])
  }, 60_000)

  it('reports invalid selectors, wherever they are in a request', async () => {
    const options = { includeTags: ['', 'p'], excludeTags: ['p:'], formats: ['markdown', { type: 'attributes', selectors: [{ selector: 'a[', attribute: 'href' }] }] }
    const faults = (...at: readonly string[]) => [[...at, 'excludeTags', 0], [...at, 'formats', 1, 'selectors', 0, 'selector']].map((path, i) => ({ code: 'custom', path, message: `Invalid selector: the selector "${['p:', 'a['][i]}" is not a CSS selector` }))
    const url = site.url('/article')
    const answers = await Promise.all([trawl.scrape({ url, ...options }), trawl.call('POST', '/v2/batch/scrape', { urls: [url], ...options }), trawl.call('POST', '/v2/crawl', { url, scrapeOptions: options })])
    expect(answers.map(({ status, json }) => [status, json.code, json.details])).toEqual([faults(), faults(), faults('scrapeOptions')].map((details) => [400, 'BAD_REQUEST', details]))
  })

  it.each([['/status/204', 204], ['/status/bare?code=404', 404]])('reports that the body of %s is empty', async (path, status) => {
    const { warning, metadata } = await data({ url: site.url(path) })
    expect(metadata).toMatchObject({ verdict: 'empty', statusCode: status, error: `The site answered with an empty body (status ${status}).`, creditsUsed: 0 })
    expect(warning).toBe(metadata.error)
  })

  it.each([
    ['/files/data.json', '```json'],
    ['/files/note.txt', 'High water at 07:40.'],
    ['/files/data.xml', '```xml'],
    ['/files/readme.md', '# Tide tables'],
  ])('reads %s', async (path, start) => {
    const { markdown, rawHtml } = await data({ url: site.url(path), formats: ['markdown', 'rawHtml'] })
    expect(markdown).toContain(start)
    expect(rawHtml.length).toBeGreaterThan(0)
  })

  it.each(['/charset/windows-1252', '/charset/windows-1252-meta', '/charset/utf-8-mark', '/charset/utf-16-mark'])('decodes %s', async (path) => {
    const { markdown } = await data({ url: site.url(path) })
    expect(markdown).toContain('Café')
  })

  it.each(['/large/deep', '/large/deep-inline', '/large/deep-lists', '/large/spans', '/large/nodes?count=300000', '/large/attribute?mb=5'])('survives %s', async (path) => {
    const answer = await trawl.scrape({ url: site.url(path), maxAge: 0 })
    expect(answer.status).toBe(200)
    expect((await trawl.call('GET', '/health')).status).toBe(200)
  })

  it('truncates a page that is too large, and says so', async () => {
    const answer = await trawl.scrape({ url: site.url('/encoding/bomb?mb=200'), maxAge: 0 })
    expect(answer.status).toBe(200)
    expect(answer.json.data.warning).toMatch(/larger|missing|truncated|cut/i)
  })
})
