import { describe, expect, it } from 'vitest'
import type { Collected } from '../../scrape/ports.ts'
import { waitAfterAnswer } from './wait.ts'

interface Answer {
  readonly status?: number
  readonly verdict?: string
  readonly found?: object | null
}
/** A page as far as it is looked at here. */
const answered = ({ status = 200, verdict = 'ok', found = null }: Answer): Collected => ({ acquired: { capture: { status, engine: 'http' }, found }, page: { facts: { verdict, scriptDemand: null } } }) as unknown as Collected

describe('a page whose site says "not now"', () => {
  const wait = (answer: Answer, postponed = 0, holdMs = 0): unknown => waitAfterAnswer(answered(answer), { postponed }, holdMs)

  it('is asked for again after one, two and four seconds; what comes after that is the page', () => {
    expect([0, 1, 2, 3].map((postponed) => wait({ status: 503 }, postponed))).toEqual([...[1_000, 2_000, 4_000].map((againInMs) => ({ againInMs, why: 'status 503' })), null])
  })

  it('is asked for again when the site wants that, within ten minutes', () => {
    expect([7_000, 600_000, 86_400_000].map((holdMs) => wait({ status: 429 }, 2, holdMs))).toEqual([7_000, 600_000, 600_000].map((againInMs) => ({ againInMs, why: 'status 429' })))
    expect(wait({ status: 429 }, 3, 7_000)).toBeNull()
  })

  it('is asked for twice more if it is empty', () => {
    expect([0, 1, 2].map((postponed) => wait({ verdict: 'empty' }, postponed))).toEqual([{ againInMs: 1_000, why: 'overwhelmed' }, { againInMs: 2_000, why: 'overwhelmed' }, null])
  })

  it('is taken as it is from the cache', () => {
    expect([wait({ status: 503, found: {} }), wait({ verdict: 'empty', found: {} })]).toEqual([null, null])
  })

  it('is not waited for if it says anything else', () => {
    expect([{}, { status: 404 }, { status: 500 }, { status: 403, verdict: 'challenge' }].map((answer) => wait(answer, 0, 5_000))).toEqual([null, null, null, null])
  })
})
