import { expect, it } from 'vitest'
import { absolute, baseOf, largest, sourceSet } from '../html/address.ts'
import { discover } from './discover.ts'
import { images } from '../html/images.ts'
import { links, references } from './links.ts'
import { metadata } from '../metadata/index.ts'
import { parse } from '../html/parse.ts'
import { read } from '../reading.ts'
import { urlOf } from '../../lib/url-of.ts'

const page = 'https://site.example/dir/page?x=1'

it('links are absolute http addresses of the whole page, each once, in document order', () => {
  const { document } = parse(
    '<nav><a href="/n">n</a></nav><a href="a">1</a><a href="A">2</a><a href=" a ">again</a><a href="#part">p</a><a href="//o.example/z">o</a><area href="?y">' +
      '<a href="mailto:a@b.example">m</a><a href="javascript:x()">j</a><a href="data:text/html,x">d</a><a href="http://[bad">b</a><a>none</a><template><a href="/t">t</a></template>',
  )
  expect(links(document, page)).toEqual([
    'https://site.example/n',
    'https://site.example/dir/a',
    'https://site.example/dir/A',
    'https://site.example/dir/page?x=1#part',
    'https://o.example/z',
    'https://site.example/dir/page?y',
  ])
})

it('returns the links of SVG drawings, with href or xlink:href', () => {
  const { document } = parse('<svg><a xlink:href="/old"><text>1</text></a><a href="/new" xlink:href="/other"><text>2</text></a></svg>')
  expect(links(document, page)).toEqual(['https://site.example/old', 'https://site.example/new'])
  expect(discover(document, page, page).links.map(({ url }) => url)).toEqual(links(document, page))
})

it('links include non-page targets on request, but no data in the page itself', () => {
  const long = `/long?${'x'.repeat(9_000)}`
  const { document } = parse(`<a href="a">1</a><a href="mailto:a@b.example">m</a><a href="data:text/html,${'x'.repeat(5_000)}">d</a><a href="http://[bad">b</a><a href="${long}">l</a>`)
  const [first, mail, data, bad, far, ...more] = references(document, page).all
  expect([first, mail, bad, more]).toEqual(['https://site.example/dir/a', 'mailto:a@b.example', 'http://[bad', []])
  expect([data?.length, data?.slice(0, 17), far?.length]).toEqual([200, 'data:text/html,xx', 8_193])
})

it('tells the links that are not to be followed wherever the page has them', () => {
  const { document } = parse('<a href="a" rel="noopener NoFollow">1</a><a href="b" rel="nofollow">2</a><a href="b">3</a><a href="c">4</a><a href="c" rel="nofollow">5</a><a href="d" rel="nofollower">6</a>')
  expect(references(document, 'https://site.example/')).toEqual({ all: ['a', 'b', 'c', 'd'].map((name) => `https://site.example/${name}`), unfollowed: ['https://site.example/a'] })
})

it('links include the target of a refresh on request', () => {
  const { document } = parse('<meta http-equiv="refresh" content="0; url=en/"><a href="a">1</a><noscript><meta http-equiv="refresh" content="0; url=/no"></noscript>')
  expect(references(document, page).all).toEqual(['https://site.example/dir/en/', 'https://site.example/dir/a'])
  expect(links(document, page)).toEqual(['https://site.example/dir/a'])
})

it('links include embedded PDFs on request', () => {
  const { document } = parse('<embed src="a.pdf#view=FitH"><object data="/get?id=7" type="Application/PDF"></object><iframe src=" b.PDF?v=2 "></iframe><iframe src="/map?f=x.pdf"></iframe><embed src="film.swf"><object></object>')
  expect(references(document, page).all).toEqual(['https://site.example/dir/a.pdf#view=FitH', 'https://site.example/get?id=7', 'https://site.example/dir/b.PDF?v=2'])
  expect(discover(document, page, page).links).toEqual(references(document, page).all.map((url) => ({ url })))
  expect(links(document, page)).toEqual([])
})

it('links are resolved with a valid base element', () => {
  expect(baseOf(parse('<base href="/b/">').document, page)).toBe('https://site.example/b/')
  expect(baseOf(parse('<base href="javascript:1"><p>').document, page)).toBe(page)
  expect(baseOf(parse('<base target="_top"><base href="/c/"><base href="/d/">').document, page)).toBe('https://site.example/c/')
  expect(absolute('x', 'https://site.example/b/')).toBe('https://site.example/b/x')
})

it('references are resolved as in the URL standard, including those that need no change', () => {
  const references = ['/', '/a', '/a/b.html', '/a/', '/a?b=c&d', '/a?', '/?q', '//other.example/a', '/a//b', '/./a', '/a/../b', '/.well-known/x', '/a/.', '/a%20b', '/a b', '/ä', '/a#b', '/a\\b', '/A~b_c-d.e', '/a?b#c', "/a?b'c", '/a;b', 'a', '?x', '#x', '/a\tb', '/a:b', '/http://b']
  const bases = ['https://site.example/b/c?d#e', 'http://SITE.example:8080', 'https://user:pass@site.example/x', 'ftp://site.example/', 'mailto:a@b', 'not an address', 'https://site.example/?a/b#/c']
  const standard = (reference: string, base: string): string | undefined => {
    const url = urlOf(reference, base) ?? undefined
    return url?.protocol.startsWith('http') ? url.href : undefined
  }
  for (const base of bases) expect(references.map((one) => absolute(one, base))).toEqual(references.map((one) => standard(one, base)))
})

