import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../test/cpu.ts'
import { baseOf } from '../html/address.ts'
import { discover } from './discover.ts'
import { links } from './links.ts'
import { parse } from '../html/parse.ts'

const at = (html: string, url = 'https://site.example/blog') => {
  const { document } = parse(html)
  return discover(document, baseOf(document, url), url)
}
const nextOf = (url: string, ...anchors: readonly (readonly [href: string, text: string])[]): readonly string[] =>
  at(anchors.map(([href, text]) => `<a href="${href}">${text}</a>`).join(''), url).next.map((next) => next.replace('https://site.example', ''))

describe('the discovered links of a page', () => {
  it('include links with their texts, feeds, the next page and the canonical address', () => {
    const html = `<head><link rel="canonical" href="/blog/"><link rel="canonical" href="/no"><link rel="next" href="/blog/page/2"><link rel="stylesheet" href="/no.css"><link rel="prev" href="/no">
      <link rel="alternate" type="application/rss+xml; charset=utf-8" href="/feed"><link rel="ALTERNATE" type="Application/Atom+XML" href="/atom"><link rel="alternate" type="application/feed+json" href="/json"><link rel="alternate" type="application/json" href="/api"><link rel="alternate" hreflang="de" href="/de"><link rel="alternate" type="text/html" href="/no"></head>
      <a href="/1"><img alt="Picture" src="/i.png"></a><a href="/1"> The
      <b>first</b> </a><a href="/2"></a><a href="/2">Second</a><a href="/3" title="Third"></a><a href="/4" aria-label="Fourth"><svg></svg></a><a href="/5"></a><area href="/6" alt="Sixth">
      <a href="/7" rel="nofollow">Sponsored</a><a href="mailto:x@site.example">no</a><template><a href="/no">no</a></template><a href="/8"><script>no</script><style>no</style>Eighth</a>`
    expect(at(html)).toEqual({
      links: [
        { url: 'https://site.example/1', title: 'Picture' },
        { url: 'https://site.example/2', title: 'Second' },
        { url: 'https://site.example/3', title: 'Third' },
        { url: 'https://site.example/4', title: 'Fourth' },
        { url: 'https://site.example/5' },
        { url: 'https://site.example/6', title: 'Sixth' },
        { url: 'https://site.example/7', title: 'Sponsored' },
        { url: 'https://site.example/8', title: 'Eighth' },
      ],
      next: ['https://site.example/blog/page/2'],
      feeds: ['https://site.example/feed', 'https://site.example/atom', 'https://site.example/json'],
      canonical: 'https://site.example/blog/',
    })
  })

  it('are resolved with the base element', () => {
    expect(at('<base href="https://cdn.example/x/"><a href="a">A</a><link rel="next" href="b">')).toEqual({
      links: [{ url: 'https://cdn.example/x/a', title: 'A' }],
      next: ['https://cdn.example/x/b'],
      feeds: [],
      canonical: null,
    })
  })

  it('are those of the links format', () => {
    const { document } = parse('<a href="/1">a</a><map><area href="/2"></map><a href="#x">b</a><a href="/1#y">c</a><a>d</a><a href="//o.example">e</a><link rel=next href="/3">')
    const base = 'https://site.example/'
    expect(discover(document, base, base).links.map((link) => link.url)).toEqual(links(document, base))
  })

  it.each([
    ['0;url=/en/', '/en/'],
    ['5; URL="/a b"', '/a%20b'],
    [" 0.5 , '/q' ", '/q'],
    ['0 /bare', '/bare'],
    ['0;url=https://other.example/x', 'https://other.example/x'],
    ['0', null],
    ['30;', null],
    ['0;url=javascript:void(0)', null],
    ['soon; url=/en/', null],
  ])('include the target of a refresh: %j', (content, target) => {
    const meta = `<meta http-equiv="Refresh" content="${content.replaceAll('"', '&quot;')}">`
    expect(at(meta).links.map(({ url }) => url.replace('https://site.example', ''))).toEqual(target === null ? [] : [target])
    expect(at(`<noscript>${meta}</noscript>`).links).toEqual([])
  })

  it('are empty for an empty page', () => expect(at('')).toEqual({ links: [], next: [], feeds: [], canonical: null }))
})

describe('the next page of a list', () => {
  it.each([
    ['/blog', '/blog/page/2', '2', true],
    ['/blog/', '/blog/page/2/', 'Older posts', true],
    ['/blog/page/2', '/blog/page/3', '3', true],
    ['/blog/page/2', '/blog', '1', false],
    ['/blog', '/blog?page=2', '2', true],
    ['/blog?page=2', '/blog?page=3', 'next', true],
    ['/blog?tag=x', '/blog?tag=x&p=2', '2', true],
    ['/blog?tag=x', '/blog?tag=y&p=2', '2', false],
    ['/list', '/list?offset=20', '2', true],
    ['/blog', '/blog/2', '2', true],
    ['/blog/2', '/blog/3', '3', true],
    ['/blog', '/blog/2', 'A story', false],
    ['/articles/100', '/articles/101', 'Next story', false],
    ['/events', '/events/2024/05/14', '14', false],
    ['/blog', '/news/page/2', '2', false],
    ['/blog', '/blog/page-2', '2', true],
    ['/', '/page/2', '2', true],
    ['/blog', 'https://other.example/blog/page/2', '2', false],
    ['/blog', '/blog?page=last', 'last', false],
    ['/blog', '/blog?page=2#top', '2', true],
  ])('is found from %s, %s, called %j: %s', (url, href, text, found) => {
    expect(nextOf(`https://site.example${url}`, [href, text])).toEqual(found ? [href] : [])
  })

  it('is any rel=next link of the page, whatever its address, but never the page itself', () => {
    expect(at('<a rel="next nofollow" href="/x?cursor=abc">more</a><a rel=next href="/blog">this</a><a href="/blog?page=2">2</a>').next).toEqual([
      'https://site.example/x?cursor=abc',
      'https://site.example/blog?page=2',
    ])
  })
})

it('is found on hostile pages in linear time', () => {
  const pages = [
    `<a href="/x">${'<b>'.repeat(50_000)}`,
    '<a href="/x">'.repeat(30_000),
    `<a href="/x">${'<i>t</i>'.repeat(100_000)}</a>`,
    `<a href="/${'1'.repeat(8_000)}">1</a>`.repeat(200),
    `<a href="?${'page=1&'.repeat(1_000)}">1</a>`.repeat(200),
    `<a href="/x" rel="${' '.repeat(500_000)}">x</a>`,
    `<meta http-equiv="refresh" content="0${' '.repeat(250_000)};url${' '.repeat(250_000)}x">`,
  ].map((html) => parse(html).document)
  for (const document of pages) expect(cpuMs(() => void discover(document, 'https://site.example/', 'https://site.example/'))).toBeLessThan(2_000)
  const nested = parse(`${'<a href="/x">'.repeat(500)}${'<i>t</i>'.repeat(20_000)}`, true).document
  expect(cpuMs(() => void discover(nested, 'https://site.example/', 'https://site.example/'))).toBeLessThan(2_000)
})
