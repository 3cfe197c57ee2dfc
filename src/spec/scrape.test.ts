import { describe, expect, it } from 'vitest'
import { BatchRequest } from './batch.ts'
import { CrawlRequest } from './crawl.ts'
import { MapRequest } from './map.ts'
import { ScrapeRequest } from './scrape.ts'
import { SearchRequest } from './search.ts'
import { tolerate } from './tolerate.ts'

const parse = (body: object): ReturnType<typeof ScrapeRequest.safeParse> => ScrapeRequest.safeParse({ url: 'https://example.com/', ...body })

describe('the request of a scrape', () => {
  it('has the defaults of the specification', () => {
    const { url: _, ...rest } = ScrapeRequest.parse({ url: 'https://example.com/' })
    expect(rest).toEqual({
      formats: [{ type: 'markdown' }], onlyMainContent: true, onlyCleanContent: false, waitFor: 0, mobile: false, skipTlsVerification: true, timeout: 60_000,
      parsers: [{ type: 'pdf', mode: 'auto', blocks: false, pageMarkers: false }], removeBase64Images: true, blockAds: true, proxy: 'auto', storeInCache: true,
      lockdown: false, zeroDataRetention: false, strict: false, explain: false,
    })
  })

  it.each([
    ['example.com', 'http://example.com'],
    ['example.com:8080/x', 'http://example.com:8080/x'],
    ['//example.com/x', 'http://example.com/x'],
    [' https://example.com ', 'https://example.com'],
    ['http://[::1]:80/', 'http://[::1]:80/'],
    ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ])('reads %s as %s', (url, read) => expect(ScrapeRequest.parse({ url }).url).toBe(read))

  it.each(['', 'ftp://example.com', 'file:///etc/passwd', 'javascript:alert(1)', 'http://localhost/', 'http://intranet/', 'http://user:pass@example.com/', 'http://', 'data:text/html,x', `http://example.com/${'x'.repeat(9000)}`, 'mailto:a@b.c'])(
    'refuses the URL %s',
    (url) => expect(ScrapeRequest.safeParse({ url }).success).toBe(false),
  )

  it.each([
    { timeout: 999 }, { timeout: 300_001 }, { timeout: '5000' }, { timeout: 5000.5 }, { waitFor: 60_001 }, { waitFor: 3000, timeout: 5000 }, { waitFor: 40_000, timeout: 60_000 }, { onlyMainContent: 'yes' },
    { formats: 'markdown' }, { formats: ['screenshot', { type: 'screenshot' }] }, { formats: ['changeTracking'] }, { formats: [{ type: 'attributes' }] }, { formats: [{ type: 'markdown', extra: 1 }] },
    { parsers: 'pdf' }, { parsers: {} }, { parsers: ['docx'] }, { headers: { a: 1 } }, { headers: [] }, { location: { country: 'XX' } }, { location: { town: 'Ys' } },
    { location: { languages: ['not a tag'] } }, { location: { languages: [`en-x${'-aaaaaaaa'.repeat(12)}`] } }, { proxy: 'fast' }, { maxAge: -1 }, { profile: { name: '' } }, { actions: [{ type: 'wait' }] }, { actions: [{ type: 'wait', milliseconds: 1, selector: 'a' }] },
    { actions: Array.from({ length: 51 }, () => ({ type: 'scrape' })) }, { actions: [{ type: 'wait', milliseconds: 40_000 }, { type: 'wait', milliseconds: 40_000 }] }, { actions: [{ type: 'dance' }] },
    { mobile: true, formats: [{ type: 'screenshot', viewport: { width: 4_097, height: 1 } }] }, { mobile: true, actions: [{ type: 'screenshot', viewport: { width: 1, height: 4_097 } }] },
    { onlyCleanContent: true, zeroDataRetention: true }, { onlyCleanContent: true, lockdown: true }, { unknown: 1 },
  ])('refuses %j', (body) => expect(parse(body).success).toBe(false))

  it('accepts a large window of a device whose pixels are those of its pictures', () => {
    expect([7_680, 4_096].map((width) => parse({ mobile: width === 4_096, formats: [{ type: 'screenshot', viewport: { width, height: 4_096 } }] }).success)).toEqual([true, true])
  })

  it('accepts connection headers of browsers, which are sent anyway', () => {
    expect(ScrapeRequest.safeParse({ url: 'https://a.example', headers: { Connection: 'keep-alive', te: 'trailers', 'X-Own': '1' } }).success).toBe(true)
  })

  it.each(['Host', 'content-length', 'Connection', 'Transfer-Encoding', 'TE', 'Keep-Alive', 'Upgrade', 'Expect', 'Trailer', 'HTTP2-Settings', 'Proxy-Authorization', 'Proxy-Connection'])('refuses the header %s by name', (name) => {
    const issue = (path: readonly string[]) => [{ code: 'custom', path, message: `The header ${name} is set by the service` }]
    const headers = { 'X-Tide': 'high', [name]: '1' }
    expect(parse({ headers }).error?.issues).toEqual(issue(['headers', name]))
    expect(BatchRequest.safeParse({ urls: ['https://example.com/'], headers }).error?.issues).toEqual(issue(['headers', name]))
    expect(CrawlRequest.safeParse({ url: 'https://example.com/', scrapeOptions: { headers } }).error?.issues).toEqual(issue(['scrapeOptions', 'headers', name]))
    expect(MapRequest.safeParse({ url: 'https://example.com/', headers }).error?.issues).toEqual(issue(['headers', name]))
    expect(SearchRequest.safeParse({ query: 'tide', scrapeOptions: { formats: ['markdown'], headers } }).error?.issues).toEqual(issue(['scrapeOptions', 'headers', name]))
  })

  it('refuses a header given twice, in whatever case, since only one of them would be sent', () => {
    expect(parse({ headers: { Cookie: 'a=1', 'X-A': '1', cookie: 'b=2' } }).error?.issues).toMatchObject([{ path: ['headers', 'cookie'], message: 'The header cookie is given twice' }])
    const webhook = { url: 'https://r.test/', headers: { Authorization: 'a', authorization: 'b' } }
    expect(CrawlRequest.safeParse({ url: 'https://example.com/', webhook }).success).toBe(false)
  })

  it.each([{ 'a b': 'x' }, { '': 'x' }, { 'X-A': 'a\r\nHost: x' }, { 'X-A': '\u20ac' }])('refuses the headers %j', (headers) => expect(parse({ headers }).error?.issues).toMatchObject([{ path: ['headers', Object.keys(headers)[0]] }]))

  it('compares waitFor with timeout only if both are given', () => expect(parse({ waitFor: 40_000 })).toMatchObject({ success: true, data: { timeout: 60_000 } }))

  it('keeps the last of two formats of a type, at the position of the first', () => {
    const formats = [{ type: 'json', prompt: 'a' }, 'links', { type: 'json', prompt: 'b' }]
    expect(ScrapeRequest.parse({ url: 'https://example.com/', formats }).formats).toEqual([{ type: 'json', prompt: 'b', grounding: false }, { type: 'links' }])
  })

  it('counts question and its older form query as one format, as both fill the answer', () => {
    const formats = [{ type: 'question', question: 'a' }, { type: 'query', prompt: 'b', mode: 'directQuote' }]
    expect(ScrapeRequest.parse({ url: 'https://example.com/', formats }).formats).toEqual([formats[1]])
    expect(ScrapeRequest.parse({ url: 'https://example.com/', formats: formats.toReversed() }).formats).toEqual([formats[0]])
  })

  it.each([['de', 'DE'], ['uk', 'GB'], ['UK', 'GB'], ['SU', 'RU']])('reads the country %s as %s', (country, code) => {
    expect(ScrapeRequest.parse({ url: 'https://example.com/', location: { country } }).location).toEqual({ country: code })
  })

  it('accepts aliases of formats, proxies and actions', () => {
    const request = ScrapeRequest.parse({ url: 'https://example.com/', formats: ['screenshot@fullPage', 'extract'], proxy: 'stealth', actions: [{ type: 'generatePDF' }] })
    expect(request.formats).toEqual([{ type: 'screenshot', fullPage: true }, { type: 'json', grounding: false }])
    expect(request.proxy).toBe('enhanced')
    expect(request.actions).toEqual([{ type: 'pdf', format: 'Letter', landscape: false, scale: 1 }])
  })
})

