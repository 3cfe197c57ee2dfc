import { expect, it } from 'vitest'
import { toldShelf } from './told.ts'
import { type OpenVisit, visits } from './visits.ts'

const never = new AbortController().signal

interface Page {
  readonly leads: (to: string) => Promise<boolean>
  readonly end: OpenVisit['end']
}

/** The pages of a crawl as they begin. */
function crawl(): { begin(key: string): Page | null; waits(key: string): OpenVisit | null } {
  const pages = visits(toldShelf(100).open())
  return {
    waits: pages.begin,
    begin(key) {
      const open = pages.begin(key)
      return open?.begins() === true ? { leads: (to) => open.mayLeadTo(to, never), end: open.end } : null
    },
  }
}

it('stops a redirect to a delivered page, unless that is the page itself', async () => {
  const pages = crawl()
  pages.begin('target')?.end('target')
  const moved = pages.begin('moved')
  expect([await moved?.leads('target'), await moved?.leads('moved'), await moved?.leads('elsewhere')]).toEqual([false, true, true])
})

it('waits for the target of a redirect that is being fetched', async () => {
  const pages = crawl()
  const target = pages.begin('target')
  const led = pages.begin('moved')?.leads('target')
  expect(await Promise.race([led, 'waits'])).toBe('waits')
  target?.end('target')
  expect(await led).toBe(false)
})

it('lets a redirect pass through a page that redirects itself, before and after that page has ended', async () => {
  const pages = crawl()
  const hop = pages.begin('hop')
  const [first, second] = [pages.begin('first')?.leads('hop'), pages.begin('second')?.leads('hop')]
  expect([await hop?.leads('end'), await first, await second]).toEqual([true, true, true])
  hop?.end('end')
  const third = pages.begin('third')
  expect([await third?.leads('hop'), await third?.leads('end')]).toEqual([true, false])
})

it('does not deadlock on two redirects that lead to each other', async () => {
  const pages = crawl()
  const [a, b] = [pages.begin('a'), pages.begin('b')]
  expect(await Promise.all([a?.leads('b'), b?.leads('a')])).toEqual([true, true])
})

it('holds back the target of a redirect under way, and fetches it if the redirect fails', async () => {
  const pages = crawl()
  // The target has not begun: the redirect delivers it.
  const waiting = pages.waits('target')
  const moved = pages.begin('moved')
  expect([await moved?.leads('target'), waiting?.begins(), pages.begin('target')]).toEqual([true, false, null])
  moved?.end(null)
  expect([pages.begin('target') === null, pages.begin('moved') === null]).toEqual([false, false])
})

it('allows a redirect to a page that failed', async () => {
  const pages = crawl()
  pages.begin('target')?.end(null)
  expect(await pages.begin('moved')?.leads('target')).toBe(true)
})

it('does not hold back an intermediate address that other redirects have passed', async () => {
  const pages = crawl()
  const [first, second] = [pages.begin('first'), pages.begin('second')]
  expect([await first?.leads('cookie'), await first?.leads('one'), await second?.leads('cookie')]).toEqual([true, true, true])
  first?.end('one')
  const third = pages.begin('third')
  expect([await third?.leads('cookie'), await third?.leads('one')]).toEqual([true, false])
})

it('waits no longer than its call, and not forever', async () => {
  const pages = visits(toldShelf(100).open(), 20)
  pages.begin('target')?.begins()
  const over = new AbortController()
  const led = pages.begin('moved')?.mayLeadTo('target', over.signal)
  over.abort(new Error('over'))
  await expect(led).rejects.toThrow('over')
  expect(await pages.begin('other')?.mayLeadTo('target', never)).toBe(true)
})
