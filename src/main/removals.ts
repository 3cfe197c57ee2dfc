import type { Blobs } from '../domain/blobs.ts'

/** Blobs that can be removed later. */
export interface RememberingBlobs extends Blobs {
  /**
   * Removes the blobs that were too young when their removal was requested, and then the copies that the place keeps of
   * removed ones.
   */
  removeLate(): Promise<void>
}

/** Most keys that are remembered; others are removed by the next sweep of all blobs. */
const mostKeys = 100_000

/** Number of later attempts: once the blob is old enough, and once the copy is, which some places make of it first. */
const asksLater = 2

/** Repeats a removal once the blob is older than its grace period: a page is often erased right after it was fetched. */
export function remembering(blobs: Blobs, now: () => number): RememberingBlobs {
  const late: { readonly from: number; readonly asked: Parameters<Blobs['remove']>; readonly left: number }[] = []
  let count = 0
  const remember = (asked: Parameters<Blobs['remove']>, left: number): void => {
    const [keys, , graceMs] = asked
    if (left === 0 || count + keys.length > mostKeys) return
    late.push({ from: now() + graceMs, asked, left })
    count += keys.length
  }
  const take = (): (typeof late)[number] | undefined => {
    const at = late.findIndex(({ from }) => from < now())
    const [one] = at < 0 ? [] : late.splice(at, 1)
    count -= one?.asked[0].length ?? 0
    return one
  }
  return {
    ...blobs,
    remove(...asked) {
      remember(asked, asksLater)
      return blobs.remove(...asked)
    },
    async removeLate() {
      // Look again each time: a slow round may still be at work when the next one begins.
      for (let one = take(); one !== undefined; one = take()) {
        await blobs.remove(...one.asked)
        remember(one.asked, one.left - 1)
      }
    },
  }
}
