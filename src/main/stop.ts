import { StoreAway } from '../domain/errors.ts'
import type { Store } from '../domain/store.ts'
import { withTimeout } from '../lib/with-timeout.ts'

/** A part of the service that is to be ended. */
interface StopPart {
  readonly end: () => Promise<unknown>
  /** What it writes at its end; absent when it writes nothing. */
  readonly writes?: string
  /** Time limit; absent without one. */
  readonly limitMs?: number | undefined
}

/** The limit passed: the part waits for the store, because everything else has limits of its own. */
const late = Symbol('late')

/**
 * Ends parts, those of a group at once, one group after the other. A failure does not stop the others; the first one is
 * thrown at the end. A store that is away is no failure: leases make sure that unwritten work is found. It is recorded in
 * `unwritten`.
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

/**
 * Limits for parts that wait for the store: a frozen Postgres may not answer for longer than a stop may take. An embedded
 * store is waited for.
 */
const patience = { worksMs: 2_000, keysMs: 300, backgroundMs: 500, storeMs: 1_000 } as const // `const`: numbers of their own

/** The parts that end with the service. */
interface Ends {
  readonly store: Store
  /** Parts that answer requests or work; they have `graceMs` to finish. */
  readonly works: readonly { readonly end: (graceMs: number) => unknown; readonly writes: string }[]
  readonly keeper: { stop(): Promise<void> }
  /** Parts that hold connections, threads and processes. */
  readonly rest: readonly (() => unknown)[]
  /** Background work. */
  readonly pending: ReadonlySet<Promise<unknown>>
  readonly place: { close(): void }
}

/** Ends a service. */
export interface Ending {
  /** Lets what runs finish (at most `graceMs`), and closes everything. Throws the first failure at the end. */
  stop(graceMs: number): Promise<void>
  /** Closes everything after a failed start, `first` before all else. */
  abandon(first: () => Promise<unknown>): Promise<void>
  /** What a stop could not write so far, because the store is away. */
  readonly unwritten: ReadonlySet<string>
}

/** Ends a service in order: first what others wait for; the store last, because all others may write to it. */
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
