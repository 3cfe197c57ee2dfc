import { StoreAway } from '../domain/errors.ts'
import { withTimeout } from '../lib/with-timeout.ts'

/** A part of the service that is to end. */
export interface StopPart {
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
export async function endAll(groups: readonly (readonly StopPart[])[], unwritten: Set<string>): Promise<void> {
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
