import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { granted } from './small-page.ts'

/** A page that notes what is asked of it. */
function noting(): { readonly page: Page; readonly noted: unknown[] } {
  const noted: unknown[] = []
  const note = (name: string) => (...values: unknown[]) => void noted.push([name, ...values])
  const mouse = { move: note('move'), click: note('click') }
  return { page: { url: () => 'about:blank', waitForTimeout: note('waitForTimeout'), press: note('press'), mouse, keyboard: { type: note('type') } } as unknown as Page, noted } // part of one
}

it('bounds how long and how often something is done, as that goes on when the run is over', async () => {
  const { page, noted } = noting()
  await granted(page, { target: 'page', steps: [], method: 'waitForTimeout', values: [1e9] })
  await granted(page, { target: 'page', steps: [], method: 'press', values: ['#a', 'x', { delay: 1e9, timeout: 0 }] })
  await granted(page, { target: 'mouse', steps: [], method: 'move', values: [1, 2, { steps: 1e9 }] })
  await granted(page, { target: 'mouse', steps: [], method: 'click', values: [100_000, 2, { clickCount: 1e9 }] })
  expect(noted).toEqual([['waitForTimeout', 30_000], ['press', '#a', 'x', { delay: 1_000, timeout: 30_000 }], ['move', 1, 2, { steps: 1_000 }], ['click', 100_000, 2, { clickCount: 10 }]])
})

it('types no text that takes for ever', async () => {
  const typing = granted(noting().page, { target: 'keyboard', steps: [], method: 'type', values: ['x'.repeat(10_001)] })
  await expect(typing).rejects.toThrow('No more than 10000 characters are typed')
})
