import { describe, expect, it } from 'vitest'
import { wantedBlocks } from '../../../../test/wanted-blocks.ts'
import { copy } from '../../html/copy.ts'
import { toHtml } from '../../html/output.ts'
import { parse } from '../../html/parse.ts'
import { Matcher } from '../../selectors/selectors.ts'
import { oneLine } from '../../html/tree.ts'
import { atOnce } from '../../../lib/in-steps.ts'
import { mainContent } from '../index.ts'
import { type Block, blocksOf } from './blocks.ts'
import { decide } from './decide.ts'
import { Relations } from './features/kin.ts'
import { prune } from './restore/prune.ts'
import { useForest } from './trees/trees-in-use.ts'
import { meaningCount, meaningsOf } from './features/keywords.ts'
import { RowWriter } from './trees/table.ts'
import { TextMeasure } from './features/text-measure.ts'
import { exampleOf } from './training.ts'
import { trees } from './trees/trees.ts'

function textsOf(html: string): readonly string[] | undefined {
  return blocksOf(parse(html).document, new Set())?.all.map((block) => oneLine(block.texts.map((text) => text.data).join('')))
}

describe('blocks', () => {
  it.each([
    ['are parted by elements that break', '<div>a <b>b</b> c<p>d</p>e</div>', ['a b c', 'd', 'e']],
    ['are parted by two line breaks, not by one', 'a<br>b<br><br>c', ['ab', 'c']],
    ['are parted by elements of the page\'s own', '<x-card>a</x-card><x-card>b</x-card>', ['a', 'b']],
    ['are none where there is no text', '<div> <img src=a> \u200b</div>', []],
  ])('%s', (_, html, expected) => {
    expect(textsOf(html)).toEqual(expected)
  })

  it('say where they are: in the element that breaks, among its children', () => {
    const blocks = blocksOf(parse('<ul><li>a</li><li><a href=x>b</a> c</li></ul>').document, new Set())
    expect(blocks?.all.map(({ at, links, linkLetters, measure }) => [at, links, linkLetters, measure.letters])).toEqual([[1, 0, 0, 1], [2, 1, 1, 2]])
    expect([[...(blocks?.first ?? [])], [...(blocks?.end ?? [])]]).toEqual([[0, 0, 1, 1], [2, 1, 2, 2]])
  })

  it('are not computed when there are too many', () => {
    expect(textsOf('<p>a'.repeat(3001))).toBe(undefined)
  })
})

it('counts the features of a text, however it is split', () => {
  const measure = new TextMeasure()
  for (const piece of ['The Fer', 'ry of 19', '99, at dawn. 東京', ' | x']) measure.add(piece)
  measure.endWord()
  const { words, letters, ends, separators } = measure
  expect({ words, letters, ends, separators }).toEqual({ words: 8, letters: 23, ends: 1, separators: 1 })
})

it('encodes the meaning of all names in one number', () => {
  expect(meaningCount).toBeLessThanOrEqual(32)
  const [first] = parse('<div class="siteNav" itemprop="articleBody"></div>').document.children
  const meanings = meaningsOf(first as never) // the tree is written above
  expect([meanings & 1, meanings === 1]).toEqual([1, false])
})

it('asks the trees about links that are only named like furniture, not about navigation', () => {
  const example = exampleOf(`<body><nav><a href=/>Home</a></nav><main><h1>Ferries</h1><p>${'They cross the bay, at noon. '.repeat(20)}</p></main><div class=related><a href=/2>Trains</a></div></body>`, 'https://site.example/')
  expect(example?.texts.filter((_, i) => example.asked.has(i)).map((text) => text.slice(0, 9))).toEqual(['Ferries', 'They cros', 'Trains'])
})

it('sees what repeats, and how far a block is from the title and the longest text', () => {
  const example = exampleOf('<title>Rates</title><article><h2>Rates</h2><ul><li>one</li><li>two two</li></ul></article><div><p>the longest text of all</p></div>', 'https://site.example/')
  if (!example) throw new Error('no blocks')
  const rows = new RowWriter(1)
  new Relations(example.frame, rows).add(2, example.frame.blocks.all[2] as Block) // the page is written above
  const written = Array.from(rows.columns.subarray(0, rows.at), (number) => Math.round(number * 100) / 100)
  const kin = [2, 1.5, 3 / 9, 0, 0, 1 / 4].map((number, i) => (i < 2 ? Math.log1p(number) : number))
  const anchors = [2, 2, 14 / 33, 0, 3, -1, 2, -1]
  const before = [0, Math.log1p(1)]
  expect(written).toEqual([...kin, ...kin, ...anchors, ...before].map((number) => Math.round(number * 100) / 100))
})

it('chooses the parts with the best expected result', () => {
  expect(decide(Float32Array.of(0.875, 0.5, 0.125), Float64Array.of(10, 10, 10))).toEqual({ threshold: 0.5, expected: 27.5 / 35 })
  expect(decide(new Float32Array(0), new Float64Array(0))).toEqual({ threshold: 1, expected: 0 })
})