describe('the tolerant reading of a request', () => {
  it('removes nulls, except those in a schema', () => {
    const { body } = tolerate({ url: 'x', waitFor: null, location: { country: null }, formats: [{ type: 'json', schema: { default: null }, prompt: null }] })
    expect(body).toEqual({ url: 'x', location: {}, formats: [{ type: 'json', schema: { default: null } }] })
  })

  it('reports known keys without a meaning here, but not those that the clients add', () => {
    expect(tolerate({ url: 'x', fastMode: true, __experimental_x: 1, scrapeOptions: { useMock: 'm', formats: [] } })).toEqual({
      body: { url: 'x', scrapeOptions: { formats: [] } },
      warnings: ['Ignored, not supported here: fastMode, scrapeOptions.useMock.'],
    })
  })

  it('says nothing of what is switched off here as the caller wants it, which the Python client asks for with all options', () => {
    expect(tolerate({ url: 'x', fastMode: false, redactPII: false, scrapeOptions: { fastMode: false, domainTools: false } })).toEqual({ body: { url: 'x', scrapeOptions: {} }, warnings: [] })
    expect(tolerate({ url: 'x', redactPII: {}, deduplicateSimilarURLs: false }, ['deduplicateSimilarURLs']).warnings).toEqual(['Ignored, not supported here: redactPII, deduplicateSimilarURLs.'])
  })

  it('reports a check for injected prompts, which newer clients ask for beside the formats', () => {
    expect(tolerate({ url: 'x', checkPromptInjection: true, scrapeOptions: { checkPromptInjection: true } })).toEqual({ body: { url: 'x', scrapeOptions: {} }, warnings: ['Ignored, not supported here: checkPromptInjection, scrapeOptions.checkPromptInjection.'] })
    expect(tolerate({ url: 'x', checkPromptInjection: false })).toEqual({ body: { url: 'x' }, warnings: [] })
  })

  it('reads what the n8n node sends together with its form', () => {
    const location = { settings: { country: 'DE', languages: { language: [{ code: 'de' }] } }, country: 'DE', languages: ['de'] }
    expect(tolerate({ url: 'x', location })).toEqual({ body: { url: 'x', location: { country: 'DE', languages: ['de'] } }, warnings: [] })
    const crawl = { url: 'x', formats: ['markdown', 'html'], scrapeOptions: { formats: { format: [{ type: 'markdown' }, { type: 'html' }] }, location } }
    expect(tolerate(crawl).body).toEqual({ url: 'x', scrapeOptions: { formats: ['markdown', 'html'], location: { country: 'DE', languages: ['de'] } } })
    expect(tolerate({ url: 'x', formats: [], scrapeOptions: { formats: [{ type: 'markdown' }] } }).body).toEqual({ url: 'x', scrapeOptions: { formats: [{ type: 'markdown' }] } })
    const unfilled = { formats: {}, actions: {}, location: {}, headers: {}, includeTags: [] }
    expect(tolerate({ url: 'x', formats: [], scrapeOptions: unfilled }).body).toEqual({ url: 'x', scrapeOptions: { formats: [], location: {}, headers: {}, includeTags: [] } })
    expect(tolerate({ url: 'x', actions: {} })).toEqual({ body: { url: 'x' }, warnings: [] })
    expect(tolerate({ url: 'x', actions: { type: 'wait' } }).body).toEqual({ url: 'x', actions: { type: 'wait' } })
  })

  it.each([
    { url: 'x', location: { settings: { country: 'DE' } } }, { url: 'x', location: { settings: 'DE', country: 'DE' } },
    { url: 'x', formats: [] }, { url: 'x', formats: ['html'], scrapeOptions: {} }, { url: 'x', formats: ['html'], scrapeOptions: { formats: ['markdown'] } }, { url: 'x', formats: {}, scrapeOptions: { formats: {} } },
  ])('leaves %j to be refused or honoured as it is', (body) => expect(tolerate(body)).toEqual({ body, warnings: [] }))

  it('reports further keys without a meaning for a route, at the top level only', () => {
    expect(tolerate({ url: 'x', delay: 1, fastMode: true, scrapeOptions: { delay: 1 } }, ['delay'])).toEqual({ body: { url: 'x', scrapeOptions: { delay: 1 } }, warnings: ['Ignored, not supported here: delay, fastMode.'] })
  })

  it('reports unknown keys of actions and screenshots, and treats an empty selector as missing', () => {
    const { body, warnings } = tolerate({ actions: [{ type: 'scroll', selector: '', speed: 3 }], formats: [{ type: 'screenshot', dpi: 2 }] })
    expect(body).toEqual({ actions: [{ type: 'scroll', speed: 3 }], formats: [{ type: 'screenshot', dpi: 2 }] })
    expect(warnings).toEqual(['Ignored, not supported here: formats[0].dpi, actions[0].speed.'])
    expect(tolerate({ formats: [{ type: 'screenshot', fullpage: true }] }).warnings).toEqual(['Ignored, not supported here: formats[0].fullpage (did you mean fullPage?).'])
    const viewport = { width: 10, height: 10, scale: 2 }
    const sized = { type: 'screenshot', viewport }
    expect(tolerate({ actions: [sized], formats: [sized] }).warnings).toEqual(['Ignored, not supported here: formats[0].viewport.scale, actions[0].viewport.scale.'])
    expect(parse({ actions: [sized], formats: [sized] }).success).toBe(true)
    expect(tolerate({ url: 'x', formats: [{ type: 'json', checkPromptInjection: true }, { type: 'extract', checkPromptInjection: false }] }).warnings).toEqual(['Ignored, not supported here: formats[0].checkPromptInjection.'])
  })

  it('reports formats of which a later one takes the place', () => {
    const json = (name: string, type = 'json'): object => ({ type, schema: { type: 'object', properties: { [name]: { type: 'string' } } } })
    const warningsOf = (formats: readonly unknown[]): readonly string[] => tolerate({ url: 'x', scrapeOptions: { formats } }).warnings
    const left = (...at: readonly number[]): readonly string[] => [`Of several formats that fill the same field the last counts; left out: ${at.map((one) => `scrapeOptions.formats[${one}]`).join(', ')}.`]
    expect(warningsOf([json('a'), 'links', json('b', 'extract'), json('c')])).toEqual(left(0, 2))
    expect(warningsOf([{ type: 'question', question: 'Who?' }, { type: 'query', prompt: 'Where?' }])).toEqual(left(0))
    expect(warningsOf(['markdown', { type: 'markdown' }, 'markdown', json('a'), json('a', 'extract'), null, 5, ''])).toEqual([])
    expect(warningsOf(['screenshot@fullPage', 'links', 'screenshot'])).toEqual(left(0))
    expect(warningsOf(['screenshot@fullPage', { type: 'screenshot', fullPage: true }])).toEqual([])
    // To be refused by the schema.
    expect(warningsOf([{ type: { toString: 1 } }, [{ toString: 1 }]])).toEqual([])
  })

  it.each([null, 5, 'text', [1]])('leaves %j to the schema', (raw) => expect(tolerate(raw)).toEqual({ body: raw, warnings: [] }))
})
