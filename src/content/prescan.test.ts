import { expect, it } from 'vitest'
import { prescan } from './prescan.ts'

it('calls an ordinary page small and counts it', () => {
  expect(prescan('<html><body><p>a<br>b<p>c</body></html>')).toEqual({ small: true, characters: 39, tags: 5, depth: 2 })
})

it.each([
  ['more than 512 KB', 'x'.repeat(512 * 1024 + 1)],
  ['more than 10,000 tags', '<br>'.repeat(10_001)],
  ['nesting beyond 512', '<div>'.repeat(513)],
  ['unclosed inline elements', '<b>'.repeat(600)],
])('does not call a page with %s small', (_, html) => {
  expect(prescan(html).small).toBe(false)
})

it('takes unclosed items and paragraphs for what they are', () => {
  expect(prescan(`<ul>${'<li><p>x'.repeat(2000)}</ul>`).small).toBe(true)
})
