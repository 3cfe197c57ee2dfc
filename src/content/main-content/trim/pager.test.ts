import { expect, it } from 'vitest'
import { readDefaults } from '../../../domain/pages/reading.ts'
import { read } from '../../reading.ts'

function markdownOf(body: string): string {
  const html = `<!doctype html><title>Skiff</title><body><nav><a href=/a>Boats</a></nav>${body}</body>`
  return read({ requestedUrl: 'https://docs.example/skiff', url: 'https://docs.example/skiff', status: 200, headers: [['content-type', 'text/html']], body: Buffer.from(html), engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 }, readDefaults).markdown()
}

const prose = 'A skiff of oak and larch, built in the winter and launched at Easter, for two who row and one who sleeps.'

it('leaves out a list that turns pages, whatever it is called', () => {
  const goods = ['Oak', 'Larch', 'Pine'].map((name) => `<li><strong><a href="/${name}">${name} skiff</a></strong><div>$77.00</div></li>`).join('')
  const pager = `<ul><li><strong><span>You're currently reading page</span> <span>1</span></strong></li><li><a href="?p=2"><span>Page</span> <span>2</span></a></li><li><a href="?p=2"><span>Page</span> <span>Next</span></a></li></ul>`
  expect(markdownOf(`<main><h1>Skiff</h1><p>${prose}</p><ol>${goods}</ol>${pager}</main>`)).toMatch(/Pine skiff.*\n\n {3}\$77\.00\n$/)
  expect(markdownOf(`<main><h1>Skiff</h1><p>${prose}</p><ul><li>1</li><li>7</li><li>22</li></ul></main>`)).toMatch(/- 1\n- 7\n- 22\n$/)
  const years = [2024, 2023, 2022].map((year) => `<li><a href="/best-of-${year}">${year}</a></li>`).join('')
  expect(markdownOf(`<main><h1>Skiff</h1><p>${prose}</p><ul>${years}</ul></main>`)).toContain('- [2024](https://docs.example/best-of-2024)\n- [2023]')
})

const link = (text: string | number): string => `<a href="/t/${encodeURIComponent(text)}">${text}</a>`
const list = (items: readonly (string | number)[]): string => `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`
const upTo = (last: number): readonly number[] => Array.from({ length: last }, (_, i) => i + 1)

it.each([
  ['chapters', upTo(16).map(link), '16'],
  ['scans', ['Page 1', 'Page 2', 'Page 3'].map(link), 'Page 3'],
  ['sizes', [38, 39, 40, 41, 42].map(link), '42'],
  ['sizes of which one is sold out', [link(38), 39, link(40), link(41)], '41'],
  ['codes', [200, 301, 404, 500].map(link), '500'],
  ['codes of which one is not told of', [200, link(301), link(404)], '404'],
  ['lines of buses', [1, 2, 3, 7, 12].map(link), '12'],
  ['numbers, some linked deep inside', [`<b>${link(1)}</b>`, link(2), link(3)], '3'],
  ['numbers and pictures', [link(1), link(2), '<img src="/boat.jpg" alt="A boat">'], '2'],
  ['numbers and more of them', [...[1, 2, 3].map(link), link('…')], '3'],
])('keeps a list of %s', (_, items, last) => {
  expect(markdownOf(`<main><h1>Skiff</h1><p>${prose}</p><h2>Chapters</h2>${list(items)}<p>${prose}</p></main>`)).toMatch(new RegExp(`- \\[${last}\\]`))
})

it.each([
  ['the first page', [1, link(2), link(3)]],
  ['the second page', [link(1), 2, link(3)]],
  ['many pages', [1, link(2), '…', link(9), link('»')]],
  ['only linked pages', [link('Prev'), link(1), link(2), link('Next')]],
  ['the words first', [link('Next'), link('Previous'), 1]],
])('leaves out a list that turns pages: %s', (_, items) => {
  expect(markdownOf(`<main><h1>Skiff</h1><p>${prose}</p>${list(items)}<p>${prose}</p></main>`)).toBe(`# Skiff\n\n${prose}\n\n${prose}\n`)
})
