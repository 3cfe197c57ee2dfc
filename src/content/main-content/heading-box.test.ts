import { expect, it } from 'vitest'
import { readDefaults } from '../../domain/pages/reading.ts'
import { read } from '../reading.ts'

function markdownOf(html: string): string {
  return read({ requestedUrl: 'https://jobs.example/7', url: 'https://jobs.example/7', status: 200, headers: [['content-type', 'text/html']], body: Buffer.from(html), engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 }, readDefaults).markdown()
}

const duties = 'You keep forty looms in order, plan the repairs, and teach two apprentices how a belt is mended.'
const advert = (beside: string): string => `<!doctype html><title>Weft Ltd - Loom engineer</title><body><div class="page"><div class="top"><a href="/weft">Weft Ltd</a></div><div class="wrap"><div class="head"><div class="headline"><h2>Loom engineer</h2>${beside}</div><div><a href="/apply">Apply</a></div></div><div class="text"><p>${duties}</p><h3>What you get</h3><ul><li>${duties}</li><li>${duties}</li></ul></div></div></div>`

it('keeps the short lines that stand with the heading of a short page, without what leads on', () => {
  expect(markdownOf(advert('<div><div>Bradford</div><div>Permanent</div></div>'))).toMatch(/^## Loom engineer\n\nBradford\n\nPermanent\n\nYou keep/)
  expect(markdownOf(advert('<div><a href="/map">Map</a></div>'))).toMatch(/^## Loom engineer\n\nYou keep/)
})