describe('what is left of a page', () => {
  /** The HTML that is left when the blocks that contain `yes` are kept. */
  const left = (html: string, url = 'https://site.example/'): string => leftOf(html, url, (text) => text.includes('yes'))

  /** The HTML that is left when all blocks are kept. */
  const leftOfAll = (html: string): string => leftOf(html, 'https://site.example/', () => true)

  function leftOf(html: string, url: string, wanted: (text: string) => boolean): string {
    const { page, frame, kept } = wantedBlocks(html, url, wanted)
    const { root } = prune(page, frame, kept)
    return toHtml(copy([root], page.removed).children, new Set(), page.url)
  }

  it('has no rules at its ends, and no two in a row', () => {
    expect(left('<p>no</p><hr><p>yes</p><hr><p>no</p><hr><p>yes too</p><p>yes</p><hr><hr><p>no</p>')).toBe('<p>yes</p><hr><p>yes too</p><p>yes</p>')
  })

  it('ends in no heading, unless it is an item of its own', () => {
    expect(left('<p>yes</p><h2>yes: contact us</h2><p>no</p>')).toBe('<p>yes</p>')
    expect(left('<p>yes</p><h2><a href="/a">yes</a></h2><p>no</p>')).toBe('<p>yes</p><h2><a href="https://site.example/a">yes</a></h2>')
    expect(left('<p>no</p><h1>yes</h1><p>no</p>')).toContain('<h1>yes</h1>')
    expect(left('<p>yes</p><h2>yes: references</h2><p>no</p><h2>yes: links</h2><p>no</p>')).toBe('<p>yes</p>')
  })

  it('has the term of what is said of it, and the heading that the title of a page repeats where it has none of the first rank', () => {
    expect(left('<p>yes</p><dl><dt>a term of some length?</dt><dd>yes</dd><dt>no?</dt><dd>no</dd></dl><p>yes</p>')).toContain('<dl><dt>a term of some length?</dt><dd>yes</dd></dl>')
    expect(left('<title>Ferry times - Board</title><h2>Board</h2><h2><a>Ferry Times</a></h2><p>yes</p>')).toBe('<h2><a>Ferry Times</a></h2><p>yes</p>')
  })

  it('has the heading that the title repeats where the first one names the site', () => {
    expect(left('<title>Ferry times in winter - Harbour board</title><h1>Harbour board</h1><h2>Ferry times in winter</h2><p>yes</p>')).toBe('<h1>Harbour board</h1><h2>Ferry times in winter</h2><p>yes</p>')
    expect(left('<title>Ferry times in winter - Harbour</title><h1>Questions</h1><p>no</p><h2>Ferry times in winter</h2><p>yes</p>')).toBe('<h2>Ferry times in winter</h2><p>yes</p>')
    expect(left('<title>Ferry - Harbour board, all times</title><div><h1>Harbour board, all times</h1></div><div><h1>Ferry<a href="#f">¶</a></h1><p>yes</p></div>')).toBe('<div><h1>Ferry<a href="https://site.example/#f">¶</a></h1><p>yes</p></div>')
    expect(left('<title>Ferry times - Harbour board</title><h1>Ferry times in 2024</h1><h2>Ferry times</h2><p>yes</p>')).toBe('<h1>Ferry times in 2024</h1><p>yes</p>')
  })

  it('has the code of a text, its headings, and the lists that it announces', () => {
    expect(left('<div><p>yes</p><pre>no</pre></div><div><pre>no</pre></div>')).toBe('<div><p>yes</p><pre>no</pre></div>')
    expect(left('<div><p>yes</p><h2>no</h2><p>yes</p><h2>no</h2></div>')).toBe('<div><p>yes</p><h2>no</h2><p>yes</p></div>')
    expect(left('<div><p>yes, in one of two states:</p><ul><li><a href="/a">no</a></li><li>no</li></ul><p>yes</p></div>')).toContain('<ul><li><a href="https://site.example/a">no</a></li><li>no</li></ul>')
    expect(left('<div><p>yes:</p><ul><li>no</li></ul><p>yes</p></div>')).toBe('<div><p>yes:</p><p>yes</p></div>')
  })

  it.each([
    ['Sphinx', '<div class="literal-block-wrapper"><div class="code-block-caption"><span class="caption-number">Listing 1 </span><span>no</span></div><div class="highlight"><pre>yes</pre></div></div>'],
    ['Docusaurus', '<div class="codeBlockContainer_x"><div class="codeBlockTitle_y">no.js</div><div><pre>yes</pre></div></div>'],
    ['Asciidoctor, where the code is left out too', '<div class="listingblock"><div class="title">Listing 2. no</div><div class="content"><pre>no</pre></div></div>'],
    ['figures', '<figure><figcaption>no.js</figcaption><table><tr><td><pre>1</pre></td><td><pre>yes</pre></td></tr></table></figure>'],
    ['tabs', '<div class="group"><div class="tabs"><label>no.js</label><label>no.ts</label></div><div class="blocks"><div><pre>yes</pre></div><div><pre>yes</pre></div></div></div>'],
    ['tabs above code with numbers of its lines', `<div class="tabbed-set"><div class="tabbed-labels"><label>no.js</label><label>no.ts</label></div><div class="tabbed-content">${'<div><div class="highlight"><table><tbody><tr><td class="linenos"><div><pre>1</pre></div></td><td><div><pre>yes</pre></div></td></tr></tbody></table></div></div>'.repeat(2)}</div></div>`],
  ])('has the captions of code: %s', (_, code) => {
    expect(left(`<div><p>yes</p>${code}<p>yes</p></div>`).replaceAll('<pre>1</pre>', '')).toContain(code.replaceAll('<pre>1</pre>', ''))
  })

  it('has text areas that show code, and no others', () => {
    expect(left('<div><p>yes</p><details><summary>yes</summary><textarea class="Documentation-exampleCode code">no, not main()</textarea></details><p>yes</p></div>')).toContain('main()')
    expect(left('<div><p>yes</p><textarea>no, not main()</textarea><p>yes</p></div>')).not.toContain('main()')
  })

  it('has the footnotes that its text refers to, and no others, nor the small print of a site, nor what is most of it', () => {
    const text = `yes ${'and so on '.repeat(20)}`
    const notes = '<div class="footnotes"><div class="fn"><sup><a href="#r1" id="n1">1)</a></sup> <div>no, only in winter</div></div><div class="fn"><sup><a href="#r2" id="n2">2)</a></sup> <div>no, never</div></div></div>'
    expect(left(`<div><p>${text}<sup><a href="#n1" id="r1">1)</a></sup></p><p>no<sup><a href="#n2" id="r2">2)</a></sup></p>${notes}</div>`)).toMatch(/only in winter(?!.*never)/)
    const footer = '<footer><ol><li id="n1">no, only in winter</li><li id="n2">no, never</li></ol></footer>'
    expect(left(`<article><p>${text}<sup><a href="#n1">[1]</a></sup></p>${footer}</article>`)).toMatch(/only in winter(?!.*never)/)
    expect(left(`<div><p>${text}<sup><a href="#n1">[1]</a></sup></p></div>${footer}`)).not.toContain('winter')
    expect(left(`<div><p>${text}<a href="#n1">1</a></p><p>yes<sup><a href="#n2">2</a></sup></p><p id="n1">no, only in winter</p><section id="n2"><p>no, never</p></section></div>`)).not.toMatch(/winter|never/)
    expect(left('<div><p>yes<sup><a href="#n1">[1]</a></sup></p><ol><li id="n1">no, only in winter</li></ol></div>')).not.toContain('winter')
  })

  it('has a table of data between two parts of its text with its heading, and the list that a kept heading introduces', () => {
    const table = '<table><tr><th>no</th><th>no</th><th>no</th></tr><tr><td>no 1</td><td>no 2</td><td>no 3</td></tr></table>'
    expect(left(`<main><div><p>yes</p></div><form><button>no</button></form><h2>no: kinds</h2><div><div>${table}</div><p>yes</p></div></main>`)).toMatch(/kinds.*<table>/)
    expect(left(`<main><div><p>yes</p></div><div><div>${table}</div><p>no</p></div><p>yes</p></main>`)).not.toContain('<table>')
    expect(left(`<main><div><p>yes</p></div><div>${table.replaceAll('th>', 'td>').replaceAll('no', 'no, or so')}</div><p>yes</p></main>`)).not.toContain('<table>')
    expect(left('<main><p>yes</p><h2>yes: weirs</h2><ul><li>no</li></ul><p>yes</p></main>')).toContain('<ul><li>no</li></ul>')
    expect(left('<main><p>yes</p><h2>yes: weirs</h2><ul><li>no</li></ul><p>no</p></main>')).not.toContain('<ul>')
    expect(left('<div><p>yes</p><div class="thumb"><div class="thumbinner"><a href="/a"><img src="/a.png"></a><div class="thumbcaption">no</div></div></div><p>yes</p></div>')).toContain('<img')
  })

  it('has no table around the page whole, and a page of a manual', () => {
    expect(left('<table><tr><td>no</td></tr><tr><td><table><tr><td>yes, all of the text</td></tr></table></td></tr></table>')).not.toContain('no')
    expect(left('<div class="manual-text"><section class="Sh"><h1>NAME</h1><p>no</p></section><section class="Sh"><h1>SYNOPSIS</h1><p>yes, all of the text</p></section></div>')).toContain('<p>no</p>')
  })

  it.each([
    ['DocBook', (inner: string) => `<div class="sect1"><div class="titlepage"><h2>Loom</h2></div>${inner}</div>`],
    ['chapters of DocBook', (inner: string) => `<div class="chapter"><div class="titlepage"><h2>Loom</h2></div>${inner}</div>`],
    ['Asciidoctor', (inner: string) => `<div class="sectionbody">${inner}</div>`],
    ['makeinfo', (inner: string) => `<div class="section-level-extent" id="Loom">${inner}</div>`],
    ['older versions of makeinfo', (inner: string) => `<div class="section" id="Loom"><div class="header"><p>Next: <a href="a.html" accesskey="n" rel="next">Warp</a></p></div>${inner}</div>`],
    ['Sphinx', (inner: string) => `<div class="body" role="main">${inner}</div>`],
    ['Sphinx behind another box with its name', (inner: string) => `<div class="body"><p>no</p></div><div class="body" role="main">${inner}</div>`],
  ])('has the pages of %s whole, but no table of contents', (_, page) => {
    const text = left(page('<div class="toc"><a href="#c">no, the contents</a></div><h3>Comments</h3><p>no, between these signs</p><h3>Warp</h3><p>yes, all of the text</p>'))
    expect(text).toContain('<p>no, between these signs</p>')
    expect(text).not.toContain('the contents')
    expect(left(page(`<p>${'no, '.repeat(60)}</p><p>yes</p>`))).not.toContain('no')
  })

  it.each(['<div class="article"><div class="header"><a href="/">Loom</a></div>', '<div class="body">', '<section class="section">'])('does not take other boxes for pages of manuals: %s', (box) => {
    expect(left(`${box}<h3>Comments</h3><p>no, between these signs</p><h3>Warp</h3><p>yes, all of the text</p></div>`)).not.toContain('signs')
  })

  it('has the section of a manual about comments', () => {
    expect(left('<div class="sect1"><p>yes, all of the text</p><div class="sect2" id="SYNTAX-COMMENTS"><h3>Comments</h3><p>no, between these signs</p></div></div>')).toContain('signs')
  })

  it('has the admonitions behind its text, and no other box with such a name', () => {
    expect(left('<div><p>yes</p><div class="admonition warning"><p>no, not at night</p></div></div>')).toContain('not at night')
    expect(left('<div><p>yes</p><div class="warning"><p>no, not at night</p></div></div>')).not.toContain('not at night')
  })

  it('has parameters that are documented in a form, and no other form', () => {
    expect(left('<div><p>yes</p><form><h3>no</h3><div><label>no, its name</label><span>string</span></div></form></div>')).toContain('its name')
    expect(left('<div><p>yes</p><form><h3>no</h3><div><label>no, your name</label></div></form></div>')).not.toContain('your name')
  })

  it('has the title of a discussion that is no heading', () => {
    expect(left('<table class="fatitem"><tr><td class="title"><span class="titleline"><a href="/a">A boat</a></span></td></tr></table><p>yes</p>')).toContain('A boat')
    expect(left('<table><tr><td class="title"><span class="titleline"><a href="/a">A boat</a></span></td></tr></table><p>yes</p>')).not.toContain('A boat')
  })

  it('has what opens a text, and no menu', () => {
    const parts = '<div><div role="button" aria-expanded="false" aria-controls="p"><a>no: how long?</a></div><div id="p"><p>yes</p></div></div><details><summary>no: does it hurt?</summary><p>yes</p></details>'
    expect(left(`<p>yes</p>${parts}<p>yes</p>`)).toMatch(/how long.*does it hurt/)
    expect(left('<div><div><a aria-haspopup="true" aria-expanded="false">no: sort</a></div><div><p>yes</p></div></div><nav><div aria-expanded="false">no: parts</div><p>yes</p></nav><div aria-controls="q">no: far</div><p>no</p><p id="q">yes</p>')).not.toMatch(/sort|parts|far/)
  })

  it('has no lines that offer something, but links, headings, and things in lists', () => {
    const text = `yes ${'and so on '.repeat(10)}`
    const kept = `<p>${text}</p><ul><li>Print</li></ul><p><b>Close</b></p><p>${text}</p><a href="https://site.example/m">Read more</a>`
    const frame = (html: string): string => leftOfAll(`<div>${html}</div>`)
    expect(frame(`<p>Advertisement</p>${kept}<p><b>Read more</b></p><p>Share</p><p>Print this page</p><p>Share this story:</p>`)).toBe(frame(kept))
  })

  it('has no other lines as captions of code', () => {
    expect(left('<div><p>yes</p><div><div class="title"><p>no</p></div><p>yes, all of the code that is shown here</p><pre>yes</pre></div></div><div><p>no</p><pre>yes</pre></div>')).not.toContain('no')
  })

  it('has the pictures of a text, whatever small print stands above them or is their caption', () => {
    expect(left('<article><h1>yes</h1><div>no</div><div class="hero"><img src="/a.png"></div><p>yes, all of it</p></article>')).toBe('<article><h1>yes</h1><div class="hero"><img src="https://site.example/a.png"></div><p>yes, all of it</p></article>')
    expect(left('<div><p>yes</p><figure><a href="/a"><img src="/a.png"></a><figcaption>no</figcaption></figure><p>yes</p></div>')).toContain('<p>yes</p><figure><a href="https://site.example/a"><img src="https://site.example/a.png"></a></figure><p>yes</p>')
    expect(left('<div><p>yes</p><figure><img src="/a.png"><figcaption>Fig. 2: no</figcaption></figure><p>yes</p></div>')).toContain('<figcaption>Fig. 2: no</figcaption>')
    expect(left('<div><p>yes</p><figure><img src="/a.png"><figcaption>no</figcaption></figure><p>no</p></div>')).toBe('<div><p>yes</p></div>')
  })

  it('has the pictures of figures in boxes of their own, and beside parts that are left out', () => {
    const figure = '<figure><img src="/a.png"><figcaption>no</figcaption></figure>'
    expect(left(`<div><p>yes</p><div class="box">${figure}</div><p>yes</p></div>`)).toContain('<div class="box"><figure><img')
    expect(left(`<article><header><h1>yes</h1><p>no</p>${figure}</header><div><p>no</p><p>yes</p></div></article>`)).toContain('<figure><img')
    expect(left('<div><p>yes</p><div class="wp-caption"><img src="/a.png"><p>no</p></div><p>yes</p></div>')).toContain('<div class="wp-caption"><img')
    expect(left('<div><p>yes</p><div class="imageblock"><div class="content"><img src="/a.png"></div><div class="title">no</div></div><p>yes</p></div>')).toContain('<div class="imageblock"><div class="content"><img')
    expect(left(`<div><p>yes</p><div class="related">${figure}</div><p>yes</p><p>yes ${'long '.repeat(300)}</p></div>`)).not.toContain('<img')
    expect(left(`<div><p>yes</p>${'<p>no</p>'.repeat(9)}<div>${figure}</div><p>yes</p></div>`)).not.toContain('<img')
    expect(left(`<div><p>yes</p><a href="/b"><img src="/b.png"><p>no</p></a><p>yes</p></div>`)).not.toContain('<img')
  })

  it('has the line under its headline', () => {
    const text = `<p>yes ${'and so on '.repeat(20)}</p>`
    expect(left(`<meta property="og:type" content="article"><main><div><h1>yes</h1><p>no</p><h3 class="post-subtitle">Why the sea keeps time, no</h3><div class="dek"><a href="/a">no, a list of all essays</a></div></div>${text}<p class="dek">no, not here any more</p></main>`)).toBe(`<main><div><h1>yes</h1><h3 class="post-subtitle">Why the sea keeps time, no</h3></div>${text}</main>`)
  })

  it('has a table of data whole where it has some of it', () => {
    const rows = '<tr><td>no</td><td>yes</td></tr><tr><td>no</td><td>no</td></tr>'
    const table = `<table><tr><th>no</th><th>no</th></tr>${rows}</table>`
    expect(left(`<p>yes</p>${table}<p>yes</p>`)).toContain(table)
    expect(left(`<p>yes</p><table>${rows}</table><p>yes</p>`)).not.toContain('<tr><td>no</td><td>no</td></tr>')
    expect(left(`<p>yes</p>${table.replaceAll('no', '<a href="/no">a link</a>')}<p>yes</p>`)).not.toContain('link')
  })

  it('has the price below the heading of the product, and no other', () => {
    expect(left('<main><div><h1>yes</h1><div>no</div><span>€ 49.00</span><p>no</p><span>€ 5.00</span></div><p>yes</p></main>')).toBe('<main><div><h1>yes</h1><span>€ 49.00</span></div><p>yes</p></main>')
    expect(left(`<main><div><h1>yes</h1></div><p>yes ${'long '.repeat(400)}</p><p>$ 9</p></main>`)).not.toContain('9')
  })

  it('has the prices of the items of a list', () => {
    expect(left('<div><h3>yes</h3><p>$ 4.50</p><p>no</p><h3>yes too</h3><p>4,50 €</p></div><div><a href="/b">yes</a><p>USD 3</p></div><h3>no</h3><p>$ 7</p>')).toMatch(/4\.50.*4,50.*USD 3<\/p><\/div>$/)
    expect(left('<p>yes</p><h3>yes</h3><p>yes</p><p>no</p><p>no</p><p>no</p><p>$ 5 and more</p><p>yes</p>')).not.toContain('$ 5')
  })

  it('has the titles of teasers whose texts it has, if it has one of them', () => {
    const text = `yes ${'and so on '.repeat(9)}`
    const teaser = (title: string, said = text): string => `<div class=item><a class=title href=/a>${title}</a><p><a href=/k>Knots</a></p><p>${said}</p></div>`
    expect(left(teaser('yes') + teaser('Low tide') + teaser('Rope', 'of another page'))).toMatch(/>yes<.*>Low tide<\/a><p>yes[^K]*$/)
    expect(left(teaser('yes') + teaser('Low tide'))).not.toContain('Rope')
    expect(left(teaser('Low tide') + teaser('Rope'))).not.toContain('Low tide')
  })

  it('has the headings of posts whose texts it has, if there are two, and those of no other parts', () => {
    const post = (title: string, text: string): string => `<div class="post"><h2><a href="/a">${title}</a></h2><time>no</time><p>${text}</p></div>`
    expect(left(`<div>${post('no title', 'yes')}${post('no further title', 'yes')}${post('no last title', 'no')}</div>`).match(/no [a-z ]*title/g)).toEqual(['no title', 'no further title'])
    expect(left(`<div>${post('no title', 'yes')}<aside>${post('no further title', 'yes')}${post('no last title', 'yes')}</aside></div>`)).not.toContain('title')
  })

  it('has the facts between its heading and its text, unless it is an article', () => {
    const text = `<p>yes ${'and so on '.repeat(20)}</p>`
    const page = `<main><h1>yes</h1><div>Leeds, UK</div><div>Share this</div><button>Apply</button><label>Name</label><p>Posted by:</p><a href="/j">jobs</a><p>7.8/10</p><p>14</p>${text}</main>`
    expect(left(page)).toBe(`<main><h1>yes</h1><div>Leeds, UK</div><p>7.8/10</p>${text}</main>`)
    expect(left(`<meta property="og:type" content="article">${page}`)).toBe(`<main><h1>yes</h1>${text}</main>`)
    expect(left(`<meta property="og:type" content="article"><script type="application/ld+json">{"@type": "JobPosting"}</script>${page}`)).toContain('Leeds')
    expect(left(`<main><h1>yes</h1>${'<p>no</p>'.repeat(20)}${text}</main>`)).toBe(`<main><h1>yes</h1>${text}</main>`)
  })

  it.each([
    ['a table', '<h2>Data</h2><table><tr><th>Weight</th><td>1.4 kg</td></tr><tr><th>Made by</th><td><a href="/x">Xylo</a></td></tr></table>'],
    ['a list of terms', '<h2>Data</h2><dl><dt>Weight</dt><dd>1.4 kg</dd><dt>Voltage</dt><dd>18 V</dd></dl>'],
    ['lines with a colon', '<h2>Data</h2><p><b>Weight:</b> 1.4 kg</p><p><b>Voltage:</b> 18 V</p>'],
    ['rows of two parts', '<h2>Data</h2><div><div><span>Weight</span><span>1.4 kg</span></div><div><span>Voltage</span><span>18 V</span></div></div>'],
    ['rows of a number and its unit', '<div><div><span>Weight </span><span><b>1.4<i> kg</i></b></span></div><div><span>Makes </span><span>4</span> <span>bowls</span></div></div>'],
    ['rows of two blocks', '<h2>Data</h2><ul><li><div>Weight</div><div>1.4 kg</div></li><li><div>Voltage</div><div>18 V</div></li></ul>'],
    ['a box beside the text', '<aside><dl><dt>Place</dt><dd>Ghent</dd><dt>Pay</dt><dd>€ 3,100</dd><dt>Until</dt><dd>1 March</dd></dl></aside>'],
  ])('has a record: %s', (_, record) => {
    expect(left(`<div><p>yes, ${'a text of its own '.repeat(60)}</p>${record}</div><p>yes</p>`).replaceAll('https://site.example', '')).toContain(record)
  })

  it.each([
    ['a name alone', '<p>Weight:</p><p>1.4 kg</p>'],
    ['links', '<ul><li><span>Weight</span> <a href="/w">heavy things</a></li><li><span>Voltage</span> <a href="/v">all things</a></li></ul>'],
    ['what a footer says', '<footer><p>Phone: 5550123</p><p>Fax: 5550124</p></footer>'],
    ['a form', '<form><p>Weight: in kg</p><p>Voltage: in V</p></form>'],
    ['the place in a gallery', '<div><div>Image <span>30</span> <span>/</span> <span>35</span></div><div><p>Caption</p><p>Close</p></div></div>'],
    ['credits', '<p>Photo: A. Silva</p><p>Source: Board</p>'],
    ['figures', '<table><tr><td>10</td><td>20</td></tr><tr><td>30</td><td>40</td></tr></table>'],
    ['what is said of many things', '<div><p>Age: 35</p><p>Height: 5</p></div>'.repeat(3)],
  ])('has no record: %s', (_, other) => {
    expect(left(`<div><p>yes, ${'a text of its own '.repeat(60)}</p>${other}</div><p>yes</p>`)).not.toMatch(/Weight|Voltage|Fax|Source|30|35/)
  })

  it('has the sections without links of a part that is kept for the most', () => {
    const text = `<p>yes ${'and so on '.repeat(60)}</p>`
    const options = '<h2>Options</h2><ul><li>Tow bar</li></ul>'
    expect(left(`<main><h1>yes</h1>${text}${options}<h2>More</h2><p>of <a href="/m">these</a></p><h2>Empty</h2></main><p>yes</p>`)).toContain(`${text}${options}</main>`)
    expect(left(`<main><h1>yes</h1>${text}</main><div>${options}<p>${'no such thing '.repeat(200)}</p></div><p>yes</p>`)).not.toContain('Options')
  })

  it('has what is omitted inside technical writing, and what to see also after it, and no line of other text', () => {
    const text = (code: string): string => `<p>yes ${`call ${code} and so on `.repeat(40)}</p>`
    const omitted = '<dl><dt>stop(now)</dt><dd><p>Waits for <code>poll</code>.</p></dd></dl><div>Menu</div>'
    const page = (code: string): string => left(`<div><div>${text(code)}<div>${omitted}</div>${text(code)}<div><h2>See also</h2><a href="/b">start</a></div></div><p>Made by hand</p></div>`)
    expect(page('<code>f</code>')).toContain('<dl><dt>stop(now)</dt><dd><p>Waits for <code>poll</code>.</p></dd></dl></div>')
    expect(page('<code>f</code>')).toMatch(/<h2>See also<\/h2><a href="[^"]*">start<\/a><\/div><\/div>$/)
    expect(page('f')).not.toMatch(/stop|See also/)
  })

  it('has the sections of technical writing that hold code, before the first kept block and behind the last, and no others', () => {
    const text = `<section><p>yes ${'call <code>f</code> and so on '.repeat(40)}</p></section>`.repeat(2)
    const section = (what: string): string => `<section><h3>${what}()</h3><p>Waits for ${what} to end.</p><pre>${what}(1)</pre><p>Since 2.0 of ${what}.</p></section>`
    const seen = left(`<div><main>${section('open')}${text}${section('close')}<aside><pre>menu</pre></aside><p>Made by hand</p></main></div><p>yes</p>`)
    expect(seen).toContain(section('open') + text + section('close'))
    expect(seen).not.toMatch(/menu|hand/)
  })

  it('has paragraphs between two kept blocks of short technical writing, and its heading that is all of the title of the page', () => {
    const page = (code: string): string => left(`<title>SHOW</title><div><div><h2>SHOW</h2><p>${`Shows the ${code} of things. `.repeat(8)}</p><table><tr><td>yes ${`more of ${code} and so on `.repeat(24)}</td></tr></table></div><p>Made by hand</p></div>`)
    expect(page('<code>f</code>')).toMatch(/<h2>SHOW<\/h2><p>Shows the .*<table>/)
    expect(page('f')).toMatch(/^(?!.*Shows the).*<h2>SHOW<\/h2>/)
  })

  it('has no line that only leads to the page in other languages', () => {
    const page = (link: string): string => left(`<div><h1>yes</h1><div><p>yes: ${link}en</a> | <a href="/fr">fr</a></p></div><p>yes ${'and so on '.repeat(60)}</p></div><p>yes</p>`)
    expect(page('<a href="/en" hreflang="en" rel="alternate">')).not.toContain('fr')
    expect(page('<a href="/en" hreflang="en">')).toContain('fr')
    expect(page(`${'a sentence of its own about it '.repeat(2)}<a href="/en" hreflang="en" rel="alternate">`)).toContain('fr')
  })

  it('has the rest of the code when nearly all of it is kept', () => {
    const page = (code: string): string => left(`<main><h2>yes</h2><p>yes ${'and so on '.repeat(60)}</p><div>${code}</div><h2>yes</h2></main><p>yes</p>`)
    expect(page('<div class="a"><div><pre>git push</pre></div></div>')).toContain('git push')
    expect(page('<div><p>no</p><div><pre>git push</pre></div><p>no</p></div>')).not.toContain('git push')
    expect(page('<div><pre>git push</pre></div><p>no</p><div><pre>git pull</pre></div>')).not.toMatch(/push|pull/)
  })

  it('has all posts of a discussion when most are kept, and nothing that only looks like a post', () => {
    const post = (text: string): string => `<article><p>by me</p><div class="post-body">${text}</div></article>`
    const long = `<p>yes ${'and so on '.repeat(20)}</p>`
    const thread = `<main><h1>yes</h1>${post(long)}${post(long.replace('and', 'then'))}${post('<p>No, see <a href="/n">the notes</a>.</p>')}</main><div class="post-body">Rules</div>`
    const seen = left(thread, 'https://site.example/forum/thread')
    expect([seen.includes('the notes'), seen.includes('Rules'), seen.includes('by me')]).toEqual([true, false, false])
    expect(left(thread)).not.toContain('the notes')
    expect(left(thread.replace(long, '<p>no</p>'), 'https://site.example/forum/thread')).not.toContain('the notes')
  })

  it('has both posts of a discussion of two when the page numbers or marks them as posts', () => {
    const thread = (of: (text: string, i: number) => string): string => left(`<main><h1>yes</h1>${of(`<p>yes ${'and so on '.repeat(20)}</p>`, 1)}${of('<p>No, see <a href="/n">the notes</a>.</p>', 2)}</main>`, 'https://site.example/forum/thread')
    expect(thread((text, i) => `<div id="post_${i}"><p>by me</p><div class="post">${text}</div></div>`)).toMatch(/^(?!.*by me).*the notes/)
    expect(thread((text) => `<div><p>by me</p><div class="post" itemprop="text">${text}</div></div>`)).toMatch(/^(?!.*by me).*the notes/)
    expect(thread((text) => `<div><p>by me</p><div class="post">${text}</div></div>`)).not.toContain('the notes')
  })

  it.each([
    ['a box of that name', '<div class="key-takeaways"><p>Takeaways</p><ul><li>Gusts of 140 at night</li><li>No school</li></ul></div>'],
    ['one that stands aside', '<aside class="article-summary"><h2>In brief</h2><p>Gusts of 140 were measured at night</p></aside>'],
    ['sentences in a list', '<ul><li>Gusts of 140 were measured at night.</li><li>Schools are closed until the end of the week.</li></ul>'],
  ])('has the summary above the text of an article: %s', (_, summary) => {
    const text = `<div><p>yes, ${'a text of its own '.repeat(60)}</p></div>`
    const article = (before: string, after = ''): string => left(`<article><h1>yes</h1>${before}${text}${after}</article><meta property="og:type" content="article">`)
    expect(article(summary)).toContain(summary)
    expect(article('', summary)).not.toContain('Gusts')
  })

  it.each([
    ['dates', '<ul><li>Feb 18, 2020</li><li>Last modified Feb 18, 2020</li></ul>'],
    ['a list of contents', '<ul><li>What the storm did to the harbour and to the town</li><li>What is to be done about the harbour in the coming year</li></ul>'],
    ['links', '<div class="summary"><a href="/a">Gusts of 140 were measured at night</a> and more</div>'],
    ['a form', '<div class="summary"><p>Gusts of 140 and more: have the news sent to you.</p><form><input name="mail"></form></div>'],
    ['a box that holds more than a summary does', `<div class="summary"><p>Gusts of 140 were measured at night</p>${'<i></i>'.repeat(600)}</div>`],
  ])('has no summary: %s', (_, other) => {
    expect(left(`<article><h1>yes</h1>${other}<div><p>yes, ${'a text of its own '.repeat(60)}</p></div></article><meta property="og:type" content="article">`)).not.toMatch(/2020|storm|Gusts/)
  })

  it('contains text for screen readers only once, next to the visible one', () => {
    expect(left('<p>yes <del>5</del> <span class="screen-reader-text">Price was: 5.</span><ins>4</ins></p><h2><span class="sr-only">yes, all of it</span></h2><p>yes</p>')).toBe('<p>yes <del>5</del> <ins>4</ins></p><h2><span class="sr-only">yes, all of it</span></h2><p>yes</p>')
  })
})

