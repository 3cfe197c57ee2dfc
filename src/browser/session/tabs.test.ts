import { EventEmitter } from 'node:events'
import type { BrowserContext, Page } from 'playwright-core'
import { expect, it, vi } from 'vitest'
import { tabs } from './tabs.ts'

/** A context with one page, whose browser the test plays. */
function contextOf(targetId: string): BrowserContext {
  const cdp = Object.assign(new EventEmitter(), { send: async () => ({ targetInfo: { targetId } }) })
  const page = Object.assign(new EventEmitter(), { isClosed: () => false, url: () => 'about:blank' }) as unknown as Page // what is used of it
  return Object.assign(new EventEmitter(), { pages: () => [page], newCDPSession: async () => cdp }) as unknown as BrowserContext // what is used of it
}

it('who waits for the guard of a page hears of it although another has given up', async () => {
  vi.useFakeTimers()
  try {
    const book = tabs({ quiet: true, answered: () => false, open: () => Promise.reject(new Error('none')), signIn: () => null })
    const settled: string[] = []
    void book.guarding('late')?.then(() => settled.push('first'))
    await vi.advanceTimersByTimeAsync(1_500)
    void book.guarding('late')?.then(() => settled.push('second'))
    await vi.advanceTimersByTimeAsync(1_000)
    expect(settled).toEqual(['first'])
    book.adopt(contextOf('late'))
    await vi.advanceTimersByTimeAsync(0)
    expect([settled, book.guarding('late')]).toEqual([['first', 'second'], null])
  } finally {
    vi.useRealTimers()
  }
})