it('image sets may contain addresses with commas', () => {
  expect(sourceSet('a,b.png 1x, c.png 2x,d.png')).toEqual([
    { url: 'a,b.png', descriptor: '1x' },
    { url: 'c.png', descriptor: '2x,d.png' },
  ].slice(0, 1).concat([{ url: 'c.png', descriptor: '' }, { url: '2x,d.png', descriptor: '' }]))
  expect(largest(sourceSet('s.png 320w, l.png 1280w, m.png 640w'))?.url).toBe('l.png')
})

it('images include lazy addresses, sets, pictures, posters and the social preview, each once', () => {
  const { document } = parse(
    '<meta property="og:image" content="/og.png"><img src="a.png"><img src="data:image/gif;base64,R0" data-src="lazy.png"><img src="s.png" srcset="s.png 1x, b.png 2x">' +
      '<picture><source srcset="p1.webp 1x, p2.webp 2x"><img src="p.png"></picture><video poster="v.png"></video><img src="/og.png"><img><img src="javascript:1">',
  )
  expect(images(document, page)).toEqual([
    'https://site.example/og.png',
    'https://site.example/dir/a.png',
    'https://site.example/dir/lazy.png',
    'https://site.example/dir/s.png',
    'https://site.example/dir/b.png',
    'https://site.example/dir/p2.webp',
    'https://site.example/dir/p.png',
    'https://site.example/dir/v.png',
  ])
})

it.each([
  ['<img class=lazyload src="/tiny.jpg" data-src="/big.jpg">', '/big.jpg'],
  ['<img class=lazyload src="/tiny.jpg" data-srcset="/mid.jpg 600w, /big.jpg 1200w">', '/big.jpg'],
  ['<img src="/20.jpg" data-src="/{width}.jpg" data-widths="[180, 360]">', '/20.jpg'],
  ['<img src="/a.jpg" data-url="/product/1.html">', '/a.jpg'],
  ['<img src="data:image/gif;base64,R0" data-large-file="/big.jpg">', '/big.jpg'],
  ['<img src="/loading-dock.jpg">', '/loading-dock.jpg'],
  ['<img src="/img/loading.gif" srcset="/a.jpg 2x">', '/a.jpg'],
])('the picture of %s is unambiguous', (html, path) => {
  const reading = read({ requestedUrl: page, url: page, status: 200, headers: [['content-type', 'text/html']], body: new TextEncoder().encode(`<p>A lamp.</p>${html}`), engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 }, { onlyMainContent: false, includeTags: [], excludeTags: [], removeBase64Images: true, blockAds: false })
  const url = `https://site.example${path}`
  expect([reading.images()[0], reading.markdown(), reading.html()]).toEqual([url, expect.stringContaining(`![](${url})`), expect.stringContaining(`src="${url}"`)])
})

it('metadata is returned under its wire names', () => {
  const { document } = parse(`<html lang="de-AT"><head><title>A
    title</title><link rel="shortcut icon" href="/f.ico"><link rel="apple-touch-icon" href="/t.png">
    <meta name="Description" content=" d  e "><meta name=keywords content=a><meta name=keywords content="b"><meta name=robots content=noindex>
    <meta property="og:title" content="OT"><meta property="og:title" content="second"><meta property="og:image" content="/i.png"><meta property="og:url" content="/u">
    <meta property="og:site_name" content="S"><meta property="og:locale" content="de_AT"><meta property="og:locale:alternate" content="en_GB"><meta property="og:locale:alternate" content="fr_FR">
    <meta property="article:published_time" content="2026-01-02"><meta property="article:modified_time" content="2026-01-03"><meta property="article:tag" content="t1"><meta property="article:tag" content="t2">
    <meta property="article:section" content="News"><meta name="dc.date" content="2026"><meta name="DCTERMS.created" content="2025"><meta name="dc.subject" content="x">
    <meta name="viewport" content="width=device-width"><meta name="twitter:card" content="summary"><meta name="statusCode" content="500"><meta name="__proto__" content="x"><meta name="empty" content=" ">
    </head><body><svg><title>not this</title></svg>`)
  expect(metadata(document, { url: page, base: page })).toEqual({
    title: 'A title',
    language: 'de-AT',
    description: 'd e',
    keywords: 'a, b',
    robots: 'noindex',
    ogTitle: 'OT',
    ogImage: 'https://site.example/i.png',
    ogUrl: 'https://site.example/u',
    ogSiteName: 'S',
    ogLocale: 'de_AT',
    ogLocaleAlternate: ['en_GB', 'fr_FR'],
    publishedTime: '2026-01-02',
    modifiedTime: '2026-01-03',
    articleTag: 't1',
    articleSection: 'News',
    dcDate: '2026',
    dcTermsCreated: '2025',
    dcSubject: 'x',
    viewport: 'width=device-width',
    'twitter:card': 'summary',
    favicon: 'https://site.example/f.ico',
    headline: 'OT',
    siteName: 'S',
  })
})

it('a language is written as in the standard', () => {
  expect(metadata(parse('<html lang="zh_Hant_TW"><title>T</title>').document, { url: page, base: page })).toEqual({ title: 'T', language: 'zh-Hant-TW' })
})

it('title, description and language fall back to the social preview', () => {
  const { document } = parse('<meta property="og:title" content="OT"><meta property="og:description" content="OD"><meta property="og:locale" content="en_GB">')
  expect(metadata(document, { url: page, base: page })).toEqual({ title: 'OT', ogTitle: 'OT', description: 'OD', ogDescription: 'OD', language: 'en-GB', ogLocale: 'en_GB' })
})
