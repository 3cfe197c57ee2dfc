import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../test/cpu.ts'
import { allowAll, disallowAll, isAllowed, maxRobotsBytes, parseRobots, robotsAccess, robotsPolicy } from './robots.ts'

const site = 'https://site.example'
const parse = (text: string) => parseRobots(new TextEncoder().encode(text), `${site}/robots.txt`)
const policy = (text: string, agent = 'TrawlBot/1.0') => robotsPolicy(parse(text), agent)
const allowed = (text: string, path: string, agent?: string): boolean => isAllowed(policy(text, agent), site + path)
const forAll = (...rules: string[]): string => ['User-agent: *', ...rules].join('\n')

describe('the group for a crawler (RFC 9309 §2.2.1)', () => {
  it.each([
    ['the group that names it', 'User-agent: trawlbot\nDisallow: /x\n\nUser-agent: *\nDisallow: /y', ['/y']],
    ['whatever the case', 'USER-AGENT: TRAWLBOT\ndisallow: /x\nuser-agent: *\nDisallow: /y', ['/y']],
    ['version and comment play no part', 'User-agent: TrawlBot/2.1 # ours\nDisallow: /x\nUser-agent: *\nDisallow: /y', ['/y']],
    ['a longer name is another name', 'User-agent: TrawlBot-News\nDisallow: /x', ['/x', '/y']],
    ['a shorter one, too', 'User-agent: Trawl\nDisallow: /x', ['/x', '/y']],
    ['everybody', 'User-agent: *\nDisallow: /x', ['/y']],
    ['nobody', 'User-agent: other\nDisallow: /x', ['/x', '/y']],
    ['groups of the same name are one', 'User-agent: trawlbot\nDisallow: /x\nUser-agent: z\nDisallow: /\nUser-agent: TrawlBot\nDisallow: /y', []],
    ['several names share a group', 'User-agent: a\nUser-agent: trawlbot\nUser-agent: b\nDisallow: /x', ['/y']],
    ['unknown lines do not divide a group', 'User-agent: trawlbot\nNoindex: /q\nSitemap: https://a.example/s\n\nUser-agent: b\nDisallow: /x', ['/y']],
    ['a delay does not divide it either', 'User-agent: trawlbot\nCrawl-delay: 3\nUser-agent: b\nDisallow: /x', ['/y']],
    ['rules before any name speak to nobody', 'Disallow: /x\nUser-agent: *\nDisallow: /y', ['/x']],
    ['a group of its own without rules allows all', 'User-agent: trawlbot\nDisallow:\nUser-agent: *\nDisallow: /', ['/x', '/y']],
    ['names of object machinery are names', 'User-agent: constructor\nDisallow: /', ['/x', '/y']],
  ])('is right: %s', (_, text, open) => expect(['/x', '/y'].filter((path) => allowed(text, path))).toEqual(open))

  it.each([
    ['Mozilla/5.0 (compatible; FooBot/1.0; +https://foo.example)', false],
    ['FooBot', false],
    ['Mozilla/5.0 (X11; Linux x86_64)', true],
    ['', true],
  ])('is found for the identification %j by its product token', (agent, open) => expect(allowed('User-agent: foobot\nDisallow: /', '/', agent)).toBe(open))
})

