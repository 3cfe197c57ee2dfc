import { expect, it } from 'vitest'
import { readDefaults } from '../../domain/pages/reading.ts'
import { read } from '../reading.ts'

const price = (classes: string): string =>
  `<div class="price price--large ${classes}"><div class="price__container"><div class="price__regular"><span>Regular price</span> <span class="price-item price-item--regular">$38.00</span></div>
   <div class="price__sale"><span>Regular price</span> <span><s class="price-item price-item--regular">$45.00</s></span> <span>Sale price</span> <span class="price-item price-item--sale">$38.00</span></div></div>
   <span class="badge price__badge-sale">Sale</span> <span class="badge price__badge-sold-out">Sold out</span></div>`

/** What is said of the price of a page. */
function said(classes: string, unseen = ''): string {
  const body = new TextEncoder().encode(`<main><h1>Rope basket</h1>${price(classes)}${unseen}<p>${'It is woven by hand in the harbour. '.repeat(20)}</p></main>`)
  const page = read({ requestedUrl: 'https://shop.example/', url: 'https://shop.example/', status: 200, headers: [['content-type', 'text/html']], body, engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 }, { ...readDefaults, onlyMainContent: false })
  return page.markdown().split('It is woven')[0]?.replace('# Rope basket', '').replace(/\s+/g, ' ').trim() ?? ''
}

it('says of a price in a Shopify theme only what holds', () => {
  expect(said('')).toBe('Regular price $38.00')
  expect(said('price--on-sale price--show-badge')).toBe('Regular price ~~$45.00~~ Sale price $38.00 Sale')
  expect(said('price--sold-out')).toBe('Regular price $38.00 Sold out')
  expect(said('price--on-sale price--sold-out')).toBe('Regular price ~~$45.00~~ Sale price $38.00 Sold out')
})

it('leaves other prices alone', () => {
  expect(said('', '<div class="price"><s>$9</s> <span class="price__sale">$8</span> Sold out</div>')).toBe('Regular price $38.00 ~~$9~~ $8 Sold out')
})
