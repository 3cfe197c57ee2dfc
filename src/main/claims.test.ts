import { expect, it } from 'vitest'
import type { Idempotency } from '../domain/teams/repeats.ts'
import { lateClaims } from './claims.ts'

/** Claims of a store that may be unavailable, and a record of what reached it. */
function claims() {
  const state = { away: true, now: 0 }
  const reached: string[] = []
  const work = (text: string): void => {
    if (state.away) throw new Error('away')
    reached.push(text)
  }
  const store: Idempotency = {
    claim: async (scope) => {
      work(`claim ${scope}`)
      return { kind: 'fresh', id: 'i', again: false }
    },
    finish: async () => undefined,
    abandon: async (scope, _body, leaseUntil, id) => work(`abandon ${scope} of ${leaseUntil}, ${id}`),
  }
  return { state, reached, late: lateClaims(store, () => state.now) }
}

it('a claim that could not be given up, or may have been made, is given up once the store is back', async () => {
  const { state, reached, late } = claims()
  await late.abandon('a', 'body', 100, 'forgotten')
  await expect(late.claim('b', 'body', 'team', 200, 0)).rejects.toThrow('away')
  await expect(late.abandonLate()).rejects.toThrow('away')
  state.away = false
  for (let n = 0; n < 2; n++) await late.abandonLate()
  expect(reached).toEqual(['abandon a of 100, forgotten', 'abandon b of 200, kept'])
})

it('an expired claim is left to whoever has claimed it since', async () => {
  const { state, reached, late } = claims()
  await late.abandon('a', 'body', 100, 'forgotten')
  Object.assign(state, { away: false, now: 100 })
  await late.abandonLate()
  state.now = 0
  await late.abandonLate()
  expect(reached).toEqual([])
})
