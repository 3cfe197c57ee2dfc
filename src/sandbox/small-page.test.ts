import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { granted, wishOf } from './small-page.ts'

/** A page that records its calls. */
function noting(): { readonly page: Page; readonly noted: unknown[] } {
  const noted: unknown[] = []
  const note = (name: string) => (...values: unknown[]) => void noted.push([name, ...values])
  const mouse = { move: note('move'), click: note('click') }
  return { page: { url: () => 'about:blank', waitForTimeout: note('waitForTimeout'), press: note('press'), waitForFunction: note('waitForFunction'), waitForURL: note('waitForURL'), mouse, keyboard: { type: note('type') } } as unknown as Page, noted } // part of a page
}

it.each([
  ['timeout', 'page', 'press', ['#a', 'x', { timeout: 300_001 }]],
  ['timeout', 'page', 'press', ['#a', 'x', { timeout: 0 }]],
  ['timeout', 'page', 'waitForFunction', ['true', null, { timeout: 1e9 }]],
  ['timeout', 'page', 'waitForURL', ['**', { timeout: 1e9 }]],
  ['delay', 'page', 'press', ['#a', 'x', { delay: 1e9 }]],
  ['steps', 'mouse', 'move', [1, 2, { steps: 1e9 }]],
  ['clickCount', 'mouse', 'click', [1, 2, { clickCount: 11 }]],
  ['clickCount', 'mouse', 'click', [1, 2, { clickCount: 'all' }]],
  ['The time to wait', 'page', 'waitForTimeout', [1e9]],
])('%s beyond its bounds is refused by name, because the action would continue after the run', async (name, target, method, values) => {
  const { page, noted } = noting()
  await expect(granted(page, { target, steps: [], method, values })).rejects.toThrow(`${name} must be a number from`)
  expect(noted).toEqual([])
})

it('arguments within the bounds are passed on unchanged', async () => {
  const { page, noted } = noting()
  await granted(page, { target: 'page', steps: [], method: 'waitForTimeout', values: [300_000] })
  await granted(page, { target: 'page', steps: [], method: 'press', values: ['#a', 'x', { delay: 1_000, timeout: 300_000 }] })
  await granted(page, { target: 'mouse', steps: [], method: 'click', values: [100_000, 2, { clickCount: 10 }] })
  await granted(page, { target: 'page', steps: [], method: 'waitForFunction', values: [{ __function: '(n) => n' }, 1, { timeout: 5, polling: 10 }] })
  expect(noted).toEqual([['waitForTimeout', 300_000], ['press', '#a', 'x', { delay: 1_000, timeout: 300_000 }], ['click', 100_000, 2, { clickCount: 10 }], ['waitForFunction', '((n) => n)(1)', undefined, { timeout: 5, polling: 10 }]])
})

it('typing is limited in length', async () => {
  const typing = granted(noting().page, { target: 'keyboard', steps: [], method: 'type', values: ['x'.repeat(10_001)] })
  await expect(typing).rejects.toThrow('No more than 10000 characters are typed')
})

it('typing is limited in time', async () => {
  const typing = granted(noting().page, { target: 'keyboard', steps: [], method: 'type', values: ['x'.repeat(1_000), { delay: 500 }] })
  await expect(typing).rejects.toThrow('takes longer than a run may (300 s)')
})

it.each([
  ['locator', 'evaluate', 200_000, 'no more than 200000 values'],
  ['page', 'evaluate', 200_000, 'no more than 200000 values'],
  ['page', 'selectOption', 1_000, 'no more than 1000 values'],
])('a call of %s.%s that would hold up the service with its values is refused', (target, method, count, why) => {
  const text = (values: number): string => JSON.stringify({ target, steps: [], method, values: [{ __function: '() => 1' }, Array.from({ length: values }, () => ({}))] })
  expect(wishOf(text(count / 2)).method).toBe(method)
  expect(() => wishOf(text(count + 1))).toThrow(why)
})

it('a call that nests too deep is refused', () => {
  expect(() => wishOf(`{"target":"page","steps":[],"method":"evaluate","values":[${'['.repeat(1e5)}${']'.repeat(1e5)}]}`)).toThrow('nested too deeply')
})
