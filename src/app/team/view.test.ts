import { expect, it } from 'vitest'
import { concurrency, queueStatus, type TeamPorts } from './view.ts'

/** What the store has of a team's places, pages included, and what this process knows of its requests. */
const team = (stored: readonly [number, number], pages: readonly [number, number], here: readonly [number, number]): TeamPorts => ({
  teams: { load: async () => ({ active: stored[0], waiting: stored[1], lastSuccess: null }), activity: async () => [], addFeedback: async () => undefined, feedback: async () => [] },
  ledger: { allowance: async () => null, find: async () => null, months: async () => [] },
  jobs: { load: async () => ({ running: pages[0], waiting: pages[1] }) },
  admission: { load: () => ({ running: here[0], waiting: here[1] }) },
  teamPlaces: 10,
  now: () => 0,
})

it.each([
  ['a single process, whose requests are not in the store', team([3, 5], [3, 5], [2, 1]), 5, 6],
  ['a fleet, whose requests that run are in the store, and of those that wait a few', team([7, 8], [3, 5], [2, 10]), 7, 15],
  ['a fleet of which another process has what waits', team([7, 8], [3, 5], [0, 0]), 7, 8],
] as const)('the requests and pages of %s are counted once each', async (_whose, ports, active, waiting) => {
  expect(await queueStatus(ports, 'a')).toMatchObject({ jobsInQueue: active + waiting, activeJobsInQueue: active, waitingJobsInQueue: waiting })
  expect((await concurrency(ports, 'a')).concurrency).toBe(active)
})
