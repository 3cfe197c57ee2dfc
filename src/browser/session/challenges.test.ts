import { expect, it } from 'vitest'
import { challenges } from './challenges.ts'

it('the oldest unanswered challenge of a client is given up if there are too many', async () => {
  const { ask, take } = challenges({ sessionAt: () => 's', tell: () => undefined })
  const asked = Array.from({ length: 1_001 }, (_, i) => ask('page', { requestId: String(i), authChallenge: {} }))
  expect(await asked[0]).toEqual({ response: 'CancelAuth' })
  const answer = (i: number): unknown => take({ requestId: `guard-${i}`, authChallengeResponse: { response: 'Default' } }, 's')
  expect([answer(0), answer(1)]).toEqual([null, { result: {} }])
  expect(await asked[1]).toEqual({ response: 'Default' })
})
