import { slots, type Waiter } from './slots.ts'

/** Lets so many do something at once, teams in turn. Rejects with the signal's reason for who gave up waiting. */
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
