import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../test/cpu.ts'
import { admit, admitFinal, settledStart } from './admit.ts'
import { childrenOf, type CrawlOptions, crawlRules, type CrawlRules } from './rules.ts'

const defaults: CrawlOptions = {
  regexOnFullURL: false,
  ignoreQueryParameters: false,
  deduplicateSimilarURLs: true,
  crawlEntireDomain: false,
  allowSubdomains: false,
  allowExternalLinks: false,
}
const rulesFor = (options: Partial<CrawlOptions> = {}, start = 'https://docs.site.example/', allowedByRobots?: (url: string) => boolean): CrawlRules =>
  crawlRules({ ...defaults, ...options }, { url: new URL(start), domain: 'site.example', allowedByRobots })
const root = { depth: 0, external: false, followed: true }
const reasonOf = (link: string, rules: CrawlRules, from: typeof root | null = root): string => {
  const answer = admit(link, from, rules)
  return answer.ok ? 'ok' : (answer.code ?? answer.reason)
}

describe('a link of a page', () => {
  it('that is too long for the patterns of the crawl is not matched with them, and counts as not wanted', () => {
    const large = Array.from({ length: 30 }, () => '(a?b?){400}[x-z]')
    const long = `https://docs.site.example/${'ab'.repeat(2_000)}x`
    const within = 'https://docs.site.example/abx'
    expect([within, long].map((link) => reasonOf(link, rulesFor({ excludePaths: large })))).toEqual(['excluded', 'not-included'])
    expect([within, long].map((link) => reasonOf(link, rulesFor({ includePaths: large })))).toEqual(['ok', 'not-included'])
  })

  it('that is not followed is not kept out by robots.txt', () => {
    const rules = rulesFor({}, undefined, () => false)
    expect([root, { ...root, followed: false }, null].map((from) => reasonOf('https://docs.site.example/a', rules, from))).toEqual(['robots', 'not-included', 'robots'])
  })

  it('becomes a page one level deeper, under its key', () => {
    expect(admit('https://www.docs.site.example/a/?utm_source=x#part', { ...root, depth: 3 }, rulesFor())).toEqual({
      ok: true,
      url: 'https://www.docs.site.example/a/',
      key: 'http://docs.site.example/a',
      host: 'www.docs.site.example',
      depth: 4,
      external: false,
    })
  })

  it.each(['https://docs.site.example/a#', 'https://docs.site.example/a?', 'https://docs.site.example/a?#'])('is %s without the delimiters of empty parts', (link) => {
    expect(admit(link, root, rulesFor())).toMatchObject({ ok: true, url: 'https://docs.site.example/a' })
  })

  it('is requested without the credentials in it', () => {
    expect(admit('https://user:secret@docs.site.example/a', root, rulesFor())).toMatchObject({ ok: true, url: 'https://docs.site.example/a', key: 'http://docs.site.example/a' })
    expect(admit('https://user@other.example/b', root, rulesFor())).toMatchObject({ ok: false, url: 'https://other.example/b' })
    expect(admit('ftp://user:secret@docs.site.example/f', root, rulesFor())).toMatchObject({ ok: false, url: 'ftp://docs.site.example/f', reason: 'scheme' })
  })

  it.each([
    ['https://docs.site.example/a', {}, 'ok'],
    ['http://docs.site.example/a', {}, 'ok'],
    ['https://docs.site.example:444/a', {}, 'external'],
    ['https://site.example/a', {}, 'subdomain'],
    ['https://blog.site.example/a', {}, 'subdomain'],
    ['https://blog.site.example/a', { allowSubdomains: true }, 'ok'],
    ['https://site.example/', { allowSubdomains: true }, 'ok'],
    ['https://evilsite.example/', { allowSubdomains: true }, 'external'],
    ['https://other.example/a', {}, 'external'],
    ['https://other.example/a', { allowExternalLinks: true }, 'ok'],
    ['https://other.example/', { allowExternalLinks: true }, 'EXTERNAL_LINK'],
    ['https://other.example', {}, 'external'],
    ['https://other.example/?id=1', { allowExternalLinks: true }, 'ok'],
    ['https://blog.site.example/a', { allowExternalLinks: true }, 'ok'],
    ['https://blog.site.example/', { allowExternalLinks: true }, 'EXTERNAL_LINK'],
    ['https://blog.site.example/', { allowExternalLinks: true, allowSubdomains: true }, 'ok'],
    ['mailto:a@site.example', {}, 'scheme'],
    ['javascript:void(0)', {}, 'scheme'],
    ['data:text/html,x', {}, 'scheme'],
    ['ftp://docs.site.example/', {}, 'scheme'],
    ['https://[bad', {}, 'invalid'],
    ['/relative', {}, 'invalid'],
    ['', {}, 'invalid'],
    [`https://docs.site.example/${'a'.repeat(8_200)}`, {}, 'invalid'],
    ['https://docs.site.example/blog/1', { includePaths: ['^/blog/'] }, 'ok'],
    ['https://docs.site.example/en/blog/1', { includePaths: ['^/blog/'] }, 'not-included'],
    ['https://docs.site.example/en/blog/1', { includePaths: ['x', 'blog/.*'] }, 'ok'],
    ['https://docs.site.example/blog/1', { excludePaths: ['\\d$'] }, 'excluded'],
    ['https://docs.site.example/blog/1', { includePaths: ['blog'], excludePaths: ['\\d$'] }, 'excluded'],
    ['https://docs.site.example/?blog', { includePaths: ['blog'] }, 'not-included'],
    [`https://docs.site.example/${'ab'.repeat(2_000)}`, { excludePaths: Array.from({ length: 30 }, () => '(a?b?){400}[x-z]') }, 'not-included'],
    ['https://docs.site.example/?blog', { includePaths: ['blog'], regexOnFullURL: true }, 'ok'],
    ['https://docs.site.example/a', { excludePaths: ['docs'], regexOnFullURL: true }, 'excluded'],
    // Patterns match the link as written, although the page is requested without the parameter.
    ['https://docs.site.example/a?utm_source=news', { includePaths: ['utm_source=news'], regexOnFullURL: true }, 'ok'],
    ['https://docs.site.example/a?gclid=1', { excludePaths: ['gclid='], regexOnFullURL: true }, 'excluded'],
    ['https://docs.site.example/stra%C3%9Fe', { includePaths: ['^/straße$'] }, 'ok'],
    ['https://docs.site.example/straße', { includePaths: ['%C3%9F'] }, 'ok'],
    ['https://docs.site.example/%FF%zz', { includePaths: ['%zz'] }, 'ok'],
    ['https://docs.site.example/xn--a', { includePaths: ['^/xn--a$'] }, 'ok'],
    ['https://docs.site.example/blog', { includePaths: [] }, 'ok'],
  ] as const)('%s with %j: %s', (link, options, outcome) => expect(reasonOf(link, rulesFor(options))).toBe(outcome))

  it('is matched by its host in Unicode or in ASCII', () => {
    const at = (options: Partial<CrawlOptions>): string => reasonOf('https://bücher.example:8443/straße', rulesFor({ regexOnFullURL: true, ...options }, 'https://bücher.example:8443/'))
    expect([at({ includePaths: ['bücher\\.example:8443/straße$'] }), at({ includePaths: ['xn--bcher-kva'] }), at({ excludePaths: ['^https://bücher'] }), at({ includePaths: ['^https://buecher'] })]).toEqual(['ok', 'ok', 'excluded', 'not-included'])
  })

  it('is not followed from a page of another site', () => {
    const rules = rulesFor({ allowExternalLinks: true })
    const from = { depth: 1, external: true, followed: true }
    expect(admit('https://other.example/a', root, rules)).toMatchObject({ ok: true, depth: 1, external: true })
    expect(['https://other.example/b', 'https://third.example/', 'https://docs.site.example/a/'].map((link) => admit(link, from, rules))).toEqual([
      { ok: false, url: 'https://other.example/b', reason: 'external', key: 'http://other.example/b' },
      { ok: false, url: 'https://third.example/', reason: 'external', key: 'http://third.example/' },
      { ok: false, url: 'https://docs.site.example/a/', reason: 'external', key: 'http://docs.site.example/a' },
    ])
  })

  it('may be as deep as the limit; other reasons are reported rather than its depth', () => {
    const rules = rulesFor({ maxDiscoveryDepth: 1, excludePaths: ['never'] })
    const at = (depth: number, link = 'https://docs.site.example/a'): string => reasonOf(link, rules, { depth, external: false, followed: true })
    expect([at(0), at(1), at(1, 'https://docs.site.example/never')]).toEqual(['ok', 'depth', 'excluded'])
    expect([reasonOf('https://docs.site.example/a', rulesFor({ maxDiscoveryDepth: 0 }), null), reasonOf('https://docs.site.example/a', rulesFor({ maxDiscoveryDepth: 0 }))]).toEqual(['ok', 'depth'])
  })

  it('is blocked by a known robots.txt', () => {
    const rules = rulesFor({}, undefined, (url) => !url.startsWith('https://docs.site.example/private'))
    expect(['https://docs.site.example/private', 'https://docs.site.example/open'].map((link) => reasonOf(link, rules))).toEqual(['robots', 'ok'])
  })

  it.each(['/a.PNG', '/a.woff2?v=1', '/film.mp4#t=1', '/a.tar.gz', '/setup.exe', '/a%20b.jpg', '/style.css'])('%s is never a page', (path) => {
    expect(reasonOf(`https://docs.site.example${path}`, rulesFor())).toBe('excluded')
  })

  it.each(['/a.pdf', '/a.docx', '/data.json', '/feed.xml', '/frameworks/next.js', '/apps/open.ai', '/v1.0', '/wiki/File:Map.png', '/wiki/File%3AMap.png', '/show?f=a.png', '/.png', '/a.png/', '/png'])('%s may be a page', (path) => {
    expect(reasonOf(`https://docs.site.example${path}`, rulesFor())).toBe('ok')
  })
})

