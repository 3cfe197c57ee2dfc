import { fairQueue } from './fair-queue.ts'

/** On whose behalf something waits, and until when. */
export interface Waiter {
  readonly team: string
  readonly signal: AbortSignal
}

/** Lets so many do something at once, teams in turn. Rejects with the signal's reason for who gave up waiting. */
export function fairTurns(most: number): <T>(waiter: Waiter, work: () => Promise<T>) => Promise<T> {
  const waiting = fairQueue<() => void>()
  let running = 0
  const pump = (): void => {
    while (running < most) {
      const start = waiting.next()
      if (start === null) return
      running++
      start()
    }
  }
  const turn = ({ team, signal }: Waiter): Promise<void> =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const leave = (): void => {
        if (waiting.drop(team, start)) reject(signal.reason)
      }
      const start = (): void => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      signal.addEventListener('abort', leave, { once: true })
      waiting.push(team, start)
      pump()
    })
  return async (waiter, work) => {
    await turn(waiter)
    try {
      return await work()
    } finally {
      running--
      pump()
    }
  }
}
