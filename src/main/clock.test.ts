import { afterEach, expect, it, vi } from 'vitest'
import { databaseClock, followingClock } from './clock.ts'

afterEach(() => void vi.useRealTimers())

/** A clock whose own time can be set, and what asking another one yields after `tookMs`. */
function clocks(at: number) {
  const own = { at }
  let steadily = 0
  const clock = followingClock(() => own.at, () => steadily)
  const pass = (ms: number): void => {
    own.at += ms
    steadily += ms
  }
  const follow = (time: number, tookMs = 0) => clock.follow(async () => {
    pass(tookMs)
    return time
  })
  return { own, clock, pass, follow }
}

it('a clock goes by the other one from the first answer on, and says so if that makes a difference', async () => {
  const { clock, pass, follow } = clocks(1_000_000)
  expect([await follow(1_002_000), clock.now()]).toEqual([0, 1_002_000])
  pass(5_000)
  expect([await follow(1_006_000), clock.now()]).toEqual([0, 1_007_000])
  pass(5_000)
  expect([await follow(1_312_000), clock.now()]).toEqual([300_000, 1_312_000])
})

it('a clock that follows does not mind that its own time is set, forward or back', async () => {
  const { own, clock, pass, follow } = clocks(1_000_000)
  own.at += 300_000
  expect(clock.now()).toBe(1_300_000)
  expect([await follow(1_000_000), clock.now()]).toEqual([-300_000, 1_000_000])
  own.at -= 600_000
  pass(1_000)
  expect(clock.now()).toBe(1_001_000)
  expect([await follow(1_001_000), clock.now()]).toEqual([0, 1_001_000])
})

it('half of the time that an answer took is reckoned with, and one that took too long tells nothing', async () => {
  const { clock, follow } = clocks(1_000_000)
  expect([await follow(1_300_000, 800), clock.now()]).toEqual([299_600, 1_300_400])
  expect([await follow(9_000_000, 1_001), clock.now()]).toEqual([0, 1_301_401])
})

it('a clock keeps its time where the other one does not answer', async () => {
  const { clock } = clocks(1_000_000)
  await expect(clock.follow(async () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(clock.now()).toBe(1_000_000)
})

it('a database that does not answer is asked once', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  let asked = 0
  const shared = databaseClock({ name: 'postgres', time: () => (++asked === 1 ? Promise.resolve(Date.now()) : new Promise(() => {})) }, () => undefined)
  await shared.start()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(asked).toBe(2)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked).toBe(2)
  shared.stop()
})
