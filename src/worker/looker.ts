/** Looks for work, one look at a time. */
export interface Looker {
  /** Looks now; during a look, looks once more after it. */
  look(): void
  /** Settles when no look is under way. */
  idle(): Promise<void>
}

/** A looker; `takeMore` resolves with whether it is worth looking again at once, and `failed` is called when it rejects. */
export function looker(takeMore: () => Promise<boolean>, failed: (error: unknown) => void): Looker {
  let looking: Promise<void> | null = null
  let again = false
  return {
    look() {
      again = true
      looking ??= (async () => {
        do {
          again = false
          const more = await takeMore().catch(failed)
          if (more === true) again = true
        } while (again)
        looking = null
      })()
    },
    idle: async () => looking ?? undefined,
  }
}
