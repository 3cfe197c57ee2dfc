import type { Blobs } from '../domain/blobs.ts'

/** Blobs that can be removed later. */
export interface RememberingBlobs extends Blobs {
  /**
   * Removes the blobs that were too young when their removal was requested, and then the copies that the place keeps of
   * removed ones. Throws what a removal throws, which is tried again after growing pauses; the others wait for the next call.
   */
  removeLate(): Promise<void>
}

/** Most keys that are remembered; others are removed by the next sweep of all blobs. */
const mostKeys = 100_000

/** Number of later attempts: once the blob is old enough, and once the copy is, which some places make of it first. */
const asksLater = 2

/** How long one that failed waits, twice as long after each further failure; after so many, the sweep of all blobs is as near. */
const failedPauseMs = 60_000
const mostFailures = 6

/** A removal to be made after `from`, and again `left - 1` times. */
interface Late {
  readonly from: number
  readonly asked: Parameters<Blobs['remove']>
  readonly left: number
  readonly failures: number
}

/** Repeats a removal once the blob is older than its grace period: a page is often erased right after it was fetched. */
export function remembering(blobs: Blobs, now: () => number): RememberingBlobs {
  const late: Late[] = []
  let count = 0
  const remember = (one: Late): void => {
    const keys = one.asked[0].length
    if (one.left === 0 || one.failures > mostFailures || count + keys > mostKeys) return
    late.push(one)
    count += keys
  }
  const repeat = (asked: Late['asked'], left: number): void => remember({ from: now() + asked[2], asked, left, failures: 0 })
  const take = (): Late | undefined => {
    const at = late.findIndex(({ from }) => from < now())
    const [one] = at < 0 ? [] : late.splice(at, 1)
    count -= one?.asked[0].length ?? 0
    return one
  }
  return {
    ...blobs,
    remove(...asked) {
      repeat(asked, asksLater)
      return blobs.remove(...asked)
    },
    async removeLate() {
      // Look again each time: a slow round may still be at work when the next one begins.
      for (let one = take(); one !== undefined; one = take()) {
        try {
          await blobs.remove(...one.asked)
        } catch (error) {
          remember({ ...one, from: now() + failedPauseMs * 2 ** one.failures, failures: one.failures + 1 })
          throw error
        }
        repeat(one.asked, one.left - 1)
      }
    },
  }
}
