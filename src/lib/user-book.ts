import { randomInt } from 'node:crypto'

/** Hands out users of this machine, each to one holder at a time; only when all are taken, one has a second holder. */
export interface UserBook {
  take(): number
  give(user: number): void
}

/** A book of these users, of which there is at least one. */
export function userBook(users: readonly number[]): UserBook {
  const taken = new Set<number>()
  // Another service on this machine chooses from the same users.
  let last = randomInt(users.length)
  return {
    take() {
      const order = users.map((_, i) => (last + 1 + i) % users.length)
      last = order.find((at) => !taken.has(users[at] ?? 0)) ?? order[0] ?? 0
      const user = users[last] ?? 0
      taken.add(user)
      return user
    },
    give: (user) => void taken.delete(user),
  }
}