describe('a link that triggers an action', () => {
  it.each([
    '/logout', '/de/account/logout', '/users/sign_out', '/signout.php', '/cart/add?id=41&quantity=1', '/checkout/cart/add/uenc/x/', '/en-us/cart/clear', '/wishlist/add/4', '/shop/?add-to-cart=12', '/cart/?remove_item=ab&_wpnonce=1',
    '/2024/post/?like_comment=3&_wpnonce=ab', '/?trashed=1&_wpnonce=ab',
    '/index.php?title=Main_Page&action=edit&section=2', '/w/index.php?title=A&action=purge', '/index.php?title=A&veaction=edit', '/wiki/start?do=edit', '/posting.php?mode=reply&t=4', '/ucp.php?mode=logout&sid=1', '/viewforum.php?f=1&hash=ab&mark=topics',
  ])('is skipped: %s', (path) => {
    expect(reasonOf(`https://docs.site.example${path}`, rulesFor())).toBe('excluded')
  })

  it.each([
    '/docs/auth/logout', '/blog/how-to-logout', '/logout-flows', '/docs/cart/add', '/cart', '/cart/added-value', '/products/add', '/collections/a?sort_by=price', '/index.php?title=A&action=history', '/index.php?title=A&oldid=4', '/?do=view', '/memberlist.php?mode=viewprofile&u=1',
    '/search?q=add-to-cart', '/blog/edit', '/films?action=1', '/films?action=watch&v=1', '/?mode=post&id=4', '/cars?mark=all',
  ])('is not seen in %s', (path) => {
    expect(reasonOf(`https://docs.site.example${path}`, rulesFor())).toBe('ok')
  })

  it('is fetched if it is the start, or a sitemap names it', () => {
    const edit = 'https://docs.site.example/w?action=edit'
    expect([reasonOf(edit, rulesFor({}, edit)), reasonOf(edit, rulesFor(), null)]).toEqual(['ok', 'ok'])
    expect(admit(edit, root, rulesFor())).toMatchObject({ key: 'http://docs.site.example/w?action=edit' })
  })
})

