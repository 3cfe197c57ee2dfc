import { expect, it } from 'vitest'
import { keptLines, wantedBlocks } from '../../../../../test/wanted-blocks.ts'

/** The lines that are left of a page when the trees keep those that contain `yes`. */
const left = (html: string, head = ''): readonly string[] => keptLines(wantedBlocks(head + html, 'https://site.example/a', (line) => line.includes('yes')))

const text = `<p>yes, ${'all of it '.repeat(60)}</p>`
const house = (box: string): string => `<main><h1>yes</h1><section><h2>yes, a house</h2>${text}</section>${box}<p>yes, behind</p></main>`

it('keeps sections in boxes of their own beside one that is kept and written alike', () => {
  const boxes = '<section><h2>Price history</h2><table><tr><th>Day</th><th>Price</th></tr><tr><td>May</td><td>415</td></tr><tr><td>June</td><td>415</td></tr></table></section><section><h2>Schools</h2><p>Mill primary, near the house</p></section>'
  expect(left(house(boxes)).slice(3, -1)).toEqual(['Price history', 'Day', 'Price', 'May', '415', 'June', '415', 'Schools', 'Mill primary, near the house'])
})

it.each([
  ['is written otherwise', '<section class=offer><h2>Sell yours</h2><p>In a day</p></section>'],
  ['has links', '<section><h2>Near here</h2><ul><li><a href="/b">Mill Lane</a></li></ul></section>'],
  ['has no heading', '<section><p>In a day</p></section>'],
  ['has nothing but a heading', '<section><h2>Sell yours</h2></section>'],
  ['is to be filled in', '<section><h2>Ask us</h2><form><p>In a day</p></form></section>'],
  ['was there before', '<section><h2>yes, a house</h2><p>In a day</p></section>'],
])('leaves out such a box that %s', (_, box) => {
  expect(left(house(box)).filter((line) => !line.includes('yes'))).toEqual([])
})

it('keeps a table of data with the numbered line above it', () => {
  const table = (line: string): string => `<main><h1>yes</h1>${text}<div><div>${line}</div><table><tr><th>Yarn 1</th><th>n</th></tr><tr><td>Wool 3</td><td>41</td></tr></table></div>${text}</main>`
  expect(left(table('<b>Table 1</b> Threads used'))).toContain('Wool 3')
  expect(left(table('<b>Table 1</b> Threads used'))).toContain('Table 1 Threads used')
})

it('keeps the facts of a product on either side of what it is offered in', () => {
  const offered = Array.from({ length: 16 }, (_, i) => `<label><button>Colour ${i}</button></label>`).join('')
  const page = `<main><h1>yes</h1><div>In stock</div>${offered}<ul><li>Four years of warranty</li></ul>${text}</main>`
  expect(left(page, '<script type="application/ld+json">{"@type":"Product"}</script>')).toEqual(expect.arrayContaining(['In stock', 'Four years of warranty']))
  expect(left(page)).not.toContain('In stock')
})

it('keeps the names of tabs in a list that is named like others, when a panel is kept', () => {
  const tabs = '<div role="tablist"><button role="tab">Linux</button><button role="tab">macOS</button></div><div role="tabpanel"><p>yes, on one</p></div><div role="tabpanel"><p>yes, on the other</p></div>'
  expect(left(`<main><h1>yes</h1><div>${text}</div>${tabs}</main>`)).toEqual(expect.arrayContaining(['Linux', 'macOS']))
})

it('keeps a note behind a text that says that something went well', () => {
  const note = (name: string): string => `<main><h1>yes</h1>${text}<aside class=${name}>Remember the key</aside></main>`
  expect(left(note('success'))).toContain('Remember the key')
  expect(left(note('plain'))).not.toContain('Remember the key')
})

it('keeps a table beside the text that names its columns and its rows, although its cells are links', () => {
  const row = (n: number, name: string): string => `<tr><td><a href="/f${n}">${name}</a></td><td><a href="/c${n}">Change ${n}</a></td></tr>`
  const page = (rows: string, box = 'div'): readonly string[] => left(`<main><${box}><table><thead><tr><th>Name</th><th>Change</th></tr></thead><tbody>${rows}</tbody></table></${box}><p>yes, a loom</p></main>`)
  const files = ['docs', 'src', 'README'].map((name, i) => row(i + 1, name)).join('')
  expect(page(files)).toEqual(['Name', 'Change', 'docs', 'Change 1', 'src', 'Change 2', 'README', 'Change 3', 'yes, a loom'])
  for (const nothing of [page(files, 'aside'), page(row(1, '12') + row(2, '9') + row(3, '4')), page(row(1, 'docs') + row(2, 'src'))]) expect(nothing).toEqual(['yes, a loom'])
})

it('keeps a box written like a kept one that has a link beside its text, without the link', () => {
  const box = (line: string): string => `<div class="reward"><h3>${line}</h3><p>€ ${line.length}</p><p>${line} with all parts and no battery.</p><a href="/p">Pledge € ${line.length}</a></div>`
  expect(left(`<main><h1>yes</h1>${text}<section><h2>yes, rewards</h2>${box('yes, a sticker')}${box('The kit')}<p>yes, ${'all of it '.repeat(70)}</p></section></main>`)).toEqual(expect.arrayContaining(['The kit', '€ 7', 'The kit with all parts and no battery.']))
  expect(left(`<main><h1>yes</h1>${text}<section>${box('yes, a sticker')}${box('The kit')}<p>yes, ${'all of it '.repeat(70)}</p></section></main>`)).not.toContain('Pledge € 7')
})

it('keeps a table of data with its caption before a kept heading', () => {
  const table = '<table><caption>Bicycles, million</caption><tr><th>Land</th><th>2025</th></tr><tr><td>Portugal</td><td>2.1</td></tr></table>'
  expect(left(`<main><h1>yes</h1>${text}${table}<h3>yes, notes</h3><ul><li>Malta is left out</li></ul></main>`)).toEqual(expect.arrayContaining(['Bicycles, million', 'Portugal', '2.1']))
})

it('keeps a short quotation right behind a text, not one with links or on its own', () => {
  const page = (quote: string, before = text): readonly string[] => left(`<main><h1>yes</h1>${before}<div class="box"><blockquote>${quote}</blockquote></div><h3>More</h3><p>No</p></main>`)
  expect(page('<p>Nobody farms what nobody has bred.</p><cite>A. Lund</cite>')).toEqual(expect.arrayContaining(['Nobody farms what nobody has bred.', 'A. Lund']))
  expect(page('<p>Nobody <a href="/b">farms</a> it.</p>').join()).not.toContain('Nobody')
  expect(page('<p>Nobody farms it.</p>', `${text}<p>No</p>`).join()).not.toContain('Nobody')
})

it('keeps a heading as long as a sentence right behind that of the page', () => {
  const page = (heading: string): readonly string[] => left(`<main><h1>yes</h1>${heading}<p>By Inga</p>${text}</main>`)
  expect(page('<h2>Why a kilo of eels costs more than silver</h2>')).toContain('Why a kilo of eels costs more than silver')
  expect(page('<h2>More of it</h2>')).not.toContain('More of it')
})
