import { describe, expect, it } from 'vitest'
import { prescan } from './prescan.ts'

const article = `<html><body><main>${'<p class="text">One sentence of an ordinary article, with a <a href="/link">link</a> in it.</p>\n'.repeat(100)}</main></body></html>`

it('the pre-scan calls an ordinary page small', () => {
  expect(prescan(article).small).toBe(true)
})

it.each([
  ['a megabyte of text', 'x'.repeat(1024 * 1024)],
  ['ten thousand tags', '<br>'.repeat(10_000)],
  ['ten thousand stray ends of paragraphs', '</p>'.repeat(10_000)],
  ['a feed, which holds pages spelled as text', `<rss><channel><item><description>${'&lt;p>'.repeat(10)}</description></item></channel></rss>`],
])('the pre-scan does not call %s small', (_, html) => {
  expect(prescan(html).small).toBe(false)
})

describe('attributes have the same cost however they are written', () => {
  const names = Array.from({ length: 200 }, (_, i) => `a${i}`)
  const plain = prescan(`<p ${names.join(' ')}>`).cost
  it.each([
    ['behind a quoted end of tag', `<p x=">" ${names.join(' ')}>`],
    ['behind slashes', `<p/${names.join('/')}>`],
    ['behind a quoted tag', `<p x="<b>" ${names.join(' ')}>`],
    ['behind a quote in a name', `<p "=1 x=">" ${names.join(' ')}>`],
    ['behind a second equals sign', `<p x=="y>" ${names.join(' ')}><p x=">" ${names.join(' ')}>`],
    ['behind an equals sign without a name', `<p =" x=">" ${names.join(' ')}>`],
    ['behind an equals sign in the name of a tag', `<p="x> <p y=">" ${names.join(' ')}>`],
    ['behind a script that seems to open a quote', `<script>"<a b='"</script><p x=">" ${names.join(' ')}>`],
  ])('%s', (_, html) => {
    expect(prescan(html).cost).toBeGreaterThanOrEqual(plain)
  })
})
