import { expect, it } from 'vitest'
import { keptLines, wantedBlocks } from '../../../../../../test/wanted-blocks.ts'

const data = '<script type="application/ld+json">{"@type": "Product", "name": "Skiff"}</script>'
const long = `yes ${'and so on '.repeat(100)}`

/** The lines that are left of a page when the trees keep those that contain `yes`. */
const left = (html: string): readonly string[] => keptLines(wantedBlocks(html, 'https://site.example/skiff', (text) => text.includes('yes'))).map((line) => (line.startsWith('yes and') ? 'T' : line))

it('keeps what a product is called by, once, with its value beside it', () => {
  const lines = '<div>SKU: HP-7 <a href="/planes">Planes</a></div><div><b>Brand</b><div>Torrin</div></div><div>SKU: HP-8</div><p>Reference is made to the deck</p>'
  expect(left(`${data}<main><h1>yes</h1><p>${long}</p>${lines}<p>${long}</p></main>`)).toEqual(['yes', 'T', 'SKU: HP-7 Planes', 'Brand', 'Torrin', 'T'])
  expect(left(`<main><h1>yes</h1><p>${long}</p>${lines}<p>${long}</p></main>`)).toEqual(['yes', 'T', 'T'])
})

it('keeps the price of a product, old and new, although its description stands beside it', () => {
  const html = `<main><div><h1>yes</h1><div><s>$ 60.00</s></div><div>$ 48.00</div><p>${long}</p><p>$ 9.00</p></div></main>`
  expect(left(data + html)).toEqual(['yes', '$ 60.00', '$ 48.00', 'T'])
})

it('leaves out what a shop offers beside its product, and no text', () => {
  const html = (more: string): string => `<main><h1>yes</h1><p>${long}</p><section><div><h2>Frequently bought together</h2></div><ul><li>yes, a cup</li><li>no</li></ul></section>${more}<p>${long}</p></main>`
  expect(left(html(''))).not.toContain('yes, a cup')
  expect(left(html('<div><h2>Related products</h2><ul><li><a href="/b">yes, a bowl</a></li></ul></div>'))).not.toContain('yes, a bowl')
  expect(left(html(`<div><h2>Related products</h2><p>${long}</p></div>`)).filter((line) => line === 'T')).toHaveLength(3)
})

it('keeps the list of things that a text below the heading of the page is about, and none below a heading of its own', () => {
  const list = (prices: readonly string[]): string => `<ul>${prices.map((price, i) => `<li><a href="/b${i}">Bell ${i}</a><p>${price}</p></li>`).join('')}</ul>`
  const four = ['$ 4.00', '$ 8.00', '$ 9.50', '$ 12.00']
  const page = (rest: string, head = ''): readonly string[] => left(`${head}<main><h1>yes</h1><p>${long}</p>${rest}</main>`)
  expect(page(list(four))).toEqual(['yes', 'T', ...four.flatMap((price, i) => [`Bell ${i}`, price])])
  for (const rest of [`<h2>Bells for you</h2>${list(four)}`, `<aside>${list(four)}</aside>`, list(four.slice(1)), list(['$ 4.00', 'new', 'old', '$ 9.50', '$ 8.00', '$ 12.00'])]) expect(page(rest)).not.toContain('Bell 1')
  expect(page(list(four), data)).not.toContain('Bell 1')
})