describe('the start', () => {
  it('has depth 0 and must match the patterns like any page', () => {
    expect(admit('https://docs.site.example/', null, rulesFor({ maxDiscoveryDepth: 0 }))).toMatchObject({ ok: true, depth: 0 })
    expect(admit('https://docs.site.example/', null, rulesFor({ includePaths: ['^/blog'] }))).toEqual({ ok: false, url: 'https://docs.site.example/', reason: 'not-included' })
  })

  it('may be a file that no link would lead to', () => {
    const rules = rulesFor({}, 'https://docs.site.example/plan.svg')
    expect(admit('https://docs.site.example/plan.svg', null, rules).ok).toBe(true)
  })

  it('with invalid patterns is refused', () => {
    expect(() => rulesFor({ excludePaths: ['('] })).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }))
  })
})

describe('children of the start path', () => {
  it.each([
    ['/', ['/', '/a', '/a/b.html'], []],
    ['/index.html', ['/', '/a'], []],
    ['/docs', ['/docs', '/docs/', '/docs/a', '/docs/a/b'], ['/', '/docs-old', '/doc', '/Docs', '/docs.html', '/a/docs']],
    ['/docs/', ['/docs', '/docs/', '/docs/a'], ['/', '/docs-old']],
    ['/docs/index.html', ['/docs/index.html', '/docs', '/docs/a'], ['/', '/blog/index.html']],
    ['/docs/api.html', ['/docs/api.html', '/docs/api', '/docs/api/x'], ['/docs/', '/docs/other.html', '/docs/api2']],
    ['/v1.0', ['/v1.0', '/v1.0/a'], ['/v1', '/v1/a']],
    ['/~user/%C3%BC', ['/%7Euser/%c3%bc/a'], ['/~user/']],
  ])('are right for %s', (start, inside, outside) => {
    const inScope = childrenOf(start)
    expect([...inside, ...outside].filter((path) => inScope(path))).toEqual(inside)
  })

  it.each([
    ['https://docs.site.example/blog', {}, 'path'],
    ['https://www.docs.site.example/blog', {}, 'path'],
    ['https://docs.site.example/blog', { crawlEntireDomain: true }, 'ok'],
    ['https://blog.site.example/2024', { allowSubdomains: true }, 'ok'],
    ['https://other.example/2024', { allowExternalLinks: true }, 'ok'],
  ] as const)('bind the site itself, not other hosts: %s with %j: %s', (link, options, outcome) => {
    expect(reasonOf(link, rulesFor(options, 'https://docs.site.example/docs'))).toBe(outcome)
  })
})

