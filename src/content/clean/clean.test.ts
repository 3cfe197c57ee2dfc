import { describe, expect, it } from 'vitest'
import { readDefaults } from '../../domain/pages/reading.ts'
import { parse } from '../html/parse.ts'
import { Matcher } from '../selectors/selectors.ts'
import { attribute, elements, isElement } from '../html/tree.ts'
import { isAd, isConsent } from './ads.ts'
import { repeatsHeading } from './heading-links.ts'
import { isHidden } from './hidden.ts'
import { clean } from './index.ts'
import { isTrackingPixel } from './pixels.ts'
import type { Page } from './step.ts'

function first(html: string) {
  const element = elements(parse(html).document)[0]
  if (!element) throw new Error('the fixture has no element')
  return element
}

describe('hidden content', () => {
  it.each(['<p hidden>x', '<div style="color: red; display:none">x', '<div style="visibility: hidden !important">x', '<dialog>x</dialog>', '<div hidden id=S>x', '<div hidden role=dialog aria-labelledby=h>x', '<ul hidden aria-labelledby=h>x'])('includes %s', (html) => {
    expect(isHidden(first(html))).toBe(true)
  })

  it.each(['<p>x', '<p hidden="until-found">x', '<div style="display: block">x', '<div role=tabpanel hidden>x', '<div class="faq-answer" style="display:none">x', '<dialog open>x</dialog>', '<main style="color:red">x', '<span aria-hidden=true>x', '<div hidden id="S:1f">x', '<div id=afbrwweb16 style="display:none">x', '<div hidden aria-labelledby=h>x'])('does not include %s', (html) => {
    expect(isHidden(first(html))).toBe(false)
  })

  it.each([
    ['<h3>Why?</h3> <div hidden>', false],
    ['<button aria-expanded=false>Why?</button><div hidden>', false],
    ['<span role=button aria-expanded=false>Why</span><div hidden>', false],
    ['<span role=button>Why? </span><div style="display:none">', false],
    ['<span role=button>Share</span><div hidden>', true],
    ['<button>Menu</button><div hidden>', true],
    ['<h3>Pages</h3><ul hidden>', true],
    ['<h3>Lamp</h3><p hidden>', true],
    ['<h3>Pages</h3><div hidden role=menu>', true],
    ['<b><a aria-controls=a>Day 1</a><a aria-controls=b>Day 2</a></b><section id=a>1</section><div id=b hidden>', false],
    ['<b><a aria-controls=b>Menu</a></b><div id=b hidden>', true],
    ['<nav><a aria-controls=a>Day 1</a><a aria-controls=b>Day 2</a></nav><div id=b hidden>', true],
    ['<header><b><a aria-controls=a>Boats</a><a aria-controls=b>Ropes</a></b><div id=b hidden>', true],
    ['<b><a aria-haspopup=menu aria-controls=a>Boats</a><a aria-haspopup=menu aria-controls=b>Ropes</a></b><div id=b hidden>', true],
  ])('may include what follows %s: %s', (html, expected) => {
    expect(elements(parse(`${html}x`).document).filter(({ name }) => /^(?:div|ul|p)$/.test(name)).map(isHidden)).toEqual([expected])
  })
})

it.each([
  ['is taken for veiled: its heading and most of its text', `<div style="display:none"><h1>Coffee</h1><p>${'Words. '.repeat(200)}</p></div><p>${'Few. '.repeat(60)}</p>`, 0],
  ['is hidden: a menu', `<div style="display:none"><h1>Shop</h1>${'<a href=/>Words.</a> '.repeat(200)}</div><p>${'Few. '.repeat(60)}</p>`, 1],
  ['is hidden: text without a heading', `<div style="display:none"><div>${'Words. '.repeat(200)}</div></div><p>${'Few. '.repeat(60)}</p>`, 1],
  ['is hidden: a closed dialog that says more than the page', `<div style="display:none"><div><div role=dialog aria-modal=true><section><h1>Coffee</h1><p>${'Words. '.repeat(200)}</p></section></div></div></div><p>${'Few. '.repeat(60)}</p>`, 1],
  ['is hidden: twice what the page shows, and no more', `<div style="display:none"><h1>Coffee</h1><p>${'Words. '.repeat(200)}</p></div><p>${'Words. '.repeat(100)}</p>`, 1],
])('what a page does not show %s', (_, html, expected) => {
  const { document } = parse(html)
  const page: Page = { document, url: 'https://site.example/', removed: new Set(), wanted: undefined, matcher: new Matcher(document), warn: () => {} }
  const removals = clean(page, readDefaults)
  expect(removals.find(({ step }) => step === 'hidden')?.count).toBe(expected)
})

