import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../test/cpu.ts'
import { MapRequest } from '../../spec/map.ts'
import { linkList } from './links.ts'
import { scopeOf } from './scope.ts'

const start = 'http://docs.site.example/'

/** The list for these options, from URLs in sitemaps and then from links of pages. */
async function listed(options: object, sitemap: readonly string[], page: readonly string[] = [], starts: readonly string[] = [start]): Promise<string[]> {
  const request = MapRequest.parse({ url: starts[0], ...options })
  const list = linkList(await scopeOf(request, starts.map((url) => new URL(url))), request.limit)
  sitemap.forEach((url) => list.add({ url }, 'sitemap'))
  page.forEach((url) => list.add({ url }, 'page'))
  return list.all().map(({ url }) => url)
}

describe('a list of links', () => {
  it.each([
    ['without the sign of an empty fragment', ['http://docs.site.example/a#', 'http://docs.site.example/b'], ['http://docs.site.example/a', 'http://docs.site.example/b']],
    ['spelled alike in all but scheme, www., slash, index file, fragment and percent signs', ['http://docs.site.example/a/', 'https://www.docs.site.example/a', 'http://docs.site.example/a/index.html#x', 'http://docs.site.example/%61'], ['https://www.docs.site.example/a']],
    ['that are routes of a single-page application', ['http://docs.site.example/#/one', 'http://docs.site.example/#/two', 'http://docs.site.example/#part'], ['http://docs.site.example/#/one', 'http://docs.site.example/#/two', 'http://docs.site.example/']],
    ['with credentials', ['http://user:pass@docs.site.example/a'], ['http://docs.site.example/a']],
    ['of the same registered domain, and no other', ['http://site.example/', 'https://blog.site.example/a', 'http://evilsite.example/', 'http://docs.site.example:8080/', 'http://site.example.evil.example/'], ['http://site.example/', 'https://blog.site.example/a']],
    ['with a query', ['http://docs.site.example/a?b=1', 'http://docs.site.example/a?', 'http://docs.site.example/a?#x'], ['http://docs.site.example/a']],
    ['with what only tracks a visit', ['http://docs.site.example/a?utm_source=feed&gclid=1', 'http://docs.site.example/?C=N;O=D', 'http://docs.site.example/b?utm_source=x&c=1'], ['http://docs.site.example/a', 'http://docs.site.example/']],
    ['longer than anybody asks for', [`http://docs.site.example/${'a'.repeat(8_200)}`], []],
  ])('contains URLs %s once, or not at all', async (_what, found, expected) => {
    expect(await listed({}, found)).toEqual(expected)
  })

  it('contains pictures that sitemaps name, but not those that pages show', async () => {
    expect(await listed({}, ['http://docs.site.example/a.png'], ['http://docs.site.example/b.png', 'http://docs.site.example/c.pdf'])).toEqual(['http://docs.site.example/a.png', 'http://docs.site.example/c.pdf'])
  })

  it.each([
    [{ includeSubdomains: false }, ['http://docs.site.example/q/a', 'http://www.docs.site.example/q/b']],
    [{ includePaths: ['^/q'], excludePaths: ['b$'] }, ['http://docs.site.example/q/a', 'http://blog.site.example/q/c']],
    [{ includePaths: ['^http://blog'], regexOnFullURL: true }, ['http://blog.site.example/q/c']],
    [{ limit: 1 }, ['http://docs.site.example/q/a']],
    [{ ignoreQueryParameters: false, includePaths: ['r$'] }, ['http://docs.site.example/q/r?b=1']],
  ])('follows %j', async (options, expected) => {
    expect(await listed(options, ['http://docs.site.example/q/a', 'http://www.docs.site.example/q/b', 'http://blog.site.example/q/c', 'http://docs.site.example/q/r?utm_source=x&b=1', 'http://docs.site.example/q/r?b=1&gclid=2'])).toEqual(expected)
  })

  it('treats the site that the start redirected to as the same', async () => {
    const urls = ['http://old.example/a', 'https://new.example/b', 'http://third.example/c']
    expect(await listed({}, urls, [], ['http://old.example/', 'https://new.example/en/'])).toEqual(['http://old.example/a'])
    expect(await listed({}, urls, [], ['http://old.example/', 'https://new.example/'])).toEqual(['http://old.example/a', 'https://new.example/b'])
    expect(await listed({}, urls, [], ['http://old.example/'])).toEqual(['http://old.example/a'])
  })

  it('adds titles to known URLs but never removes them, even when it is full', async () => {
    const list = linkList(await scopeOf(MapRequest.parse({ url: start }), [new URL(start)]), 1)
    list.add({ url: `${start}a` }, 'sitemap')
    list.add({ url: `${start}b`, title: 'B' }, 'page')
    list.add({ url: `${start}a/`, title: 'x'.repeat(600), description: 'First' }, 'page')
    list.add({ url: `${start}a`, title: 'Other', description: 'Second' }, 'page')
    expect(list.all()).toEqual([{ url: `${start}a`, title: 'x'.repeat(500), description: 'First' }])
  })

  it('takes a hundred thousand URLs in a short time', async () => {
    const list = linkList(await scopeOf(MapRequest.parse({ url: start }), [new URL(start)]), 100_000)
    const urls = Array.from({ length: 100_000 }, (_, i) => `${start}section-${i % 97}/page-${i}.html`)
    expect(cpuMs(() => urls.forEach((url) => list.add({ url }, 'sitemap')))).toBeLessThan(8_000)
    expect([list.full(), list.all().length]).toEqual([true, 100_000])
  })
})
