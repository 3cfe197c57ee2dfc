import { describe, expect, it } from 'vitest'
import { compilePatterns } from '../urls/patterns.ts'
import { fitted, onFullUrl, understood } from './wish.ts'

const part = (name: string): string => `(?:^|/)(?:${name})(?:/|$)`
const docs = part('docs?|documentation')

describe('rules understand a crawl prompt', () => {
  it.each([
    ['Only the blog', { includePaths: [part('blogs?')] }],
    ['Crawl the docs and the changelog, at most 50 pages.', { limit: 50, includePaths: [docs, part('changelog')] }],
    ['only the documentation pages, but not /docs/v1/* or /docs/legacy.html', { includePaths: [docs], excludePaths: ['^/docs/v1(?:/|$)', '^/docs/legacy\\.html(?:/|$)'] }],
    ['everything under /guides/ except the tags', { includePaths: ['^/guides(?:/|$)'], excludePaths: [part('tags?')] }],
    ["Don't crawl the careers section. Get the blog posts.", { includePaths: [part('blogs?')], excludePaths: [part('careers?')] }],
    ['the whole site, depth 3, no subdomains', { crawlEntireDomain: true, maxDiscoveryDepth: 3, allowSubdomains: false }],
    ['2 clicks deep, include subdomains and external links', { maxDiscoveryDepth: 2, allowSubdomains: true, allowExternalLinks: true }],
    ['do not follow external links, wait 2 seconds between pages', { allowExternalLinks: false, delay: 2 }],
    ['every 500 ms', { delay: 0.5 }],
    ['only the sitemap', { sitemap: 'only' }],
    ['ignore the sitemap, ignoring query parameters', { sitemap: 'skip', ignoreQueryParameters: true }],
    ['no more than 10 pages', { limit: 10 }],
  ])('for %s', (prompt, options) => {
    expect(understood(prompt)).toEqual({ options, rest: [] })
    compilePatterns([...(understood(prompt).options.includePaths ?? []), ...(understood(prompt).options.excludePaths ?? [])], 'includePaths')
  })

  it.each([
    ['pages about the history of blogs', {}, ['about', 'history', 'blogs']],
    ['at least 20 pages', {}, ['at', 'least', '20']],
    ['the interesting parts of /docs', { includePaths: ['^/docs(?:/|$)'] }, ['interesting']],
    ['whales', {}, ['whales']],
    ['', {}, []],
  ])('and report what they do not: %s', (prompt, options, rest) => {
    const found = understood(prompt)
    expect(found.options).toEqual(options)
    expect(found.rest).toEqual(rest.length === 0 ? [] : expect.arrayContaining(rest))
  })

  it('quickly, whatever it contains', () => {
    const began = process.cpuUsage()
    for (const text of ['1 '.repeat(5_000), '/a*'.repeat(3_000), `/${'*'.repeat(50)}a`, `/${'/*'.repeat(4_000)}a`, 'not '.repeat(2_500), 'the any all '.repeat(800), '('.repeat(10_000), `no ${'the '.repeat(2_400)}`]) understood(text)
    expect(process.cpuUsage(began).user / 1_000).toBeLessThan(2_000)
  })
})

it('the start of a crawl belongs to it, whatever the prompt', () => {
  expect(fitted({ includePaths: ['^/blog'] }, new URL('http://a.test/'))).toEqual({ includePaths: ['^/blog', '^/$'] })
  expect(fitted({ includePaths: ['^/blog'] }, new URL('http://a.test/start.html'))).toEqual({ includePaths: ['^/blog', '^/start\\.html$'], crawlEntireDomain: true })
  expect(fitted({ limit: 5 }, new URL('http://a.test/x'))).toEqual({ limit: 5 })
})

it.each([
  ['^/blog(?:/|$)', ['https://a.test/blog', 'https://a.test/blog/1', 'https://a.test/blog?page=2'], ['https://a.test/blogger', 'https://a.test/x/blog']],
  [part('blogs?'), ['https://a.test/blog?a', 'https://a.test/x/blogs'], ['https://blog.test/', 'https://harbour.blog/x', 'https://a.test/x?y=blog', 'https://a.test/x?y=/blog']],
  ['^/$', ['https://a.test/', 'https://a.test/?q'], ['https://a.test/x']],
  ['[$^]\\$', ['https://a.test/^$'], ['https://a.test/']],
])('the pattern %s for paths also applies to whole addresses', (pattern, fitting, others) => {
  const found = compilePatterns([onFullUrl(pattern)], 'includePaths')
  expect([fitting.filter(found), others.filter(found)]).toEqual([fitting, []])
})
