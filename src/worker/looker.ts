/** Looks for work, one look at a time. */
export interface Looker {
  /** Looks now; during a look, looks once more after it. */
  look(): void
  /** Settles when no look is under way. */
  idle(): Promise<void>
}

/** A looker; `takeMore` resolves with whether it is worth looking again at once, and `failed` is called when it rejects, once until it succeeds again. */
export function looker(takeMore: () => Promise<boolean>, failed: (error: unknown) => void): Looker {
  let looking: Promise<void> | null = null
  let again = false
  let failing = false
  const take = async (): Promise<boolean> => {
    try {
      const more = await takeMore()
      failing = false
      return more
    } catch (error) {
      // A store that is away for an hour is news once.
      if (!failing) failed(error)
      failing = true
      return false
    }
  }
  return {
    look() {
      again = true
      looking ??= (async () => {
        do {
          again = false
          if (await take()) again = true
        } while (again)
        looking = null
      })()
    },
    idle: async () => looking ?? undefined,
  }
}
