import { expect, it } from 'vitest'
import { readDefaults } from '../../../domain/pages/reading.ts'
import { read } from '../../reading.ts'

function markdownOf(body: string): string {
  const html = `<!doctype html><title>Boats</title><body><nav><a href="/a">About</a></nav>${body}<footer>Imprint</footer></body>`
  return read({ requestedUrl: 'https://boats.example/blog', url: 'https://boats.example/blog', status: 200, headers: [['content-type', 'text/html']], body: Buffer.from(html), engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 }, readDefaults).markdown()
}

const long = 'The ferry leaves at dawn, crosses the sound in an hour, and waits at the far pier until the market closes. '
const post = (name: string, text: string): string => `<article class="post post-${name.length}"><header><h2><a href="/${name}">${name}</a></h2></header><div class="markdown"><p>${text}</p></div></article>`

it('keeps all posts of a short list, however long one of them is', () => {
  const posts = [post('Ferry', long.repeat(3)), post('Slipway', 'A new slipway opens.'), post('Buoys', 'Lay in the buoys.')]
  const expected = ['Ferry', 'Slipway', 'Buoys']
  const titles = (markdown: string): readonly string[] => [...markdown.matchAll(/## \[(\w+)\]/g)].map(([, name = '']) => name)
  expect(titles(markdownOf(`<main>${posts.join('')}</main>`))).toEqual(expected)
  expect(titles(markdownOf(`<section id="content"><ol>${posts.map((one) => `<li>${one}</li>`).join('')}</ol></section>`))).toEqual(expected)
})

it('leaves other posts beside an article with a heading of the first rank', () => {
  expect(markdownOf(`<div><article><h1>Ferry</h1><p>${long.repeat(3)}</p></article><article><h3><a href="/s">Slipway</a></h3><p>A new slipway opens.</p></article></div>`)).not.toContain('Slipway')
})

it('keeps the footnotes of a short page that stand outside of its content, and those whose names tell what hides them', () => {
  const text = (id: string): string => `<p>${long.repeat(2)}<sup><a class="anchorTargetStickyNavbar_x" href="#${id}">1</a></sup></p>`
  expect(markdownOf(`<div id="content"><h1>Ferry</h1>${text('def1')}${text('none')}</div><div id="footnotes"><hr><div id="def1">Not in winter.</div></div>`)).toMatch(/closes\. \[\^1\][^]*\n\[\^1\]: Not in winter\.\n$/)
  expect(markdownOf(`<main><h1>Ferry</h1>${text('n')}<section class="footnotes"><ol><li id="n" class="anchorTargetStickyNavbar_x"><p>Not in winter.</p></li></ol></section></main>`)).toMatch(/closes\. \[\^1\]\n\n\[\^1\]: Not in winter\.\n$/)
})
