import { cpuMs } from '../../test/cpu.ts'
import { describe, expect, it } from 'vitest'
import { prescan } from './prescan.ts'
import { read } from './reading.ts'

const options = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true, blockAds: true }
/** Processor time that a page may hold the calling thread (R20), times eight for slow and shared machines and for code that is not yet compiled. */
const maxMs = 50 * 8
const size = 500_000

function fill(piece: string): string {
  return piece.repeat(Math.floor(size / piece.length))
}

function tags(piece: string, count = 9_900): string {
  const each = piece.match(/<[a-z]/g)?.length ?? 1
  return piece.repeat(Math.floor(Math.min(count / each, size / piece.length)))
}

/** Pages that the pre-scan lets pass, each against one part of the reading. */
const pages: Record<string, string> = {
  'deep nesting': `${'<div>'.repeat(500)}x`,
  'unclosed paragraphs and items': tags('<p>x<li>'),
  'paragraphs in items, unclosed': tags('<li><p>word word'),
  'unclosed table rows': `<table>${tags('<tr><td>x')}`,
  'tables in tables': tags('<table><tr><td>', 1500),
  'a giant table': `<table>${tags('<tr><td>a</td><td>b</td></tr>')}</table>`,
  'a table of great spans': `<table>${tags('<tr><td colspan=1000 rowspan=1000>a</td></tr>', 2000)}</table>`,
  'many attributes': `<div ${Array.from({ length: 40_000 }, (_, i) => `a${i}=1`).join(' ')}>`,
  'a giant class': `<div class="${fill('related sidebar ')}">x</div>`,
  'a giant class without spaces': `<div class="${fill('aB')}">x</div>`,
  'a giant id of dashes': `<div id="${fill('-')}">x</div>`,
  'a giant style': `<div style="${fill('display:')}">x</div>`,
  'many distinct classes': Array.from({ length: 9_900 }, (_, i) => `<p class="c${i} related-x${i}">x</p>`).join(''),
  'headings one after another': tags('<h2>Related articles</h2>'),
  'related lines in nested boxes': `${'<div>'.repeat(400)}${tags('<div>More from</div>', 8_000)}`,
  'siblings without text before a heading': `<main><p>${'word '.repeat(200)}</p>${tags('<i></i>', 8_000)}${tags('<h3>Comments</h3>', 1500)}</main>`,
  'many links': tags('<a href="x">y</a> '),
  'links in links': tags('<a href=x><div>'.replace('<div>', '<b>')).slice(0, 3000),
  'brackets': fill('<'),
  'ampersands': fill('&'),
  'broken comments': fill('<!--'),
  'broken declarations': fill('<!'),
  'open quotes': '<a b="'.repeat(400),
  'white space': fill(' \n'),
  'one long word': fill('x'),
  'one long heading': `<title>${fill('page not found ')}</title><h1>${fill('404 ').slice(0, 1000)}</h1>`,
  'a long text of captcha words': `<p>${fill('verify you ')}</p>`,
  'javascript demands': `<noscript>${fill('enable ')}</noscript>`,
  'a great source set': `<img srcset="${fill('a.png 1x,')}">`,
  'a source set of commas': `<img srcset="${fill(',')}">`,
  'scripts': tags('<script>x</script>'),
  'noscripts': tags('<noscript><p>x</p><a>y</a></noscript>'),
  'hidden parts': tags('<div hidden id="S:1"></div><template id="B:1"></template>'),
  'metas': tags('<meta name=keywords content=a>'),
  'structured data': `<script type="application/ld+json">${'['.repeat(100_000)}${']'.repeat(100_000)}</script>`,
  'markdown marks': `<p>${fill('*_`[]()#')}</p>`,
  'line breaks': tags('x<br>'),
  'inline elements': tags('<b>x</b><i>y</i>'),
  'definition lists': tags('<dl><dt>a<dd>b</dl>'),
  'options': `<select>${tags('<option>x')}</select>`,
  'images': tags('<img src="data:image/png;base64,AAAA" alt="x">'),
  'preformatted lines': `<pre>${fill('x\n')}</pre>`,
}

function processorMs(html: string): number {
  const body = new TextEncoder().encode(html)
  const url = 'https://site.example/'
  const reading = read({ requestedUrl: url, url, status: 200, headers: [['content-type', 'text/html']], body, engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 }, options)
  return cpuMs(() => {
    for (const view of ['html', 'links', 'images', 'metadata', 'verdict'] as const) reading[view]()
  })
}

describe('a page that the pre-scan calls small does not hold the thread', () => {
  it.each(Object.entries(pages))('%s', (_, html) => {
    expect(prescan(html).small).toBe(true)
    const times = [processorMs(html), processorMs(html), processorMs(html)]
    expect(Math.min(...times)).toBeLessThan(maxMs)
  })
})
