import type { Blobs } from '../domain/ports.ts'

/** Blobs that remember what they were to remove. */
export interface RememberingBlobs extends Blobs {
  /** Removes what was too young when it was asked for, and is not any more. */
  removeLate(): Promise<void>
}

/** Keys remembered at most; those beyond go with the next sweep of all blobs. */
const mostKeys = 100_000

/** Asks again for what was to be removed, once it is older than the grace it was given: a page is often erased right after it was fetched. */
export function remembering(blobs: Blobs, now: () => number): RememberingBlobs {
  const late: { readonly from: number; readonly asked: Parameters<Blobs['remove']> }[] = []
  let count = 0
  const take = (): (typeof late)[number] | undefined => {
    const at = late.findIndex(({ from }) => from < now())
    const [one] = at < 0 ? [] : late.splice(at, 1)
    count -= one?.asked[0].length ?? 0
    return one
  }
  return {
    ...blobs,
    remove(...asked) {
      const [keys, , graceMs] = asked
      if (count + keys.length <= mostKeys) {
        late.push({ from: now() + graceMs, asked })
        count += keys.length
      }
      return blobs.remove(...asked)
    },
    async removeLate() {
      // Looked for anew each time: what takes long is still at work when the next round begins.
      for (let one = take(); one !== undefined; one = take()) await blobs.remove(...one.asked)
    },
  }
}
