import { expect, it } from 'vitest'
import type { PdfDocument } from '../../../domain/pages/pdf.ts'
import { drawnBullets } from './bullets.ts'
import { finish } from './finish.ts'
import { pageRanges } from './page-ranges.ts'
import type { RawPage } from '../source.ts'

function made(pages: readonly (string | Partial<RawPage>)[], more: object = {}): PdfDocument {
  const raw = pages.map((page, i): RawPage => ({ pageNumber: i + 1, markdown: '', needsOcr: false, bullets: [], anchors: [], ...(typeof page === 'string' ? { markdown: page } : page) }))
  return finish({ totalPages: pages.length, pages: raw, info: {}, warnings: [] }, { mode: 'auto', pages: false, pageMarkers: false, html: true, ...more })
}
const markdown = (text: string): string => made([text]).markdown
const html = (text: string): string | null => made([text]).html

it.each([
  ['a word parted at a line end', 'an extra- ordinary day', 'an extraordinary day'],
  ['a compound written elsewhere', 'well-known, or well- known', 'well-known, or well-known'],
  ['a part left out', 'pre- and postwar, Vor- und Nachteile', 'pre- and postwar, Vor- und Nachteile'],
  ['a range or a dash', '1990- 1992, high - low', '1990- 1992, high - low'],
  ['a soft hyphen', 'har\u00adbour', 'harbour'],
  ['radicals and ligatures', '第⼀四半期、⽐率: e\ufb03cient \ufb02ow', '第一四半期、比率: efficient flow'],
  ['shapes that Arabic letters have beside others', '\ufe97\ufed8\ufeae\ufef3\ufeae \ufefb\ufea7\ufe98\ufe92\ufe8e\ufead \ufe8d\ufedf\ufeb4\ufee8\ufe94', 'تقرير لاختبار السنة'],
  ['brackets of text from right to left', 'טקסט )עם סוגריים( וסוף )כאן(. 45', 'טקסט (עם סוגריים) וסוף (כאן). 45'],
  ['brackets that are as they are read', 'טקסט (עם סוגריים) ב-1) x (2, a) b (c', 'טקסט (עם סוגריים) ב-1) x (2, a) b (c'],
  ['signs that nobody knows', 'a\0\0b', 'ab'],
  ['underlining', 'an <u>underlined</u> word, m<sup>2</sup>', 'an underlined word, m<sup>2</sup>'],
  ['what is struck', 'of <s>ten</s> or a<s>b', 'of ~~ten~~ or a\\<s>b'],
  ['text like a tag', 'the <MIME> folder', 'the \\<MIME> folder'],
  ['blocks without empty lines', '# A\ntext\n- one\n- two\n1. first\n|a|b|\n|---|---|\n|1|2|\n```\n# code- here <b>\n```\nend', '# A\n\ntext\n\n- one\n- two\n\n1. first\n\n|a|b|\n|---|---|\n|1|2|\n\n```\n# code- here <b>\n```\n\nend'],
  ['items whose mark is a part of their first word', 'text\n### •One thing\n•Another\n\n**•** third • thing\n**•All** of it\n```\n•code\n```', 'text\n\n- One thing\n- Another\n\n- third • thing\n- **All** of it\n\n```\n•code\n```'],
  ['a fence without an end', '```\ncode', '```\ncode\n```'],
])('tidies %s', (_what, text, tidy) => expect(markdown(text)).toBe(tidy))

it.each([
  ['emphasis and code', 'a **bold** and *slanted* `x < y` 2 * 3 * 4', '<p>a <strong>bold</strong> and <em>slanted</em> <code>x &lt; y</code> 2 * 3 * 4</p>'],
  ['links, but no scripts', '[a](https://a.example/?b=1&c=2) [b](javascript:alert(1))', '<p><a href="https://a.example/?b=1&amp;c=2">a</a> [b](javascript:alert(1))</p>'],
  ['nested lists', '- one\n  - two\n  - three\n- four', '<ul><li>one<ul><li>two</li><li>three</li></ul></li><li>four</li></ul>'],
  ['a list that starts later', '3. three\n4. four', '<ol start="3"><li>three</li><li>four</li></ol>'],
  ['a table without a head', '|a|b|', '<table><tbody><tr><td>a</td><td>b</td></tr></tbody></table>'],
  ['a quotation, and what is struck', '> never ~~ever~~\n> still', '<blockquote><p>never <s>ever</s>\nstill</p></blockquote>'],
  ['quotes in text', 'say "a" <b onclick="x">', '<p>say &quot;a&quot; &lt;b onclick=&quot;x&quot;&gt;</p>'],
])('writes %s as HTML', (_what, text, expected) => expect(html(text)).toBe(expected))

