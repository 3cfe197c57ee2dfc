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

it('keeps the questions of a quiz with their answers, not those of a form to be filled in', () => {
  const question = (n: number, line: string): string => `<fieldset><legend>${line}</legend>${['Vltava', 'Elbe', 'Morava'].map((answer, i) => `<input type="radio" name="q${n}" id="q${n}${i}"><label for="q${n}${i}">${answer}</label>`).join('')}</fieldset>`
  const page = (fields: string): string => markdownOf('Rivers', `<main><h1>Rivers</h1><p>${'Ten minutes, a few questions about the rivers of this land, and no maps at all. '.repeat(5)}</p>${fields}</main>`)
  const quiz = question(1, 'Which river flows through Prague?') + question(2, 'Which is longest?')
  for (const found of [page(quiz), page(`<form>${quiz}<button>Send</button></form>`)]) expect(found).toMatch(/Which river flows through Prague\?[^]*Elbe[^]*Which is longest\?[^]*Morava/)
  for (const none of [page(`<form>${quiz}<input type="text" name="mail"></form>`), page(question(1, 'Your river'))]) expect(none).not.toContain('Morava')
})

it('keeps the files of a release at the end of its box', () => {
  const box = (foot: string): string => `<section><div class="Box"><div class="Box-body"><h2>v3.2</h2><p>${'Fixes the shuttle, which stopped in the middle of a row. '.repeat(6)}</p></div><div class="Box-footer">${foot}</div></div></section>`
  expect(markdownOf('Releases', `<main><h1>Releases</h1>${box('<ul><li><a href="/v3/loom.tar.gz">loom.tar.gz</a> 4.1 MB</li></ul>')}</main>`)).toContain('loom.tar.gz')
  expect(markdownOf('Releases', `<main><h1>Releases</h1>${box('<p>Seen by 41 people, of which 7 liked it</p>')}</main>`)).not.toContain('Seen by')
})