/** A tree over two features: the first splits at 1.5, with a leaf on either side. */
function tree(low: number, high: number): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(12 + 5 + 1 + 3 + 4 + 4))
  bytes.setFloat32(4, 0.5, true)
  bytes.setUint16(8, 1, true)
  bytes.setUint16(10, 2, true)
  bytes.setUint8(12, 1)
  bytes.setFloat32(13, 1.5, true)
  bytes.setUint8(17, 0)
  bytes.setUint16(18, 0, true)
  bytes.setUint8(20, 0)
  bytes.setUint16(21, 0xffff, true)
  bytes.setInt16(23, low, true)
  bytes.setUint16(25, 0xffff, true)
  bytes.setInt16(27, high, true)
  return new Uint8Array(bytes.buffer)
}

it('reports its confidence, and warns when it is low', () => {
  const html = `<body>${`<p>${'The ferry leaves the inner harbour at seven. '.repeat(4)}</p>`.repeat(10)}</body>`
  const said = (leaf: number): unknown => {
    useForest(tree(leaf, leaf))
    const warnings: string[] = []
    const { document } = parse(html)
    const { confidence } = atOnce(mainContent({ document, url: 'https://site.example/', removed: new Set(), wanted: undefined, matcher: new Matcher(document), warn: (sentence) => warnings.push(sentence) }))
    return [confidence, warnings.length, warnings.every((one) => one.includes('onlyMainContent: false'))]
  }
  try {
    // With equal probabilities c, everything is kept: the expected score is 2c / (1 + c).
    expect([said(-4), said(4)]).toEqual([[0.21, 1, true], [0.94, 0, true]])
  } finally {
    useForest(Buffer.from(trees, 'base64'))
  }
})
