import { slots, type Waiter } from './slots.ts'

/** Limits how many run at once, teams in turn. Rejects with the signal's reason while still waiting. */
export function fairTurns(most: number): <T>(waiter: Waiter, work: () => Promise<T>) => Promise<T> {
  const places = slots(most)
  return async (waiter, work) => {
    const leave = await places.enter(waiter)
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