it('a page that hides its whole body counts as waiting for its scripts, but elements hidden in it are removed', () => {
  const { document } = parse(`<body style="visibility:hidden"><div hidden>no</div><p>${'Words. '.repeat(100)}</p></body>`)
  const page: Page = { document, url: 'https://site.example/', removed: new Set(), wanted: undefined, matcher: new Matcher(document), warn: () => {} }
  const removals = clean(page, readDefaults)
  expect([removals.find(({ step }) => step === 'hidden')?.count, [...page.removed].map((node) => ('attribs' in node ? Object.keys(node.attribs) : []))]).toEqual([1, [['hidden']]])
})

it.each([
  ['<h2 id="first-steps">First steps</h2> <a href="#first-steps"><svg></svg><span>Section titled “First steps”</span></a>', true],
  ['<h3 id="ü">Ü<a href="/page#%C3%BC"><span>Section titled Ü</span></a></h3>', true],
  ['<h2 id=a><a href="#a">Sails</a></h2>', false],
  ['<h2 id=a>Sails</h2><a href="#b">More sails, and no Sails</a>', false],
  ['<h2 id=a>Sails</h2><a href="#a">Up</a>', false],
])('a link that says a heading once more: %s', (html, expected) => {
  expect(elements(parse(html).document).filter(({ name }) => name === 'a').map(repeatsHeading)).toEqual([expected])
})

describe('advertisements and consent dialogs', () => {
  it.each(['<div class="ad">', '<amp-ad width="300">', '<amp-embed type="x">', '<div class="x ads-top">', '<div id="div-gpt-ad-123">', '<ins class="adsbygoogle">', '<iframe src="https://x.doubleclick.net/a">', '<div id="taboola-below">', '<aside class="advertisement">'])('%s is an advertisement', (html) => {
    expect(isAd(first(html))).toBe(true)
  })

  it.each(['<div class="header">', '<div class="load-more">', '<div class="adventure">', '<div class="tag-ads">', '<div class="category-advertising">', '<article class="ad">', '<iframe src="https://video.example/1">', '<div class="shadow badge">'])('%s is none', (html) => {
    expect(isAd(first(html))).toBe(false)
  })

  it.each(['<div id="onetrust-banner-sdk">', '<div class="cookie-banner">', '<div class="cookieConsent">', '<div id="CybotCookiebotDialog">', '<section class="gdpr">', '<div class="eu-cookie-notice">'])('%s is a consent dialog', (html) => {
    expect(isConsent(first(html))).toBe(true)
  })

  it.each(['<div class="cookie-recipes">', '<div class="post tag-cookie">', '<div class="informed-consent-form-history">', '<main class="gdpr">'])('%s is none', (html) => {
    expect(isConsent(first(html))).toBe(false)
  })
})

it.each([
  ['<img width=1 height=1>', true],
  ['<img width="0px" height="0">', true],
  ['<img width=1 height=40>', false],
  ['<img>', false],
  ['<div width=1 height=1>', false],
])('%s is a tracking pixel: %s', (html, expected) => {
  expect(isTrackingPixel(first(html))).toBe(expected)
})

it.each([
  ['<img src="data:image/gif;base64,R0" data-src="/a.png"><noscript><img src="/a.png"></noscript>', 1],
  ['<noscript><img src="/a.png"></noscript><img data-lazy-src="/a.png">', 1],
  ['<picture><source srcset="/a.webp"><img></picture><noscript><img src="/a.png"></noscript>', 1],
  ['<img src="data:image/gif;base64,R0"><noscript><img src="/a.png"></noscript>', 0],
  ['<p>a</p><noscript><img src="/a.png"></noscript>', 0],
])('a lazily loaded picture is kept once: from %s, %i are removed', (html, count) => {
  const { document } = parse(html)
  const page: Page = { document, url: 'https://site.example/', removed: new Set(), wanted: undefined, matcher: new Matcher(document), warn: () => {} }
  const removals = clean(page, readDefaults)
  expect(removals.find(({ step }) => step === 'noscript')?.count).toBe(count)
})

it('the picture of a `noscript` replaces its placeholder', () => {
  const { document } = parse('<img src="data:image/gif;base64,R0" alt="Ferry"><noscript><img src="/a.png" alt="Ferry"></noscript>')
  const page: Page = { document, url: 'https://site.example/', removed: new Set(), wanted: undefined, matcher: new Matcher(document), warn: () => {} }
  clean(page, readDefaults)
  expect([...page.removed].map((node) => isElement(node) && attribute(node, 'src'))).toEqual(['data:image/gif;base64,R0'])
})

