import { expect, it } from 'vitest'
import { read } from '../../reading.ts'
import { readDefaults } from '../../../domain/pages/reading.ts'

const prose = '<p>A skiff of oak and larch, built in the winter and launched at Easter, for two who row and one who sleeps.</p>'

function markdownOf(body: string, type = 'article'): string {
  const capture = { requestedUrl: 'https://site.example/skiff', url: 'https://site.example/skiff', status: 200, headers: [['content-type', 'text/html; charset=utf-8']] as const, body: Buffer.from(`<head><title>Skiff</title><meta property="og:type" content="${type}"></head><body><main><article><h1>Skiff</h1>${prose.repeat(6)}${body}${prose.repeat(6)}</article></main></body>`), engine: 'http' as const, proxy: 'basic' as const, tlsVerified: true, truncated: false, at: 0 }
  return read(capture, readDefaults).markdown().replaceAll(prose.slice(3, -4), '').replace(/\n+/g, ' ')
}

it.each([
  ['a line', '<p><strong>READ MORE: <a href="/n/1">Fire destroys the roof of the mill</a></strong></p>'],
  ['a link', '<p><a href="/n/1">Read more: Fire destroys the roof of the mill</a></p>'],
  ['a line in brackets', '<p><em>[Related: <a href="/n/2">The last loom</a>]</em></p>'],
  ['a line and its list', '<p>Read more on this story</p><ul><li><a href="/n/1">Fire destroys the roof</a></li><li><a href="/n/2">Who owns the valley?</a></li></ul>'],
  ['Portuguese', '<p>Leia também: <a href="/n/3">O último barco</a></p>'],
  ['another language', '<p><b>Lesen Sie auch:</b> <a href="https://site.example/n/3">Die letzte Fähre</a></p>'],
])('leaves out what leads from an article to other stories of its site: %s', (_, promo) => {
  expect(markdownOf(promo)).toBe('# Skiff ')
  // Elsewhere it may be what the page is for.
  expect(markdownOf(promo, 'website')).not.toBe('# Skiff ')
})

it.each([
  ['a line that says more', '<p>Related: the <a href="/n/1">mill</a> burnt down in spring.</p>', 'burnt down'],
  ['a source', '<p>Read more: <a href="https://museum.example/mill">The history of the mill</a></p>', 'The history'],
  ['a sentence that is a link', '<p><a href="/n/1">Related work was done by the yard in the spring</a></p>', 'Related work'],
  ['a list that says more', '<p>Don’t miss:</p><ul><li><a href="/n/1">The mill</a>, open at weekends until October</li></ul>', 'open at weekends'],
])('keeps in an article %s', (_, part, expected) => {
  expect(markdownOf(part)).toContain(expected)
})
