import { zipSync } from 'fflate'
import { expect, it } from 'vitest'
import { growth } from '../../../test/cpu.ts'
import { looksFor, looksIn } from './epub-looks.ts'
import { readDocument } from './read.ts'

async function htmlOf(css: string, body: string, link = ''): Promise<string> {
  const files = {
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>',
    'book.opf': '<package><manifest><item id="c" href="text/c.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/></spine></package>',
    'text/c.xhtml': `<html><head><link rel="stylesheet" href="../a.css"${link}/></head><body>${body}</body></html>`,
    'a.css': css,
  }
  const reply = await readDocument(zipSync(Object.fromEntries(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]))))
  return 'converted' in reply ? reply.converted.html.replaceAll('\n', '').replace(/ class="[^"]*"/g, '') : reply.problem
}

it('a book says by the classes of its style sheet what is bold, italic, struck, raised, lowered, or not displayed', async () => {
  const css = '.b { font-weight: bold } .i, .x { font-style: italic; } span.s{text-decoration:line-through} .up{vertical-align:super} .down { position: relative; top: 0.3em; font-size: .6em } .gone { display:none !important }'
  const body = '<h1 class="b">Tides</h1><p>Water is <span class="b i">H<span class="down">2</span>O</span>, 10<span class="up">3</span> m, <span class="s">old</span>.<span class="gone"> Secret <b>one</b></span></p><p class="b">All <span class="b">bold</span></p><div class="gone"><p>Secret two</p></div><p class="s">End<br class="i"/></p>'
  expect(await htmlOf(css, body)).toBe('<section><h1>Tides</h1><p>Water is <span><strong><em>H<span><sub>2</sub></span>O</em></strong></span>, 10<span><sup>3</sup></span> m, <span><s>old</s></span>.</p><p><strong>All <span>bold</span></strong></p><p>End<br></p></section>')
})

it('passes over rules for media and other selectors, and reads what is broken', () => {
  const looks = looksIn('@import "x"; .a{font-weight:700} @media print { .b { display: none } } .c .d, .e:hover { display: none } /* .f { display: none } */ .g { font-weight: normal } } .h { font-style: italic } .i { display: none')
  expect([...looks.keys()].map((one) => [one, looksFor([looks], 'p', { class: one.slice(1) })])).toEqual([['.a', ['strong']], ['.g', []], ['.h', ['em']]])
})

it.each([
  ['later rules add to earlier ones', '.a, .b { font-weight: bold } .a { margin: 0 }', 'class="a"', ['strong']],
  ['later rules win', '.a { font-weight: bold } .b { font-weight: normal } .a { font-style: italic }', 'class="b a"', ['em']],
  ['classes of an element win', 'p.x { display: block } .x { display: none }', 'class="x"', []],
  ['the own style wins', '.x { display: none }', 'class="x" style="display: block; font-weight: bold"', ['strong']],
  ['what is important wins', '.x { display: none ! important } p.x { display: block }', 'class="x" style="display: block"', null],
  ['no line is no line through', '.s { text-decoration-line: line-through } .t { text-decoration: none }', 'class="s t"', []],
])('of several declarations, %s', (_, css, attributes, looks) => {
  const said = Object.fromEntries([...attributes.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]))
  expect(looksFor([looksIn(css)], 'p', said)).toEqual(looks)
})

it('later style sheets win', () => {
  expect(looksFor(['/* Long. */ .x { display: none }', '.x { display: block }'].map(looksIn), 'p', { class: 'x' })).toEqual([])
})

it('style sheets count unless they are for other media than screens', async () => {
  const shown = async (media: string): Promise<boolean> => (await htmlOf('.x { display: none }', '<p class="x">One</p>', ` media="${media}"`)).includes('One')
  expect(await Promise.all(['print', 'print and (color)', 'speech, print'].map(shown))).toEqual([true, true, true])
  expect(await Promise.all(['', 'all', 'Screen', 'print, screen'].map(shown))).toEqual([false, false, false, false])
})

it('keeps notes that are hidden until the text shows them, also those that only their classes name', async () => {
  expect(await htmlOf('.footnote, .gone { display: none }', '<p>Text</p><div class="footnote">Note</div><div class="gone">Gone</div>')).toBe('<section><p>Text</p><div>Note</div></section>')
})

it.each([
  ['that are cut within a font', (n: number) => `@font-face { src: url(data:font/woff;base64,${'A'.repeat(n * 20)}`],
  ['with rules of many classes and declarations', (n: number) => `${'.a,'.repeat(n)}.b{${'top:0;'.repeat(n)}}`],
])('reads style sheets %s in linear time', (_, css) => {
  expect(growth(css, looksIn, 1_000)).toBeLessThan(1.5)
})