it.each([
  ['says its head again', '|a|b|\n|---|---|\n|3|4|\n\nend', '|a|b|\n|---|---|\n|1|2|\n|3|4|\n\nend'],
  ['goes on without it', '|3|4|\n|---|---|\n|5|6|', '|a|b|\n|---|---|\n|1|2|\n|3|4|\n|5|6|'],
  ['is another', '|c|\n|---|\n|3|', '|a|b|\n|---|---|\n|1|2|\n\n|c|\n|---|\n|3|'],
])('joins a table that a page end broke; the part on the next page %s', (_what, next, expected) => {
  expect(made(['|a|b|\n|---|---|\n|1|2|', next]).markdown).toBe(expected)
})

it('writes the two-row head of a table across pages once, and keeps rows that resemble it', () => {
  const head = '|Item||Year|\n|---|---|---|\n||2025|2026|'
  expect(made([`${head}\n|a|1|2|`, `${head}\n|b|3|4|`, `${head}\n|b|3|4|\n||5|6|`]).markdown).toBe(`${head}\n|a|1|2|\n|b|3|4|\n|b|3|4|\n||5|6|`)
  expect(made(['|a|b|\n|---|---|\n|1|2|', '|a|b|\n|---|---|\n|1|2|']).markdown).toBe('|a|b|\n|---|---|\n|1|2|\n|1|2|')
})

it('keeps text repeated on all pages when there is no other', () => {
  expect(made(Array.from({ length: 5 }, () => '# Form\n\nSign here.')).markdown).toBe(['# Form', ...Array.from({ length: 5 }, () => 'Sign here.')].join('\n\n'))
})

it('keeps the text of pages that share much and have little of their own', () => {
  const same = Array.from({ length: 4 }, () => 'Harbour pass\n\nValid on all ferries\n\nNot to be sold on\n\nKeep it dry.')
  expect(made(same).markdown).toBe(same.join('\n\n'))
  const counted = same.map((page, i) => `Pass no. ${i + 1}\n\n${page}`)
  expect(made(counted).markdown).toBe(counted.join('\n\n'))
  const named = ['Ann Ode', 'Ben Orr', 'Cy Pratt'].map((name) => `This is to certify that\n\n${name}\n\nhas learned to tie all the knots of the harbour school.\n\nThe harbour master`)
  expect(made(named).markdown).toBe(named.join('\n\n'))
})

it('removes short repeated lines at the edges of pages, even on a short page', () => {
  const texts = ['The old lock was dug in spring, by hand.', 'The new lock was dug in a week, by machines.', 'Both hold.', 'The tide goes in and out as before them.']
  expect(made(texts.map((text) => `Locks of the North\n\n${text}\n\nHarbour press`)).markdown).toBe(texts.join('\n\n'))
})

it('removes page numbers that start at any number', () => {
  expect(made(Array.from({ length: 4 }, (_, i) => `Body ${'abcd'[i]}.\n\nAnnals 7, p. ${101 + i}`)).markdown).toBe('Body a.\n\nBody b.\n\nBody c.\n\nBody d.')
})

it('joins a link across two lines, and keeps separate links separate', () => {
  const anchors = ['the annual', 'report', 'report'].map((text) => ({ text, url: 'https://a.example/1' }))
  const page = (markdown: string): PdfDocument => made([{ markdown, anchors }])
  expect(page('See the annual report for the figures of the report.').markdown).toBe('See [the annual](https://a.example/1) [report](https://a.example/1) for the figures of the [report](https://a.example/1).')
  expect(made([{ markdown: 'See the annual\nreport, please.', anchors: anchors.slice(0, 2) }]).markdown).toBe('See [the annual report](https://a.example/1), please.')
})

