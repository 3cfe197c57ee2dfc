import { expect, it } from 'vitest'
import { readDefaults } from '../../../domain/pages/reading.ts'
import { read } from '../../reading.ts'

function markdownOf(html: string): string {
  return read({ requestedUrl: 'https://jobs.example/7', url: 'https://jobs.example/7', status: 200, headers: [['content-type', 'text/html']], body: Buffer.from(html), engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 }, readDefaults).markdown()
}

const duties = 'You keep forty looms in order, plan the repairs, and teach two apprentices how a belt is mended.'
const advert = (beside: string): string => `<!doctype html><title>Weft Ltd - Loom engineer</title><body><div class="page"><div class="top"><a href="/weft">Weft Ltd</a></div><div class="wrap"><div class="head"><div class="headline"><h2>Loom engineer</h2>${beside}</div><div><a href="/apply">Apply</a></div></div><div class="text"><p>${duties}</p><h3>What you get</h3><ul><li>${duties}</li><li>${duties}</li></ul></div></div></div>`

it('keeps the short lines that stand with the heading of a short page, without what leads on', () => {
  expect(markdownOf(advert('<div><div>Bradford</div><div>Permanent</div></div>'))).toMatch(/^## Loom engineer\n\nBradford\n\nPermanent\n\nYou keep/)
  expect(markdownOf(advert('<div><a href="/map">Map</a></div>'))).toMatch(/^## Loom engineer\n\nYou keep/)
})

it('keeps what a short page says between its heading and its sections', () => {
  const html = `<title>Looms</title><body><div class="sidebar"><a href="/index">Index</a></div><div class="body"><section><h1>Looms</h1><p>A loom runs on anything.</p><section><h2>Repairs</h2><p>${duties}</p><p>${duties}</p></section></section></div>`
  expect(markdownOf(html)).toMatch(/^# Looms\n\nA loom runs on anything\.\n\n## Repairs/)
})

it('keeps what a kitchen serves, which is named as the items of a menu', () => {
  const dish = (name: string): string => `<li class="menu-item"><span class="menu-item-title">${name}</span> <span class="menu-item-price">£9.50</span></li>`
  const navigation = '<ul class="menu"><li class="menu-item"><a href="/book">Book a table</a></li><li class="menu-item"><a href="/way">Find us</a></li></ul>'
  expect(markdownOf(`<title>Menu</title><body>${navigation}<main><h1>Dinner</h1><p>${duties}</p><ul>${dish('Eel')}${dish('Hake')}</ul></main>`)).toBe(`# Dinner\n\n${duties}\n\n- Eel £9.50\n- Hake £9.50\n`)
})

it('keeps the properties of a page that stand with its heading in the header of its only article', () => {
  const page = (text: string): string => `<title>Looms</title><body><article><header><h1>Looms</h1><table><tr><th>Owner</th><td>Ida</td></tr><tr><th>Status</th><td>In use</td></tr><tr><th>Width</th><td>40</td></tr></table></header><div class="page-body">${text}</div></article>`
  for (const text of [`<p>${duties}</p>`, `<p>${duties}</p>`.repeat(16)]) expect(markdownOf(page(text))).toMatch(/^# Looms\n[^]*Owner[^]*Ida[^]*Status[^]*In use[^]*40[^]*You keep/)
})