describe('the lines of robots.txt', () => {
  it('are read in UTF-16 if the file begins with its mark', () => {
    const little = Buffer.from('\ufeffUser-agent: *\r\nDisallow: /größe', 'utf16le')
    for (const body of [little, Buffer.from(little).swap16()]) expect(isAllowed(robotsPolicy(parseRobots(body, `${site}/robots.txt`), 'TrawlBot'), `${site}/größe`)).toBe(false)
  })

  it.each([
    ['byte order mark', '\ufeffUser-agent: *\nDisallow: /x'],
    ['CR', 'User-agent: *\rDisallow: /x'],
    ['CRLF and white space', ' User-agent :\t*\r\n\tDisallow\t:  /x  \r\n'],
    ['comments', '# c\nUser-agent: * # c\n#Allow: /x\nDisallow: /x#c'],
    ['a space for a colon', 'User-agent *\nDisallow /x'],
    ['misspelt', 'Useragent: *\nDissallow: /x'],
    ['no line end', 'User-agent:*\nDisallow:/x'],
    ['NUL and rubbish between', 'User-agent: *\n\0\0\n<html>\n:::\n: x\nDisallow: /x'],
  ])('are read despite this: %s', (_, text) => expect([allowed(text, '/x'), allowed(text, '/y')]).toEqual([false, true]))

  it('list sitemaps once and absolute, and delays of the applicable group', () => {
    const robots = parse('Sitemap: https://cdn.example/s.xml?a=b\nUser-agent: *\nCrawl-delay: 2.5 # slow\nSitemap: /local.xml\nsite-map: /local.xml\nSitemap: ftp://x/\nSitemap:')
    expect(robots.sitemaps).toEqual(['https://cdn.example/s.xml?a=b', 'https://site.example/local.xml'])
    expect(robotsPolicy(robots, 'TrawlBot')).toEqual({ rules: [], crawlDelay: 2.5 })
  })

  it.each([
    ['User-agent: trawlbot\nCrawl-delay: 10\nUser-agent: *\nDisallow: /x', 10],
    ['User-agent: other\nCrawl-delay: 10\nUser-agent: *\nDisallow: /x', null],
    ['User-agent: a\nUser-agent: trawlbot\nDisallow: /x\nCrawl-delay: 4', 4],
    ['User-agent: trawlbot\nCrawl-delay: 1\nUser-agent: x\nDisallow: /\nUser-agent: trawlbot\nCrawl-delay: 7\nCrawl-delay: 2', 7],
    ['User-agent: trawlbot\nDisallow: /x\nUser-agent: *\nCrawl-delay: 5', null],
    ['User-agent: *\nCrawl-delay: -1', null],
    ['User-agent: *\nCrawl-delay: soon', null],
    ['User-agent: *\nCrawl-delay: 0', 0],
    ['Crawl-delay: 9', null],
  ])('%j set a delay of %j', (text, seconds) => expect(policy(text).crawlDelay).toBe(seconds))

  it('beyond 500 KiB are ignored, including a line that is cut there', () => {
    const head = 'User-agent: *\n'
    const comment = `#${'x'.repeat(maxRobotsBytes - head.length - 'Disallow: /'.length - 2)}\n`
    const text = `${head}${comment}Disallow: /private\nDisallow: /never`
    expect(text.indexOf('/private') + 1).toBe(maxRobotsBytes)
    expect([text, text.slice(0, maxRobotsBytes)].map((one) => policy(one).rules)).toEqual([[], []])
  })
})

