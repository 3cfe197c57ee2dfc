import { expect, it } from 'vitest'
import { growth } from '../../../../test/cpu.ts'
import { readDefaults } from '../../../domain/pages/reading.ts'
import { parse } from '../../html/parse.ts'
import { type Document, walkElements } from '../../html/tree.ts'
import { read } from '../../reading.ts'
import { isListingForm } from './listing-form.ts'

function markdownOf(body: string): string {
  const html = `<!doctype html><title>Ropes</title><body>${body}</body>`
  return read({ requestedUrl: 'https://track.example/p', url: 'https://track.example/p', status: 200, headers: [['content-type', 'text/html']], body: Buffer.from(html), engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 }, readDefaults).markdown()
}

const menu = `<div id="main-menu"><ul>${['Overview', 'Activity', 'Issues', 'Spent time', 'Calendar', 'Forums', 'Files'].map((name) => `<li><a href="/${name}">${name}</a>`).join('')}</ul></div>`
const ask = '<form id="query"><fieldset><legend>Options</legend><table><tr><td>Group results by<td><select name="g"><option>Status<option>Author</select></table></fieldset><p><a href="#">Apply</a> <a href="#">Clear</a></p></form>'
const tickets = (count: number): string => Array.from({ length: count }, (_, i) => `<tr><td><input type="checkbox" name="ids[]"><td><a href="/t/${i}">${i + 40}</a><td>Bug<td>New<td><a href="/t/${i}">Rope number ${i} frays at the end</a><td>11/27/2026 10:05 PM`).join('')

it('lists the tickets of a tracker, which stand in a form so that some can be chosen', () => {
  for (const count of [2, 40]) {
    const markdown = markdownOf(`${menu}<div id="main"><div id="content"><h2>Issues</h2>${ask}<form action="/bulk"><table class="list"><thead><tr><th><th>#<th>Tracker<th>Status<th>Subject<th>Updated</thead><tbody>${tickets(count)}</tbody></table></form></div></div>`)
    expect(markdown.match(/Bug \| New \| \[Rope number \d+ frays at the end\]\(https:\/\/track\.example\/t\/\d+\) \| 11\/27\/2026 10:05 PM/g)).toHaveLength(count)
    expect(markdown).toContain('| # | Tracker | Status | Subject | Updated |')
    expect(markdown).not.toMatch(/Calendar|Apply/)
  }
})

it('lists the versions of a page, which stand in a part of a form named as a pager', () => {
  const version = (day: number, who: string): string => `<li><input type="radio" name="old"> <a href="/v/${day}">22:0${day}, ${day} November 2026</a> <a href="/u/${who}">${who}</a> (7${day} bytes) (more tucks)`
  expect(markdownOf(`${menu}<div id="content" role="main"><h1>Splice: history</h1><p>Choose two versions to compare them.</p><form><input type="submit" value="Compare"><section class="pager-body"><ul>${version(2, 'Marta')}${version(1, 'Pavel')}</ul></section></form></div>`)).toBe('# Splice: history\n\nChoose two versions to compare them.\n\n- [22:02, 2 November 2026](https://track.example/v/2) [Marta](https://track.example/u/Marta) (72 bytes) (more tucks)\n- [22:01, 1 November 2026](https://track.example/v/1) [Pavel](https://track.example/u/Pavel) (71 bytes) (more tucks)\n')
})

it('shows the price and the properties that a shop writes into the form that buys', () => {
  const about = 'A cup of stoneware with a comfortable grip, for mornings at home and at the office.'
  const form = '<form id="buy"><fieldset><div class="price"><span>$15.00</span></div><dl><div><dt>SKU</dt><dd>CUP-1</dd></div><div><dt>Colour</dt><dd>White</dd></div></dl><label for="q">Quantity</label><input id="q" type="number"><button>Add to cart</button></fieldset></form>'
  expect(markdownOf(`<header><nav>${menu}</nav></header><main><div class="detail"><div><h1>Coffee cup</h1>${form}</div><div class="about"><h3>Description</h3><p>${about}</p><p>${about.toUpperCase()}</p></div></div></main>`)).toBe(`# Coffee cup\n\n$15.00\n\n**SKU**\n\nCUP-1\n\n**Colour**\n\nWhite\n\n### Description\n\n${about}\n\n${about.toUpperCase()}\n`)
})

it('leaves forms that ask for something, whatever lists they have', () => {
  const login = '<form><ul><li><label>Your name <input name="n"></label><li><label>Your password <input type="password" name="p"></label></ul><p>Use a long one.</p><button>Sign in</button></form>'
  const filter = `<form><h3>Colour</h3><ul>${['Red', 'Green', 'Blue'].map((name, i) => `<li><input type="checkbox" name="c"> <a href="?c=${i}">${name}</a> (${i})`).join('')}</ul></form>`
  const text = '<p>Ropes are laid from strands, and strands from yarns, which are spun the other way round.</p><p>A rope that is laid too hard does not bend, and one that is laid too softly does not last a winter on deck.</p>'
  expect(markdownOf(`${menu}<main><h1>Ropes</h1>${text}${login}${filter}</main>`)).not.toMatch(/name|long one|Green/)
})

it.each<[string, (count: number) => string]>([
  ['elements', (count) => '<b></b>'.repeat(count)],
  ['a text', (count) => 'Rope '.repeat(count)],
  ['a link', (count) => `<a href="/a">${'<b>Rope</b>'.repeat(count)}</a>`],
])('looks at the beginning of lists in one another only, however long is %s in them', (_, inner) => {
  const form = (count: number): Document => parse(`<form>${'<fieldset>'.repeat(40)}${'<ul><li>'.repeat(40)}${inner(count)}`).document
  expect(growth(form, (document) => walkElements(document, (element) => void isListingForm(element)), 1_000, 4_000)).toBeLessThan(0.66)
})
