import { StoreAway } from '../domain/errors.ts'
import type { Store } from '../domain/store.ts'
import { withTimeout } from '../lib/with-timeout.ts'

/** A part of the service that is to end. */
interface StopPart {
  readonly end: () => Promise<unknown>
  /** What it writes when it ends; absent where it writes nothing. */
  readonly writes?: string
  /** How long it may take; absent: as long as it takes. */
  readonly limitMs?: number | undefined
}

/** It was not done in time: what it waits for is the store, since everything else has limits of its own. */
const late = Symbol('late')

/**
 * Ends parts, those of a group at once, one group after the other; one that fails cuts off none of the others, and the first failure is thrown
 * at the end. That the store is away is none: whoever finds what was not written, finds it by its lease. It is noted in `unwritten`.
 */
async function endAll(groups: readonly (readonly StopPart[])[], unwritten: Set<string>): Promise<void> {
  const failures: unknown[] = []
  const endOne = async ({ end, writes, limitMs }: StopPart): Promise<void> => {
    try {
      const outcome = await (limitMs === undefined ? end() : withTimeout(end(), limitMs, () => late))
      if (outcome === late && writes !== undefined) unwritten.add(writes)
    } catch (error) {
      if (!(error instanceof StoreAway)) failures.push(error)
      else if (writes !== undefined) unwritten.add(writes)
    }
  }
  for (const group of groups) await Promise.all(group.map(endOne))
  if (failures.length > 0) throw failures[0]
}

/** A Postgres that is frozen answers nothing for longer than a stop may take: what waits for it is left after so long. A store of our own is waited for. */
const patience = { worksMs: 2_000, keysMs: 300, backgroundMs: 500, storeMs: 1_000 } as const // `const`: numbers of their own

/** What ends with the service. */
interface Ends {
  readonly store: Store
  /** What answers, and what works; they have `graceMs` to finish. */
  readonly works: readonly { readonly end: (graceMs: number) => unknown; readonly writes: string }[]
  readonly keeper: { stop(): Promise<void> }
  /** What holds connections, threads and processes. */
  readonly rest: readonly (() => unknown)[]
  /** Work that nobody waits for. */
  readonly pending: ReadonlySet<Promise<unknown>>
  readonly place: { close(): void }
}

/** How a service ends. */
export interface Ending {
  /** Lets what runs finish (at most `graceMs`) and closes everything. Throws the first failure at the end. */
  stop(graceMs: number): Promise<void>
  /** Closes everything after a start that failed, `first` before all else. */
  abandon(first: () => Promise<unknown>): Promise<void>
  /** What a stop could not write so far, since the store is away. */
  readonly unwritten: ReadonlySet<string>
}

/** The order in which a service ends: first what others wait for, the store last, since all the rest may write to it. */
export function ending({ store, works, keeper, rest, pending, place }: Ends): Ending {
  const unwritten = new Set<string>()
  const limit = (ms: number): number | undefined => (store.name === 'postgres' ? ms : undefined)
  const closing: readonly (readonly StopPart[])[] = [
    ...rest.map((end) => [{ end: async () => end() }]),
    [{ end: () => Promise.all(pending), writes: 'work in the background', limitMs: limit(patience.backgroundMs) }],
    [{ end: async () => place.close() }],
    [{ end: () => store.close(), writes: 'uses of cached pages', limitMs: limit(patience.storeMs) }],
  ]
  return {
    unwritten,
    async stop(graceMs) {
      const working = works.map(({ end, writes }): StopPart => ({ end: async () => end(graceMs), writes, limitMs: limit(graceMs + patience.worksMs) }))
      await endAll([working, [{ end: () => keeper.stop(), writes: 'uses of keys', limitMs: limit(patience.keysMs) }], ...closing], unwritten)
    },
    abandon: (first) => endAll([[{ end: first }], ...closing], unwritten).catch(() => undefined),
  }
}
