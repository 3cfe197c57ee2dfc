import type { Store } from '../domain/store.ts'

/** How often something ended in which way, in this process. */
export type Tally = ReadonlyMap<string, number>

/** What this process has brought to an end. */
export interface Tallies {
  /** Pages of jobs: `delivered`, `failed`, `skipped` or `duplicate`. */
  readonly pages: Tally
  /** Attempts at webhooks: `delivered`, `again`, `given-up` or `stopped`. */
  readonly webhooks: Tally
}

/** The store, and a count of what ends in it through this process. What was not written has not ended. */
export function tallied(store: Store): { readonly store: Store; readonly tallies: Tallies } {
  const [pages, webhooks] = [new Map<string, number>(), new Map<string, number>()]
  const count = (tally: Map<string, number>, kind: string): void => void tally.set(kind, (tally.get(kind) ?? 0) + 1)
  return {
    tallies: { pages, webhooks },
    store: {
      ...store,
      jobs: {
        ...store.jobs,
        async settle(end) {
          const settled = await store.jobs.settle(end)
          if (settled === 'settled') count(pages, end.outcome.kind)
          if (settled === 'duplicate') count(pages, 'duplicate')
          return settled
        },
      },
      outbox: {
        ...store.outbox,
        async take(...args) {
          const taken = await store.outbox.take(...args)
          for (const { givenUp } of taken) if (givenUp !== undefined) count(webhooks, 'given-up')
          return taken
        },
        async attempted(delivery, outcome, now) {
          const held = await store.outbox.attempted(delivery, outcome, now)
          if (held) count(webhooks, outcome.kind)
          return held
        },
      },
    },
  }
}
