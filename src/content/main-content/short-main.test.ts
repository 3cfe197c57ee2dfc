import { expect, it } from 'vitest'
import { readDefaults } from '../../domain/pages/reading.ts'
import { read } from '../reading.ts'

function markdownOf(title: string, body: string): string {
  const html = `<!doctype html><title>${title}</title><body>${body}</body>`
  return read({ requestedUrl: 'https://wiki.example/page', url: 'https://wiki.example/page', status: 200, headers: [['content-type', 'text/html']], body: Buffer.from(html), engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 }, readDefaults).markdown()
}

const tools = '<ul><li><a href="/recent">Recent changes</a><li><a href="/media">Media manager</a><li><a href="/map">All pages</a></ul>'
const posts = ['Eel traps', 'A new slipway', 'Buoys in winter', 'The ferry returns'].map((name, i) => `<li><a href="/${i}">${name}</a>`).join('')

it('takes a few words in the main element for the whole content, although the header has a heading', () => {
  const header = `<header><h1><a href="/">Mooring wiki</a></h1><h3>Site tools</h3>${tools}<div class="trace">Trace: <a href="/fees">fees</a></div></header>`
  const foot = '<div class="docInfo">fees.txt · 2024/05/17</div>'
  expect(markdownOf('fees [Mooring wiki]', `${header}<main><div class="pageId">fees</div><div class="page"><h1>Fees</h1><table><tr><th>Length<th>Fee<tr><td>8 m<td>€ 14.50</table></div>${foot}</main>`)).toBe('# Fees\n\n| Length | Fee |\n| --- | --- |\n| 8 m | € 14.50 |\n')
})

it('leaves the lists beside a main element that says little under its heading', () => {
  const beside = `<aside><h2>Recent posts</h2><ul>${posts}</ul><h2>Archives</h2><ul><li><a href="/m">March 2024</a><li><a href="/a">April 2024</a></ul></aside>`
  expect(markdownOf('Opening hours – Pier office', `<header><p><a href="/">Pier office</a></p></header><div id="content"><main><article><header><h1>Opening hours</h1></header><div class="entry"><p>Monday to Friday, 8 to 17.</p></div></article></main></div>${beside}`)).toBe('# Opening hours\n\nMonday to Friday, 8 to 17.\n')
})

it('looks no further than the element called the content when a page says little', () => {
  const around = `<div id="top-menu">${tools}</div><div id="header"><p>Ropes</p></div><div id="main-menu"><ul><li><a href="/o">Overview</a><li><a href="/i">Issues</a><li><a href="/f">Forums</a><li><a href="/d">Documents</a></ul></div>`
  expect(markdownOf('Questions - Ropes', `<div id="wrapper">${around}<div id="main"><div id="content"><h2>Questions</h2><p>Ask here</p><table><tr><th>Subject<th>Author<tr><td><a href="/t/1">Which fid?</a><td><a href="/u/5">Marta</a></table></div></div><div id="footer">Powered by a tracker</div></div>`)).toBe('## Questions\n\nAsk here\n\n| Subject | Author |\n| --- | --- |\n| [Which fid?](https://wiki.example/t/1) | [Marta](https://wiki.example/u/5) |\n')
})

it('keeps the headings of sections whose anchors are words that name furniture elsewhere', () => {
  const section = (name: string): string => `<h2><span class="headline" id="${name}">${name}</span></h2><p>A fid of twelve millimetres opens the strands of most of the ropes on board, and a smaller one does not: ${name.length}.</p>`
  expect(markdownOf('Splice', `<main><h1>Splice</h1>${['Kinds', 'Discussion', 'Actions'].map(section).join('')}</main>`).match(/^## .*/gm)).toEqual(['## Kinds', '## Discussion', '## Actions'])
})

it('takes the main element that says more than what stands beside it, with what a form without fields holds', () => {
  const side = '<div class="side"><h1><a href="/r/boats">boats</a></h1><p>Be kind, and sell no boats here.</p></div>'
  const remark = (form: string): string => `<div class="said"><p>jari, on Sunday</p>${form}<p>Put a pipe around it.</p></form></div>`
  const page = (form: string): string => markdownOf('jari on bells', `${side}<div role="main"><p><a href="/bells">Bells that ring at high tide, and twice on a Sunday</a></p><p>My sensor shows 9.99 since the ice came.</p>${remark(form)}</div>`)
  expect(page('<form><input type="hidden" name="thing">')).toMatch(/My sensor shows[^]*Put a pipe around it\.\n$/)
  expect(page('<form><input type="hidden" name="thing">')).not.toContain('Be kind')
  expect(page('<form><input type="text" name="thing">')).not.toContain('pipe')
})

it('takes all of a main element whose articles are parts of one list, with what is said of each of its people', () => {
  const card = (name: string): string => `<article class="team-card"><h3>${name}</h3><p class="team-card__bio">${name} built three theatres before.</p></article>`
  expect(markdownOf('Our team', `<header>${tools}</header><main><h1>Our team</h1><p>Two people, one shop.</p><section>${card('Omar')}${card('Greta')}</section></main>`)).toBe('# Our team\n\nTwo people, one shop.\n\n### Omar\n\nOmar built three theatres before.\n\n### Greta\n\nGreta built three theatres before.\n')
  expect(markdownOf('Rope', `<main><h1>Rope</h1><article><p>Splice it wet, and let it dry for a day or two before it is used.</p></article><div class="bio"><p>Omar built three theatres.</p></div></main>`)).not.toContain('theatres')
})
