import { Firecrawl, SdkError } from 'firecrawl'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTrawl, type TestService, testKey } from '../service.ts'
import { type Site, startSite, startTlsSite, type TlsSite } from '../site/index.ts'

let site: Site
let tls: TlsSite
let trawl: TestService
let client: Firecrawl

beforeAll(async () => {
  site = await startSite()
  tls = await startTlsSite()
  trawl = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port},127.0.0.1:${tls.port}`, TRAWL_ZDR_TEAMS: '*' } })
  client = new Firecrawl({ apiKey: testKey, apiUrl: trawl.base })
})
afterAll(async () => {
  await trawl.stop()
  await site.close()
  await tls.close()
})

/** The error that the client throws. */
async function failure(work: Promise<unknown>): Promise<{ status: unknown; code: unknown; message: string }> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(SdkError)
  const { status, code, message } = error as SdkError // asserted on the line above
  return { status, code, message }
}

describe('the official client', () => {
  it('scrapes markdown with no options', async () => {
    const document = await client.scrape(site.url('/article'))
    expect(document.markdown).toContain('# How harbours measure the tide')
    expect(document.metadata).toMatchObject({ title: 'How harbours measure the tide | Tidewater Review', statusCode: 200, sourceURL: site.url('/article') })
  })

  it('receives every deterministic format', async () => {
    const document = await client.scrape(site.url('/rich/attributes'), {
      formats: ['markdown', 'html', 'rawHtml', 'links', 'images', { type: 'attributes', selectors: [{ selector: '[data-price]', attribute: 'data-price' }] }],
    })
    const { markdown, html, rawHtml, links, images, attributes } = document
    expect([markdown, html, rawHtml, links, images, attributes].filter((value) => value === undefined)).toEqual([])
  })

  it('has its options honoured', async () => {
    const parts = await client.scrape(site.url('/parts'), { onlyMainContent: false, includeTags: ['#wanted'], excludeTags: ['.note'], maxAge: 0 })
    expect(parts.markdown).toBe('# Wanted part\n\nLead of the wanted part.\n')
    await client.scrape(site.url('/echo'), { headers: { 'X-Tide': 'high' }, location: { country: 'DE', languages: ['de'] }, timeout: 5000, storeInCache: false })
    expect(site.lastRequest('/echo')?.headers).toMatchObject({ 'x-tide': 'high', 'accept-language': 'de' })
    const images = await client.scrape(site.url('/rich/base64-images'), { removeBase64Images: true })
    expect(images.markdown).toContain('<Base64-Image-Removed>')
    const secure = await client.scrape(tls.url('/article'), { skipTlsVerification: true })
    expect(secure.metadata?.['tlsVerified']).toBe(false)
  })

  it('reads a PDF with parser options', async () => {
    const document = await client.scrape(site.url('/files/report.pdf'), { formats: ['markdown', 'links'], parsers: [{ type: 'pdf', mode: 'auto', maxPages: 2 }], maxAge: 0 })
    expect(document.markdown).toMatch(/^# Stations\n\n[^]*\n\n# Methods\n\n/)
    expect(document.links).toEqual(['https://example.com/tables'])
    expect(document.metadata).toMatchObject({ title: 'Tide report', numPages: 2, totalPages: 3, creditsUsed: 2 })
    const file = await client.scrape(site.url('/files/report.pdf'), { parsers: [], maxAge: 0 })
    expect([Buffer.from(file.markdown ?? '', 'base64').toString('latin1').slice(0, 5), file.metadata?.creditsUsed]).toEqual(['%PDF-', 1])
    expect(await failure(client.scrape(site.url('/files/scanned.pdf'), { parsers: [{ type: 'pdf', mode: 'fast' }] }))).toMatchObject({ status: 500, code: 'SCRAPE_PDF_OCR_REQUIRED' })
  })

  it('is served from the cache, and only from it on request', async () => {
    const url = site.url('/page/client-cache')
    expect(await failure(client.scrape(url, { minAge: 1 }))).toMatchObject({ status: 404, code: 'SCRAPE_NO_CACHED_DATA' })
    await client.scrape(url)
    expect((await client.scrape(url, { maxAge: 60_000 })).metadata?.cacheState).toBe('hit')
    expect((await client.scrape(url, { minAge: 1 })).metadata?.cacheState).toBe('hit')
    expect((await client.scrape(url, { lockdown: true })).metadata?.creditsUsed).toBe(5)
    expect(await failure(client.scrape(site.url('/page/not-there'), { lockdown: true }))).toMatchObject({ status: 404, code: 'SCRAPE_LOCKDOWN_CACHE_MISS' })
    expect(site.hits('/page/client-cache')).toBe(1)
  })

  it('receives our errors: status, code, details, message', async () => {
    expect(await failure(client.scrape(site.url('/slow/never'), { timeout: 1000 }))).toMatchObject({ status: 408, code: 'SCRAPE_TIMEOUT' })
    expect(await failure(client.scrape('http://10.0.0.1/'))).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    expect(await failure(client.scrape(site.url('/article'), { formats: [{ type: 'json', prompt: 'all' }] }))).toMatchObject({ status: 501, code: 'FEATURE_NOT_CONFIGURED' })
    expect(await failure(client.scrape(tls.url('/article'), { skipTlsVerification: false }))).toMatchObject({ status: 500, code: 'SCRAPE_SSL_ERROR' })
    const bad = await failure(client.scrape(site.url('/article'), { includeTags: ['a[['] }))
    expect(bad).toMatchObject({ status: 400, code: 'BAD_REQUEST' })
    expect(bad.message).toContain('a[[')
    const stranger = new Firecrawl({ apiKey: 'fc-unknown-key-000000', apiUrl: trawl.base })
    expect(await failure(stranger.scrape(site.url('/article')))).toMatchObject({ status: 401, code: 'UNAUTHORIZED' })
  })

  it('may send options that it knows but the service does not support; a warning names them', async () => {
    const document = await client.scrape(site.url('/article'), { fastMode: true, useMock: 'x', integration: 'tests' })
    expect(document.warning).toBe('Ignored, not supported here: fastMode, useMock.')
  })

  it('learns what to use in place of missing features', async () => {
    expect(await failure(client.startExtract({ urls: [site.url('/article')], prompt: 'x' }))).toMatchObject({ status: 404, code: 'NOT_FOUND', message: expect.stringContaining('format json') })
    expect(await failure(client.startAgent({ prompt: 'x' }))).toMatchObject({ status: 404, message: expect.stringContaining('/v2/search') })
    expect((await trawl.call('GET', '/v2/nowhere')).json.error).toBe('No such route.')
  })

  it('receives a page with an error status as a document', async () => {
    const document = await client.scrape(site.url('/status/404'))
    expect(document.metadata).toMatchObject({ statusCode: 404, error: 'The site answered with status 404.' })
  })
})
