/** A take whose answer was lost may still commit within this time, which is longer than the store lets a statement run. */
export const doubtMs = 30_000

/** Whether there may be leases that their worker does not know of. */
export interface Doubt {
  /** Takes leases, or looks which there are; when that fails, doubt begins anew. */
  taking<T>(take: () => Promise<T>): Promise<T>
  /** Whether some may be there that were not given to the worker. */
  remains(): boolean
}

/** The doubt of one worker; none at first. */
export function doubt(now: () => number): Doubt {
  let until = Number.NEGATIVE_INFINITY
  return {
    async taking(take) {
      try {
        return await take()
      } catch (error) {
        until = now() + doubtMs
        throw error
      }
    },
    remains: () => now() < until,
  }
}
