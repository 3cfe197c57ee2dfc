import { expect, it } from 'vitest'
import { toldShelf } from './told.ts'
import { visits } from './visits.ts'

const crawl = (): ReturnType<typeof visits> => visits(toldShelf(100).open())

it('lets no redirect lead to a page that is being fetched or was delivered, but to its own address', () => {
  const pages = crawl()
  const target = pages.begin('target')
  const moved = pages.begin('moved')
  expect([moved?.mayLeadTo('target'), moved?.mayLeadTo('moved'), moved?.mayLeadTo('elsewhere')]).toEqual([false, true, true])
  target?.end(['target'])
  expect(moved?.mayLeadTo('target')).toBe(false)
})

it('keeps a page back while a redirect leads there, and lets it go when that came to nothing', () => {
  const pages = crawl()
  const moved = pages.begin('moved')
  expect([moved?.mayLeadTo('target'), pages.begin('target')]).toEqual([true, null])
  moved?.end([])
  expect([pages.begin('target') === null, pages.begin('moved') === null]).toEqual([false, false])
})

it('lets a redirect lead to a page that failed', () => {
  const pages = crawl()
  pages.begin('target')?.end([])
  expect(pages.begin('moved')?.mayLeadTo('target')).toBe(true)
})

it('bars no page from a way that others went by', () => {
  const pages = crawl()
  const [first, second] = [pages.begin('first'), pages.begin('second')]
  expect([first?.mayLeadTo('cookie'), first?.mayLeadTo('one'), second?.mayLeadTo('cookie')]).toEqual([true, true, true])
  first?.end(['first', 'one'])
  const third = pages.begin('third')
  expect([third?.mayLeadTo('cookie'), third?.mayLeadTo('one')]).toEqual([true, false])
})
