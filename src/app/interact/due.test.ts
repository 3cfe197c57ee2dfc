import { expect, it } from 'vitest'
import { dueEnd } from './due.ts'
import type { Live, SessionPorts } from './ports.ts'

const minute = 60_000

/** A session that started at 0, with ten minutes to live and five to be idle. */
function desk(credits = Number.POSITIVE_INFINITY) {
  const noted: unknown[] = []
  const held: number[] = []
  let now = 0
  const live = { session: { id: 's', team: 'a', startedAt: 0, createdAt: -minute, ttlMs: 10 * minute, idleMs: 5 * minute }, browser: { visitors: 0 }, interpreters: { lines: 0 }, runs: 0, lastUsedAt: 0, notedAt: 0, prompted: false, held: 0 }
  const ports = {
    sessions: { used: async (...args: readonly unknown[]) => void noted.push(args) },
    ledger: { hold: async (_payer: unknown, _ref: string, amount: number) => (held.push(amount), amount > credits ? null : { ref: 's', fence: '' }) },
    now: () => now,
  }
  const at = (ms: number): ReturnType<typeof dueEnd> => {
    now = ms
    return dueEnd(live as unknown as Live, ports as unknown as SessionPorts) // what is used
  }
  return { live, at, noted, held }
}

it('a session is idle five minutes after its last use, which a run that goes on and a visitor are', async () => {
  const { live, at } = desk()
  live.runs = 1
  expect(await at(4 * minute)).toBeNull()
  live.runs = 0
  live.browser.visitors = 2
  live.interpreters.lines = 1
  expect(await at(8 * minute)).toBeNull()
  // The connections of its own interpreters are no visitors.
  live.interpreters.lines = 2
  expect(await at(9 * minute)).toBeNull()
  expect(live.lastUsedAt).toBe(8 * minute)
  const other = desk()
  expect([await other.at(5 * minute - 1), await other.at(5 * minute)]).toEqual([null, 'idle'])
})

it('a session in use ends with its time', async () => {
  const { live, at } = desk()
  live.runs = 1
  expect([await at(10 * minute - 1), await at(10 * minute)]).toEqual([null, 'expired'])
})

it('the store learns of continued use every fifteen seconds, and at once of its end', async () => {
  const { live, at, noted } = desk()
  live.runs = 1
  for (let ms = 1_000; ms <= 31_000; ms += 1_000) await at(ms)
  expect(noted.splice(0)).toEqual([['s', 15_000, false], ['s', 30_000, false]])
  live.runs = 0
  live.prompted = true
  for (const ms of [32_000, 33_000]) await at(ms)
  expect(noted).toEqual([['s', 31_000, true]])
})

it('credits are set aside shortly before they are used up, and the session ends where they do not suffice', async () => {
  const { live, at, held } = desk(3)
  live.runs = 1
  const ends = []
  for (const ms of [1_000, 57_000, 57_001, 87_001]) ends.push(await at(ms))
  expect([ends, held, live.held]).toEqual([[null, null, null, 'credits'], [2, 3, 4], 3])
})