it('keeps all blocks of a newsletter laid out in tables', () => {
  const block = (html: string): string => `<table class="mcnTextBlock"><tr><td class="mcnTextContent">${html}</td></tr></table>`
  const letter = block('<h1>The gates are open</h1><p>Dear friends, the spring gates opened on 1 March, two weeks earlier than last year, and the eels came with them in the second night.</p>') + block('<h2>Volunteers</h2><p>We need six people.</p>') + block('<h2>Dates</h2><ul><li>12 April: count</li></ul>')
  expect(markdownOf('News', `<center><table><tr><td><table><tr><td>${letter}</td></tr></table></td></tr></table></center>`)).toMatch(/# The gates are open[^]*## Volunteers\n\nWe need six people\.[^]*12 April/)
})

it('keeps the boxes that Docutils sets beside a text', () => {
  const text = '<p>This module drives a loom over a serial line, and only from one thread, because the machine has one shuttle.</p>'
  const box = (kind: string, line: string): string => `<aside class="${kind}"><p class="${kind}-title">${line}</p><p>A loom must be threaded.</p></aside>`
  const markdown = markdownOf('loom', `<div class="body" role="main"><section><h1>loom</h1>${box('topic', 'Before you begin')}${box('sidebar', 'Hardware')}${text.repeat(2)}</section></div>`)
  expect(markdown).toMatch(/Before you begin[^]*Hardware/)
})

it('keeps the properties of a case, which are data about it', () => {
  const row = (name: string, value: string): string => `<p><span class="meta-data-header">${name}:</span> <span class="meta-data-value">${value}</span></p>`
  expect(markdownOf('Doe v. Freight', `<div class="content"><div><h1>Doe v. Freight</h1></div><div>${row('Assigned To', 'Nora Whitfield')}${row('Date Filed', 'April 3, 2025')}</div><div><p>COMPLAINT against Freight, filing fee $405, filed by Jane Doe.</p></div></div>`)).toMatch(/Nora Whitfield[^]*April 3, 2025/)
})

it('leaves out the boxes of links and the controls of a wiki, by their names', () => {
  const head = '<div class="page-header"><div class="page-header__categories">in: <a href="/c1">Castles</a></div><h1>Grey Keep</h1><div class="page-header__actions"><a href="?edit">Edit</a></div></div>'
  const text = '<p>A fortress on the mouth of the river Ash, and the seat of a house of fishermen since the war.</p>'
  const box = '<table class="navbox"><tr><th>Places</th></tr><tr><td><a href="/1">Ashford</a> • <a href="/2">Candle Rock</a></td></tr></table>'
  expect(markdownOf('Grey Keep', `<main>${head}<div class="page-content">${text}${box}</div></main>`)).toBe('# Grey Keep\n\nA fortress on the mouth of the river Ash, and the seat of a house of fishermen since the war.\n')
})

it('keeps the responses of an operation, not those of readers', () => {
  const page = (heading: string): string => markdownOf('Get invoice', `<div><h1>Get invoice</h1><p>Reads one invoice with all of its lines and taxes, as it was sent to the customer.</p><h3>${heading}</h3><p>The invoice, in cents.</p></div>`)
  expect(page('Responses')).toContain('### Responses\n\nThe invoice, in cents.')
  expect(page('Responses (3)')).not.toContain('cents')
})

it('keeps all posts of a short discussion, each in boxes of its own', () => {
  const post = (n: number, text: string): string => `<div class="topic-post"><article id="post_${n}"><div class="row"><div class="names">ann${n}</div><div class="cooked"><p>${text}</p></div><button>Reply</button></div></article></div>`
  const page = (text: string): string => markdownOf('Boiler</title><meta name="generator" content="Discourse 3.4"><title>', `<div class="top"><h1>Boiler</h1></div><div class="stream">${post(1, 'It loses pressure.')}${post(2, text)}${post(3, 'Thank you!')}</div><div class="more"><h3>Others</h3><ul><li><a href="/t/1">Cold floor</a></ul></div>`)
  expect(page('Put a dry plastic bag over the end of the relief pipe outside, and look at it in the morning.')).toBe('# Boiler\n\nann1\n\nIt loses pressure.\n\nann2\n\nPut a dry plastic bag over the end of the relief pipe outside, and look at it in the morning.\n\nann3\n\nThank you!\n')
})

it('leaves out the menu beside the main element of a short page, by its role', () => {
  const menu = `<div role="navigation"><h1><a href="/index">Mooring</a></h1><ul>${Array.from({ length: 12 }, (_, i) => `<li><a href="/${i}">A chapter about mooring ${i}</a>`).join('')}</ul></div>`
  expect(markdownOf('Testing', `<div class="body" role="main"><section><h1>Testing</h1><ul><li><a href="/a">Running the tests</a><li><a href="/b">Collecting results</a></ul></section></div>${menu}`)).not.toContain('chapter')
})

const cards = ['New layout', 'Free of charge', 'Feature boxes'].map((name) => `<div><h2>${name}</h2><p>A row of oak planks, cut by hand: ${name.length}.</p></div>`).join('')

it('keeps the heading that opens a short page with the line below it, in a header or in a box about its author', () => {
  const nav = '<nav><a href="/a">About</a><a href="/b">Shop</a></nav>'
  const page = (title: string, head: string): string => markdownOf(title, `${nav}${head}<section>${cards}</section><footer>Imprint</footer>`)
  expect(page('Planks - A yard', '<header class="masthead"><div><h1>A warm welcome!</h1><p>We cut what you need.</p></div></header>')).toMatch(/^# A warm welcome!\n\nWe cut what you need\.\n\n## New layout/)
  // The name of the site stands above the heading of the page.
  expect(page('New layout - Yard', '<header><h1>Yard</h1><p>Oak and larch since 1900</p></header>')).not.toContain('Oak and larch')
  expect(page('New layout', '<header><h1>Yard</h1><p>Oak and larch since 1900</p></header>')).not.toContain('Oak and larch')
  expect(page('Yard', '<header><h1><a href="/">Yard</a></h1><p>Oak and larch since 1900</p></header>')).not.toContain('Oak and larch')
  expect(page('Yard', `<header><h1>Yard</h1><p>Oak and larch since 1900</p>${'<a href="/l">Link</a>'.repeat(4)}</header>`)).not.toContain('Oak and larch')
  expect(page('Yard', '<header><h1>Yard</h1><p>Oak and larch since 1900</p><h1>Planks</h1></header>')).not.toContain('Oak and larch')
  expect(markdownOf('Mara, Author at Yard', `<main><div class="author-bio"><h1>Mara</h1><p>Mara writes about ferries.</p></div><div class="posts">${cards}</div></main>`)).toMatch(/^# Mara\n\nMara writes about ferries\./)
})

it('leaves out what a short page lists below a heading about other things', () => {
  expect(markdownOf('Folk night', `<main><h1>Folk night</h1><div class="about"><p>Four bands, one barn and as much cider as the press gives.</p></div><section><h2>Other events you may like</h2><div><a href="/e"><h3>Open mic</h3></a></div></section></main>`)).toBe('# Folk night\n\nFour bands, one barn and as much cider as the press gives.\n')
})

it('keeps the dates of the entries of a short page, and not that of its only one', () => {
  const entry = (day: number): string => `<article><div class="Entry_date"><a href="/${day}">November ${day}</a></div><div><h2>Release ${day}</h2><p>The search looks at comments, too, and answers in a tenth of a second.</p></div></article>`
  expect(markdownOf('Changes', `<main><h1>Changes</h1>${entry(4)}${entry(9)}</main>`)).toMatch(/November 4[^]*November 9/)
  expect(markdownOf('Changes', `<main><h1>Changes</h1>${entry(4)}</main>`)).not.toContain('November')
})
