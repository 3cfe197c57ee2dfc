import { slots } from './slots.ts'

/** On whose behalf something waits, and until when. */
export interface Waiter {
  readonly team: string
  readonly signal: AbortSignal
  readonly background?: boolean
}

/** Lets so many do something at once, teams in turn. Rejects with the signal's reason for who gave up waiting. */
export function fairTurns(most: number): <T>(waiter: Waiter, work: () => Promise<T>) => Promise<T> {
  const places = slots(most)
  return async ({ team, signal, background }, work) => {
    const leave = await places.enter(team, signal, background)
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
