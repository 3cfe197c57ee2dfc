import { zipSync } from 'fflate'
import { expect, it } from 'vitest'
import { looksIn } from './epub-looks.ts'
import { readDocument } from './read.ts'

async function htmlOf(css: string, body: string): Promise<string> {
  const files = {
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>',
    'book.opf': '<package><manifest><item id="c" href="text/c.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/></spine></package>',
    'text/c.xhtml': `<html><head><link rel="stylesheet" href="../a.css"/></head><body>${body}</body></html>`,
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
  expect([...looks]).toEqual([['.a', ['strong']], ['.g', []], ['.h', ['em']]])
})