it('the counts of each step are in order, and count nothing twice', () => {
  const { document } = parse('<head><title>t</title></head><script>x</script><div hidden><script>y</script><div class=ad>z</div></div><div class=ads>a</div><noscript>n</noscript><b class=no>b</b><img width=1 height=1>')
  const page: Page = { document, url: 'https://site.example/', removed: new Set(), wanted: undefined, matcher: new Matcher(document), warn: () => {} }
  const removals = clean(page, { onlyMainContent: true, includeTags: [], excludeTags: ['.no'], removeBase64Images: true, blockAds: true })
  expect(removals).toEqual([
    { step: 'non-content tags', count: 3 },
    { step: 'excluded tags', count: 1 },
    { step: 'hidden', count: 1 },
    { step: 'noscript', count: 1 },
    { step: 'advertisements', count: 1 },
    { step: 'consent dialogs', count: 0 },
    { step: 'tracking pixels', count: 1 },
  ])
})

it('an aborted selector is reported', () => {
  const { document } = parse('<p></p>'.repeat(5000))
  const warnings: string[] = []
  const page: Page = { document, url: 'https://site.example/', removed: new Set(), wanted: undefined, matcher: new Matcher(document), warn: (sentence) => warnings.push(sentence) }
  clean(page, { onlyMainContent: true, includeTags: [], excludeTags: ['i ~ p'], removeBase64Images: true, blockAds: true })
  expect(warnings).toEqual(['The selector "i ~ p" cost too much on this page and was given up.'])
})

describe('on a page that a browser rendered', () => {
  const text = 'Words of the page. '.repeat(40)
  /** What is left of a page when its elements of class `u` are invisible. */
  function left(html: string): string {
    const places = [...html.matchAll(/<\w+[^>]* class="?u\b/g)].map(({ index }) => index)
    const { document, noted } = parse(html, false, places)
    const page: Page = { document, url: 'https://site.example/', unseen: noted, removed: new Set(), wanted: undefined, matcher: new Matcher(document), warn: () => {} }
    clean(page, readDefaults)
    return elements(document).filter((element) => element.name === 'b' && ![...page.removed].some((gone) => gone === element || elements(gone as typeof element).includes(element))).map((element) => element.attribs['id']).join(' ') // only elements are removed here
  }

  it('invisible elements are hidden, whatever the HTML says', () => {
    expect(left(`<p>${text}</p><div class=u><b id=no></b>x</div><div hidden><b id=yes></b>x</div><p style="display:none"><b id=too></b>x</p>`)).toBe('yes too')
  })

  it.each(['id=t class=u', 'class="u accordion-body"', 'class=u role=tabpanel'])('content that a visitor can open is kept (%s)', (attributes) => {
    expect(left(`<p>${text}</p><button aria-controls="s t">Open</button><div ${attributes}><b id=yes></b>x<p class=u><b id=no></b>x</p></div>`)).toBe('yes')
  })

  it('targets of links on the page are kept', () => {
    expect(left(`<p>${text}</p><a href="#t">Open</a><div id=t class=u><b id=yes></b>x</div>`)).toBe('yes')
  })

  it('an element that contains more than all visible ones is kept, because it waits for something', () => {
    expect(left(`<p>Are you of age?</p><main class=u><b id=yes></b>${text}<i class=u><b id=no></b>x</i></main>`)).toBe('yes')
    expect(left(`<p>${text}${text}</p><main class=u><b id=no></b>${text}</main>`)).toBe('')
  })

  it('formulas are kept', () => {
    expect(left(`<p>${text}</p><span class="u katex-mathml"><b id=yes></b>x</span>`)).toBe('yes')
  })
})

it('removes a bot check that a frame shows, and no text about one', () => {
  const { document } = parse(`<main><div data-frame="https://a.example/"><p>Verify you are human</p><div class="h-captcha"></div></div><div data-frame="https://b.example/"><p>Captchas ask people to verify that they are human.</p></div><div><p>Verify you are human</p><div class="h-captcha"></div></div></main>`)
  const page: Page = { document, url: 'https://site.example/', removed: new Set(), wanted: undefined, matcher: new Matcher(document), warn: () => {} }
  clean(page, readDefaults)
  expect([...page.removed].map((node) => (isElement(node) ? attribute(node, 'data-frame') : null))).toEqual(['https://a.example/'])
})
