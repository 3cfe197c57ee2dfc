import { expect, it } from 'vitest'
import type { Attempted } from '../domain/jobs/outbox.ts'
import type { PageEnd, PageSettled } from '../domain/jobs/pages.ts'
import type { Store } from '../domain/store.ts'
import { tallied } from './tallies.ts'

it('what ends in the store is counted by outcome, and only if it was written', async () => {
  const ends: readonly [PageEnd['outcome']['kind'], PageSettled][] = [['delivered', 'settled'], ['delivered', 'settled'], ['delivered', 'duplicate'], ['failed', 'settled'], ['delivered', 'lost'], ['delivered', 'outdated']]
  const attempts: readonly [Attempted['kind'], boolean][] = [['delivered', true], ['again', true], ['again', true], ['given-up', true], ['stopped', false]]
  const asked = { pages: 0, webhooks: 0 }
  const inner = {
    jobs: { settle: async () => ends[asked.pages++]?.[1] },
    outbox: { attempted: async () => attempts[asked.webhooks++]?.[1], take: async () => [{ givenUp: 'died' }, {}] },
  }
  const { store, tallies } = tallied(inner as unknown as Store) // only what is used
  for (const [kind, settled] of ends) expect(await store.jobs.settle({ outcome: { kind } } as PageEnd)).toBe(settled) // only what is read
  for (const [kind, held] of attempts) expect(await store.outbox.attempted({ id: '', token: '' }, { kind } as Attempted, 0)).toBe(held) // only what is read
  expect(await store.outbox.take({ worker: '', limit: 1, perReceiver: 1, leaseMs: 1 }, 0)).toHaveLength(2)
  expect([...tallies.pages]).toEqual([['delivered', 2], ['duplicate', 1], ['failed', 1]])
  expect([...tallies.webhooks]).toEqual([['delivered', 1], ['again', 2], ['given-up', 2]])
})