describe('the URL that was reached', () => {
  const page = { depth: 2, external: false }
  it.each([
    ['https://docs.site.example/a', {}, 'ok'],
    ['https://docs.site.example/login', { excludePaths: ['login'] }, 'excluded'],
    ['https://docs.site.example/login', { includePaths: ['blog'] }, 'not-included'],
    ['https://blog.site.example/a', {}, 'subdomain'],
    ['https://other.example/', {}, 'external'],
    ['https://docs.site.example/a.png', {}, 'excluded'],
    ['chrome-error://x', {}, 'external'],
    ['nonsense', {}, 'invalid'],
  ] as const)('%s with %j: %s', (final, options, outcome) => {
    const answer = admitFinal(final, page, rulesFor(options))
    expect(answer.ok ? 'ok' : answer.reason).toBe(outcome)
  })

  it('keeps the depth of the page and says whether its links count', () => {
    expect(admitFinal('https://other.example/', page, rulesFor({ allowExternalLinks: true }))).toEqual({
      ok: true,
      url: 'https://other.example/',
      key: 'http://other.example/',
      host: 'other.example',
      depth: 2,
      external: true,
    })
    expect(admitFinal('https://docs.site.example/', { depth: 2, external: true }, rulesFor({ allowExternalLinks: true }))).toMatchObject({ ok: true, external: false })
  })

  it.each([
    ['http://site.example/', 'https://www.site.example/en/', 'https://www.site.example/'],
    ['http://site.example/docs?x', 'https://new.example/docs/intro#a', 'https://new.example/docs?x'],
    ['http://site.example/docs', 'https://new.example/handbook/', 'https://new.example/handbook/'],
    ['https://site.example/a', 'https://site.example/a', 'https://site.example/a'],
  ])('of the start %s is %s: the crawl starts at %s', (start, final, settled) => expect(settledStart(new URL(start), new URL(final)).href).toBe(settled))
})

it('is decided quickly for 100,000 links', () => {
  const rules = rulesFor({ includePaths: ['/a'], excludePaths: ['/never', '\\.bak$'] }, 'https://docs.site.example/a')
  const links = Array.from({ length: 100_000 }, (_, i) => `https://docs.site.example/a/section-${i % 100}/page-${i}.html?x=${i}`)
  let admitted = 0
  expect(cpuMs(() => links.forEach((link) => (admitted += admit(link, root, rules).ok ? 1 : 0)))).toBeLessThan(8_000)
  expect(admitted).toBe(100_000)
})