it('writes each link once, in order, and never inside another link or code', () => {
  const anchors = [{ text: 'here', url: 'https://a.example/1' }, { text: 'here', url: 'https://a.example/2' }, { text: 'gone', url: 'https://a.example/(3)' }]
  const page = made([{ markdown: 'Look here and [there](https://b.example/) or <u>here</u>.\n\n```\ngone\n```', anchors }])
  expect(page.markdown).toBe('Look [here](https://a.example/1) and [there](https://b.example/) or [here](https://a.example/2).\n\n```\ngone\n```')
  expect(page.links).toEqual(['https://a.example/1', 'https://a.example/2', 'https://a.example/(3)', 'https://b.example/'])
})

it('starts list items at drawn bullets', () => {
  const items = ['We measured here, at the North pier:', 'North pier', 'Old', 'lock', 'inner gate', 'Breakwater', 'The end.'].map((text, mcid) => ({ text, x: text === 'inner gate' ? 120 : 90, itemType: 'Text', mcid: mcid * 2 }))
  const roles = [1, 3, 7, 9].map((mcid) => ({ mcid, role: 'Lbl' }))
  const bullets = drawnBullets(items, [...roles, { mcid: 12, role: 'Lbl' }, { mcid: 0, role: 'P' }])
  const page = made([{ markdown: 'We measured here, at the North pier:\n\nNorth pier **Old** lock inner gate Breakwater\n\nThe end.', bullets }])
  expect(page.markdown).toBe('We measured here, at the North pier:\n\n- North pier\n- **Old** lock\n  - inner gate\n- Breakwater\n\nThe end.')
  expect(page.html).toContain('<ul><li>North pier</li><li><strong>Old</strong> lock<ul><li>inner gate</li></ul></li><li>Breakwater</li></ul>')
})

it('cuts text beyond the limit, with a warning', () => {
  const { numPages, warnings } = made(['a '.repeat(6_000_000), 'b '.repeat(6_000_000)], { html: false })
  expect([numPages, warnings]).toEqual([1, ['The PDF holds more text than is returned; 1 pages are missing.']])
})

it.each(['字', 'a', 'a-', 'a- ', '[a](http://', '*', '**', '`', '<', '# ', '- x\n', '|', '\n', '```\n', '1. a\n  ', '](', ' '])('takes linear time for a page of %j', (part) => {
  const text = part.repeat(Math.ceil(500_000 / part.length))
  const started = process.cpuUsage()
  made([{ markdown: text, anchors: [{ text: 'nowhere', url: 'https://a.example/' }] }])
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(3_000)
})


it('writes page numbers as ranges', () => {
  expect([pageRanges([1]), pageRanges([1, 2, 3, 7, 9, 10]), pageRanges(Array.from({ length: 50 }, (_, i) => i * 2))]).toEqual(['1', '1-3, 7, 9-10', `${Array.from({ length: 20 }, (_, i) => i * 2).join(', ')} and others`])
})

it('combines letters with the accents that were drawn over them', () => {
  expect(markdown('B¨ottcher, Sz´asz J´anos, Sz˝ocs, ´Etat, na¨ıve, Fran¸cois, gar¸con and voil`a; 5´a, ´ and x´')).toBe('Böttcher, Szász János, Szőcs, État, naïve, François, garçon and voil`a; 5´a, ´ and x´')
  expect(markdown('```\nB¨ottcher\n```')).toBe('```\nB¨ottcher\n```')
})

it('leaves accents that stand for apostrophes, and the tilde of an address', () => {
  const english = 'It´s John´s, I´m sure; you´re right, we´ll see'
  expect(markdown(english)).toBe(english)
  expect(markdown('L´art et l´eau: déjà vu à côté du café')).toBe('L´art et l´eau: déjà vu à côté du café')
  expect(markdown('Kto´s, B¨ottcher')).toBe('Ktoś, Böttcher')
  expect(markdown('Visit http://www.example.edu/˜anna, ma˜nana')).toBe('Visit http://www.example.edu/˜anna, mañana')
})
