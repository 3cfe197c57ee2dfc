import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { nearest } from './nearest.ts'
import { once } from './once.ts'
import { sleep } from './sleep.ts'
import { steadyNow } from './steady-now.ts'
import { isDay, isoTime } from './time.ts'

describe('nearest', () => {
  it.each([['formatz', 'formats'], ['tiemout', 'timeout'], ['TIMEOUT', 'timeout'], ['xyzzy', null], ['rm', null], ['rl', 'url'], ['furl', 'url'], ['curly', null], ['fomat', 'formats'], ['fomats', 'formats']])('suggests %s for %s', (word, known) => expect(nearest(word, ['formats', 'timeout', 'url'])).toBe(known))
})

it('once runs its function one time, whatever it returns', () => {
  let runs = 0
  const f = once(() => void runs++)
  f()
  f()
  expect(runs).toBe(1)
})

it('sleep ends with the reason of its signal, at once when that has aborted', async () => {
  const controller = new AbortController()
  const sleeping = sleep(60_000, controller.signal)
  controller.abort(new Error('woken'))
  await expect(sleeping).rejects.toThrow('woken')
  await expect(sleep(60_000, controller.signal)).rejects.toThrow('woken')
  await sleep(0, new AbortController().signal)
})

it('sleep does not end at once for a time that no timer keeps', async () => {
  const controller = new AbortController()
  const long = sleep(3_000_000_000, controller.signal).then(() => 'over', () => 'woken')
  await sleep(30, controller.signal)
  controller.abort()
  expect(await long).toBe('woken')
})

it('isoTime writes times with milliseconds and Z', () => expect(isoTime(0)).toBe('1970-01-01T00:00:00.000Z'))

it('the steady clock counts in whole milliseconds, as times are kept in the store', () => {
  for (const _ of Array.from({ length: 20 })) expect(Number.isInteger(steadyNow())).toBe(true)
})

it('the steady clock tells about the time of day, and goes on when that is set back', () => {
  const before = steadyNow()
  expect(Math.abs(before - Date.now())).toBeLessThan(60_000)
  vi.useFakeTimers({ toFake: ['Date'], now: before - 3_600_000 })
  onTestFinished(() => void vi.useRealTimers())
  expect(steadyNow()).toBeGreaterThanOrEqual(before)
})

it.each([[2024, 2, 29], [2000, 2, 29], [2023, 4, 30], [2023, 12, 31]])('the day %d-%d-%d is in the calendar', (year, month, day) => {
  expect([isDay(year, month, day), isDay(year, month, day + 1)]).toEqual([true, false])
})

it.each([[2023, 2, 29], [1900, 2, 29], [2024, 0, 1], [2024, 13, 1], [2024, 1, 0], [2024, 1, Number.NaN]])('the day %d-%d-%d is not', (year, month, day) => expect(isDay(year, month, day)).toBe(false))