describe('the rule that decides (RFC 9309 §2.2.2, §2.2.3)', () => {
  it.each([
    ['nothing', [], '/a', true],
    ['an empty pattern', ['Disallow:'], '/a', true],
    ['a prefix', ['Disallow: /a'], '/abc', false],
    ['case counts', ['Disallow: /A'], '/a', true],
    ['the query belongs to it', ['Disallow: /a?b'], '/a?b=c', false],
    ['the longest', ['Disallow: /a', 'Allow: /a/b'], '/a/b/c', true],
    ['whatever the order', ['Allow: /a/b', 'Disallow: /a'], '/a/c', false],
    ['allow among equals', ['Disallow: /a', 'Allow: /a'], '/a', true],
    ['the RFC example 5.2, allowed', ['Allow: /example/page/', 'Disallow: /example/page/disallowed.gif'], '/example/page/x', true],
    ['the RFC example 5.2, disallowed', ['Allow: /example/page/', 'Disallow: /example/page/disallowed.gif'], '/example/page/disallowed.gif', false],
    ['a wildcard', ['Disallow: /*.gif'], '/a/b.gif?x', false],
    ['an anchor', ['Disallow: /*.gif$'], '/a/b.gif?x', true],
    ['an anchor reached', ['Disallow: /*.gif$'], '/a.gif/b.gif', false],
    ['an anchor without a wildcard', ['Disallow: /a$'], '/a', false],
    ['an anchor that is not reached', ['Disallow: /a$'], '/ab', true],
    ['only the start', ['Disallow: /$'], '/', false],
    ['all but the start', ['Disallow: /', 'Allow: /$'], '/', true],
    ['the dollar makes it longer', ['Allow: /a', 'Disallow: /a$'], '/a', false],
    ['several wildcards', ['Disallow: /*/b**c/*d'], '/x/bxxc/yyd', false],
    ['several wildcards that do not fit', ['Disallow: /*/b**c/*d'], '/x/bxxc/yy', true],
    ['a wildcard for nothing', ['Disallow: /a*b'], '/ab', false],
    ['a wildcard at the end', ['Disallow: /a*$'], '/abc', false],
    ['a wildcard at the start', ['Disallow: *secret'], '/x/secret', false],
    ['a pattern without a slash matches nothing', ['Disallow: a'], '/a', true],
    ['a dollar inside is a dollar', ['Disallow: /a$b'], '/a$b', false],
    ['the robots.txt itself', ['Disallow: /'], '/robots.txt', true],
    ['what looks like it', ['Disallow: /'], '/robots.txt.html', false],
  ])('is right: %s', (_, rules, path, open) => expect(allowed(forAll(...rules), path)).toBe(open))

  it.each([
    ['/foo/bar/ツ', '/foo/bar/%E3%83%84'],
    ['/foo/bar/%E3%83%84', '/foo/bar/ツ'],
    ['/foo/bar/%e3%83%84', '/foo/bar/%E3%83%84'],
    ['/foo/bar/%62%61%7A', '/foo/bar/baz'],
    ['/foo/bar/baz', '/foo/bar/%62a%7a'],
    ['/foo/bar?baz=https://foo.bar', '/foo/bar?baz=https%3A%2F%2Ffoo.bar'],
    ['/foo/bar?baz=https%3A%2F%2Ffoo.bar', '/foo/bar?baz=https://foo.bar'],
    ['/a b', '/a%20b'],
    ['/path/file-with-a-%2A.html', '/path/file-with-a-*.html'],
    ['/path/foo-%24', '/path/foo-$'],
    ['/a|b', '/a%7Cb'],
    ['/%zz', '/%zz'],
  ])('treats %s and %s as the same', (pattern, path) => expect(allowed(forAll(`Disallow: ${pattern}`), path)).toBe(false))

  it.each([
    ['/a/b', '/a%2Fb'],
    ['/a%2Fb', '/a/b'],
    ['/a?b&c', '/a?b%26c'],
    ['/a%2Ac', '/abc'],
  ])('treats %s and %s as different', (pattern, path) => expect(allowed(forAll(`Disallow: ${pattern}`), path)).toBe(true))
})

it('matches what an equivalent regular expression matches, for every short pattern', () => {
  const strings = (alphabet: string, most: number): string[] => {
    const shorter = most === 0 ? [''] : strings(alphabet, most - 1)
    return most === 0 ? shorter : [...shorter, ...shorter.filter((one) => one.length === most - 1).flatMap((one) => [...alphabet].map((letter) => one + letter))]
  }
  const paths = strings('ab', 5)
  for (const pattern of strings('ab*$', 5)) {
    const end = pattern.endsWith('$')
    const body = (end ? pattern.slice(0, -1) : pattern).replaceAll('$', '\\$').replaceAll('*', '.*')
    const expected = new RegExp(`^/${body}${end ? '$' : ''}`)
    const rules = policy(forAll(`Disallow: /${pattern}`))
    expect(paths.filter((path) => !isAllowed(rules, `${site}/${path}`))).toEqual(paths.filter((path) => expected.test(`/${path}`)))
  }
})

