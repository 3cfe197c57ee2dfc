import type { Dialog, Page } from 'playwright-core'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { pageDialogs } from './dialogs.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const page = (): Page => ({}) as Page // only told apart
const dialogOf = (dismiss: () => Promise<void>): Dialog => ({ type: () => 'alert', message: () => '', defaultValue: () => '', dismiss }) as unknown as Dialog // what is used of it

it('dismisses dialogs of several pages that nobody answers in time, and none that a client has answered', async () => {
  const dialogs = pageDialogs(() => true, () => undefined)
  const pages = [page(), page(), page()]
  const dismissals = pages.map((one) => {
    const dismiss = vi.fn(async () => undefined)
    dialogs.show(dialogOf(dismiss), one)
    return dismiss
  })
  for (const one of pages.slice(0, 2)) dialogs.forget(one)
  expect(pages.map((one) => dialogs.isBlocking(one))).toEqual([false, false, true])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(dismissals.map((dismiss) => dismiss.mock.calls.length)).toEqual([0, 0, 1])
})
