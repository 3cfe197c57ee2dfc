/** Finds out which target belongs to a page that the driver opens, as only the protocol tells. */
export interface Openings {
  /** Does work that makes the driver open one page; and the id of its target, null when it opened none. */
  open<T>(work: () => Promise<T>): Promise<{ readonly opened: T; readonly targetId: string | null }>
  /** Takes note of a command of the driver. */
  asked(id: number, method: string | undefined): void
  /** Takes note of an answer to the driver. */
  answered(id: number, result: unknown): void
}

export function openings(): Openings {
  let before: Promise<unknown> = Promise.resolve()
  let next: (id: number) => void = () => undefined
  const waiting = new Map<number, (targetId: string | null) => void>()
  return {
    async open(work) {
      const earlier = before
      let leave: () => void = () => undefined
      before = new Promise<void>((resolve) => (leave = resolve))
      await earlier
      let targetId: string | null = null
      const sent = new Promise<void>((resolve) => {
        next = (id) => {
          waiting.set(id, (found) => (targetId = found))
          resolve()
        }
      })
      const opening = work()
      // The next one may begin as soon as this one's command is out.
      const over = (): void => {
        next = () => undefined
        leave()
      }
      void Promise.race([sent, opening]).then(over, over)
      return { opened: await opening, targetId }
    },
    asked: (id, method) => void (method === 'Target.createTarget' && next(id)),
    answered(id, result) {
      const found = waiting.get(id)
      if (found === undefined) return
      waiting.delete(id)
      found((result as { readonly targetId?: string } | undefined)?.targetId ?? null) // the answer of `Target.createTarget`
    },
  }
}
