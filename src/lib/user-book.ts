import { randomInt } from 'node:crypto'

/** Hands out users of this machine, each to one holder at a time; only when all are taken, one with the fewest holders has another. */
export interface UserBook {
  take(): number
  give(user: number): void
}

/** A book of these users, of which there is at least one. */
export function userBook(users: readonly number[]): UserBook {
  const holders = new Map<number, number>()
  const count = (user: number): number => holders.get(user) ?? 0
  // Another service on this machine chooses from the same users.
  let last = randomInt(users.length)
  return {
    take() {
      const order = users.map((_, i) => (last + 1 + i) % users.length)
      last = order.toSorted((a, b) => count(users[a] ?? 0) - count(users[b] ?? 0))[0] ?? 0
      const user = users[last] ?? 0
      holders.set(user, count(user) + 1)
      return user
    },
    give: (user) => void holders.set(user, Math.max(0, count(user) - 1)),
  }
}