it('decides as the longest pattern that matches, Allow before Disallow, for any rules', () => {
  let seed = 7
  const below = (n: number): number => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % n
  const text = (alphabet: string, most: number): string => Array.from({ length: below(most + 1) }, () => alphabet[below(alphabet.length)]).join('')
  for (let round = 0; round < 2_000; round++) {
    const rules = Array.from({ length: 1 + below(5) }, () => ({ allow: below(2) === 0, pattern: `/${text('ab*', 4)}${below(3) === 0 ? '$' : ''}`.replace(/\*+/g, '*') }))
    const path = `/${text('ab', 5)}`
    const matching = rules.filter(({ pattern }) => new RegExp(`^${pattern.replaceAll('*', '.*')}`).test(path))
    const [best] = matching.sort((a, b) => b.pattern.length - a.pattern.length || Number(b.allow) - Number(a.allow))
    expect([rules, path, allowed(forAll(...rules.map(({ allow, pattern }) => `${allow ? 'Allow' : 'Disallow'}: ${pattern}`)), path)]).toEqual([rules, path, best?.allow ?? true])
  }
})

describe('the meaning of the response to robots.txt (RFC 9309 §2.3.1)', () => {
  it.each([
    [200, 'parse'],
    [204, 'parse'],
    [301, 'allow-all'],
    [401, 'allow-all'],
    [403, 'allow-all'],
    [404, 'allow-all'],
    [429, 'allow-all'],
    [500, 'disallow-all'],
    [503, 'disallow-all'],
    [null, 'disallow-all'],
  ] as const)('%s: %s', (status, access) => expect(robotsAccess(status)).toBe(access))

  it('is that all is allowed, or nothing is known, without a file', () => {
    const open = (robots: typeof allowAll): boolean[] => ['/', '/a?b', '/robots.txt'].map((path) => isAllowed(robotsPolicy(robots, 'x'), site + path))
    expect([open(allowAll), open(disallowAll)]).toEqual([[true, true, true], [false, false, true]])
  })
})

describe('a hostile robots.txt', () => {
  const long = `/${'a'.repeat(8_000)}`

  it('cannot spend more than the budget on wildcards, and what exceeds it is not fetched', () => {
    const rules = policy(forAll(...Array.from({ length: 200 }, (_, i) => `Disallow: /${'*a'.repeat(1_000)}${i}b`)))
    let answer = true
    expect(cpuMs(() => (answer = isAllowed(rules, site + long)))).toBeLessThan(1_000)
    expect(answer).toBe(false)
  })

  it.each([
    ['plain', 36_000, (i: number) => `/b${i}`],
    ['anchored', 36_000, (i: number) => `/b${i}$`],
    ['with wildcards', 800, (i: number) => `/*${'a'.repeat(500)}${i}b`],
    ['with wildcards that match late', 800, (i: number) => `/*${'*a'.repeat(250)}${i}b`],
  ])('costs little for each of many links (rules: %s)', (_what, count, pattern) => {
    const rules = policy(forAll(...Array.from({ length: count }, (_, i) => `Disallow: ${pattern(i)}`)))
    const links = Array.from({ length: count > 1_000 ? 1_000 : 100 }, (_, i) => `${site}/${'a'.repeat(100)}${i}`)
    isAllowed(rules, site)
    expect(cpuMs(() => void links.map((link) => isAllowed(rules, link)))).toBeLessThan(1_000)
  })

  it('gets the true answer for a hard pattern within the budget', () => {
    expect([allowed(forAll(`Disallow: /${'*a'.repeat(50)}b`), long), allowed(forAll(`Disallow: /${'*a'.repeat(50)}`), long)]).toEqual([true, false])
  })

  it('costs neither memory nor time for names times rules', () => {
    const text = `${'User-agent: a\n'.repeat(17_000)}${'Disallow: /b\n'.repeat(19_000)}`
    let open: boolean | undefined
    expect(cpuMs(() => (open = allowed(text, '/c', 'a')))).toBeLessThan(1_500)
    expect(open).toBe(true)
  })

  it('with one long line is read in linear time', () => {
    const texts = [' '.repeat(500_000), `User-agent${' '.repeat(400_000)}x`, `${'a '.repeat(200_000)}`, ':'.repeat(500_000), `User-agent: *\nDisallow: ${'*'.repeat(400_000)}`]
    for (const text of texts) expect(cpuMs(() => void parse(text))).toBeLessThan(1_000)
  })
})
