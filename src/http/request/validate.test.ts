import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../domain/errors.ts'
import { BatchRequest } from '../../spec/batch.ts'
import { CrawlRequest } from '../../spec/crawl.ts'
import { ScrapeRequest } from '../../spec/scrape.ts'
import { validate } from './validate.ts'

function fault(body: object): { message: string; details: unknown } {
  try {
    validate(ScrapeRequest, { url: 'https://example.com/', ...body })
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'BAD_REQUEST') return { message: error.message, details: error.details }
  }
  throw new Error('accepted')
}

describe('an invalid request', () => {
  it('gets a list of all problems, with the first in the message', () => {
    const { message, details } = fault({ timeout: 5, waitFor: 'x' })
    expect(details).toMatchObject([{ path: ['waitFor'] }, { code: 'too_small', path: ['timeout'] }])
    expect(message).toMatch(/^Bad Request: waitFor: /)
  })

  it.each([
    [{ formatz: 1 }, 'Unknown key "formatz"; did you mean "formats"?', ['formatz']],
    [{ location: { contry: 'DE' } }, 'Unknown key "contry"; did you mean "country"?', ['location', 'contry']],
    [{ formats: [{ type: 'json', promt: 'x' }] }, 'Unknown key "promt"; did you mean "prompt"?', ['formats', 0, 'promt']],
    [{ formats: [{ type: 'markdown', prompt: 'x' }] }, 'Unknown key "prompt", which belongs to another `type`', ['formats', 0, 'prompt']],
    [{ qqqqqq: 1 }, 'Unknown key "qqqqqq"', ['qqqqqq']],
  ])('gets a suggestion for a misspelled key: %j', (body, message, path) => expect(fault(body).details).toEqual([{ code: 'unrecognized_keys', path, message }]))

  it.each([
    [{ url: undefined }, 'url: Missing: expected string'],
    [{ actions: [{ type: 'click' }] }, 'actions.0.selector: Missing: expected string'],
    [{ headers: ['a'] }, 'headers: Invalid input: expected object, received array'],
    [{ headers: { a: null } }, 'headers.a: Invalid input: expected string, received null'],
    [{ headers: 'a' }, 'headers: Invalid input: expected object, received string'],
    [{ timeout: '30s' }, 'timeout: Invalid input: expected number, received string'],
    [{ timeout: 30 }, 'timeout: Too small: expected milliseconds, at least 1000'],
    [{ timeout: 900_000 }, 'timeout: Too big: expected milliseconds, at most 300000'],
    [{ proxy: 'stelth' }, 'proxy: Invalid option: expected one of "basic"|"enhanced"|"stealth"|"auto"; did you mean "stealth"?'],
  ])('says what is missing or wrong in the words of a request: %j', (body, message) => expect(fault(body).message).toBe(`Bad Request: ${message}`))

  it.each([5, true, ['http://r.test/']])('learns every kind of value that an option takes: a webhook is not %j', (webhook) => {
    const message = `webhook: Invalid input: expected string or object, received ${Array.isArray(webhook) ? 'array' : typeof webhook}`
    expect(() => validate(CrawlRequest, { url: 'https://example.com/', webhook })).toThrow(expect.objectContaining({ message: `Bad Request: ${message}`, details: [{ code: 'invalid_type', path: ['webhook'], message }] }))
  })

  it.each([
    [{ formats: ['markdwn'] }, 'markdown'],
    [{ formats: ['screenshot@full'] }, 'screenshot@fullPage'],
    [{ formats: [{ type: 'rawhtml' }] }, 'rawHtml'],
    [{ actions: [{ type: 'clik', selector: 'a' }] }, 'click'],
    [{ formats: [{ type: 'changeTracking', modes: ['git-dif'] }] }, 'git-diff'],
  ])('gets a suggestion for a misspelled value: %j', (body, meant) => expect(fault(body).message).toMatch(new RegExp(`"; did you mean "${meant}"\\?$`)))

  it('gets the problem of the alternative that was meant', () => {
    expect(fault({ formats: [{ type: 'attributes', selectors: [{ selector: 'a' }] }] }).details).toMatchObject([{ path: ['formats', 0, 'selectors', 0, 'attribute'] }])
    expect(fault({ actions: [{ type: 'click' }] }).details).toMatchObject([{ path: ['actions', 0, 'selector'] }])
    expect(fault({ formats: ['markdwn'] }).message).toContain('"markdown"')
  })

  it.each([
    [{ actions: [{ type: 'dance' }] }, ['actions', 0, 'type'], ['wait', 'screenshot', 'click', 'write', 'press', 'scroll', 'scrape', 'executeJavascript', 'pdf', 'generatePDF']],
    [{ actions: [{ milliseconds: 5 }] }, ['actions', 0, 'type'], ['wait', 'screenshot', 'click', 'write', 'press', 'scroll', 'scrape', 'executeJavascript', 'pdf', 'generatePDF']],
    [{ parsers: [{ type: 'docx' }] }, ['parsers', 0, 'type'], ['pdf', 'image']],
  ])('gets a list of the allowed types: %j', (body, path, types) => {
    const message = `${path.join('.')}: Invalid option: expected one of ${types.map((type) => `"${type}"`).join('|')}`
    expect(fault(body)).toEqual({ message: `Bad Request: ${message}`, details: [{ code: 'invalid_value', path, message }] })
  })

  it.each([
    ['attributes', '"selectors": …'],
    ['question', '"question": …'],
    ['highlights', '"query": …'],
    ['query', '"prompt": …'],
  ])('learns that the format %s takes options', (name, options) => {
    const message = `formats.0: The format "${name}" takes options: give {"type": "${name}", ${options}}`
    expect(fault({ formats: [name] })).toEqual({ message: `Bad Request: ${message}`, details: [{ code: 'invalid_value', path: ['formats', 0], message }] })
  })
})

