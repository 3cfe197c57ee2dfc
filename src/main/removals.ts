import type { Blobs } from '../domain/blobs.ts'

/** Blobs that remember what they were to remove. */
export interface RememberingBlobs extends Blobs {
  /** Removes what was too young when it was asked for, and is not any more; then what the place has set aside of it. */
  removeLate(): Promise<void>
}

/** Keys remembered at most; those beyond go with the next sweep of all blobs. */
const mostKeys = 100_000

/** So often it is asked again: when the blob is old enough, and when its copy is that some places make of it first. */
const asksLater = 2

/** Asks again for what was to be removed, once it is older than the grace it was given: a page is often erased right after it was fetched. */
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
      // Looked for anew each time: what takes long is still at work when the next round begins.
      for (let one = take(); one !== undefined; one = take()) {
        await blobs.remove(...one.asked)
        remember(one.asked, one.left - 1)
      }
    },
  }
}
