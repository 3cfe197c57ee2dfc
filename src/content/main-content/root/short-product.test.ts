import { expect, it } from 'vitest'
import { readDefaults } from '../../../domain/pages/reading.ts'
import { read } from '../../reading.ts'

function markdownOf(head: string, body: string): string {
  const html = `<!doctype html><title>Harbour mug</title>${head}<body>${body}</body>`
  return read({ requestedUrl: 'https://mugs.example/6', url: 'https://mugs.example/6', status: 200, headers: [['content-type', 'text/html']], body: Buffer.from(html), engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 }, readDefaults).markdown()
}

const text = ['A mug for cold hands on a boat, thrown and glazed by the same two people.', 'It holds its warmth for longer than a cup of tea tends to last on deck.', 'The foot is unglazed, so that it does not slide on a wet table.']
const product = `<nav><a href="/all">All mugs</a></nav><div class="row"><div class="info"><h1>Harbour mug</h1><div class="prices"><span>€14.28</span></div><div class="short"><p>Holds 325 ml.</p></div><div class="pane"><div class="description">${text.map((line) => `<p>${line}</p>`).join('')}</div></div><dl><dt>Height</dt><dd>9 cm</dd></dl></div></div><div class="more"><h2>Other mugs</h2><a href="/7">Anchor mug</a></div>`

it('shows the price and the properties of a product whose page is short', () => {
  for (const head of ['<meta property="og:type" content="product">', '<script type="application/ld+json">{"@type":"Product","name":"Harbour mug"}</script>']) {
    expect(markdownOf(head, product)).toBe(`# Harbour mug\n\n€14.28\n\nHolds 325 ml.\n\n${text.join('\n\n')}\n\n**Height**\n\n9 cm\n`)
  }
})

it('names who wrote a review', () => {
  const review = '<div itemscope itemtype="http://schema.org/Review"><p>Too warm in June.</p><p>Review by <b itemprop="author">Ola Brandt</b></p></div>'
  expect(markdownOf('', `<main><h1>Harbour mug</h1><p>${text.join(' ')}</p>${review}</main>`)).toContain('Review by **Ola Brandt**')
})

it('lists products without the buttons that buy them, even on a page that says next to nothing', () => {
  const card = (name: string, price: string): string => `<div class="col"><div class="card"><div class="card-body"><h5>${name}</h5>${price}</div><div class="card-footer"><a href="#">Add to cart</a></div></div></div>`
  const nav = '<nav><a href="/">Fenwick Glass</a><a href="/about">About us and our shed</a><a href="/all">All products</a><a href="/new">New arrivals</a></nav>'
  expect(markdownOf('', `${nav}<section><div class="row">${card('Moss lamp', '€40')}${card('Fen lamp', '€45')}${card('Tarn lamp', '€52')}</div></section>`)).toBe('##### Moss lamp\n\n€40\n\n##### Fen lamp\n\n€45\n\n##### Tarn lamp\n\n€52\n')
})