it.each([['maxDepth', 'maxDiscoveryDepth'], ['ignoreSitemap', 'sitemap'], ['allowBackwardLinks', 'crawlEntireDomain'], ['allowBackwardCrawling', 'crawlEntireDomain']])('learns the new name of %s', (former, now) => {
  const message = `Unknown key "${former}"; its name is now "${now}"`
  expect(() => validate(CrawlRequest, { url: 'https://example.com/', [former]: 1 })).toThrow(message)
  expect(() => validate(ScrapeRequest, { url: 'https://example.com/', [former]: 1 })).toThrow(/Unknown key "\w+"(?!; its)/)
})

it.each([['extract', 'formats'], ['jsonOptions', 'formats'], ['changeTrackingOptions', 'formats'], ['parsePDF', 'parsers']])('learns where to say what %s said', (former, now) => {
  expect(() => validate(ScrapeRequest, { url: 'https://example.com/', [former]: {} })).toThrow(`Unknown key "${former}"; its name is now "${now}"`)
})

it.each([
  [CrawlRequest, { url: 'https://example.com/', formats: ['html'] }, 'Unknown key "formats"; it belongs in "scrapeOptions"'],
  [CrawlRequest, { url: 'https://example.com/', headers: {} }, 'Unknown key "headers"; it belongs in "webhook" or "scrapeOptions"'],
  [ScrapeRequest, { url: 'https://example.com/', country: 'DE' }, 'Unknown key "country"; it belongs in "location"'],
  [BatchRequest, { urls: ['https://example.com/'], url: 'https://example.com/' }, 'Unknown key "url"; did you mean "urls"?'],
])('learns where a key belongs: %#', (schema, body, message) => {
  expect(() => validate(schema, body)).toThrow(message)
})

it('learns that the delay of a crawl is in seconds', () => {
  expect(() => validate(CrawlRequest, { url: 'https://example.com/', delay: 1_000 })).toThrow('delay: Too big: expected seconds, at most 60')
})

it('gets at most fifty problems, with long keys truncated', () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`${'k'.repeat(5_000)}${i}`, 1]))
  try {
    validate(ScrapeRequest, { url: 'https://example.com/', ...many })
    expect.unreachable()
  } catch (error) {
    expect(error).toMatchObject({ code: 'BAD_REQUEST' })
    expect(JSON.stringify(error instanceof ServiceError ? error.details : []).length).toBeLessThan(50 * 400)
  }
})
