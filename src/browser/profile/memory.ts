import type { BrowserContext } from 'playwright-core'
import type { Order, Remembered } from '../../domain/pages/capture.ts'
import { bytesOf, originsIn, putState, stateFrom, takeState } from './state.ts'

/** What a browser remembers of a visit. */
export interface Memory {
  /** What it remembers now; null when that is not wanted. Never rejects. */
  after(left: () => number): Promise<Remembered>
}

const unread = 'Some of the profile could not be put into the browser.'

/** Puts a profile into a fresh context, and records from then on what may change it. */
export async function memoryOf(context: BrowserContext, { state, save }: NonNullable<Order['profile']>, left: () => number): Promise<Memory> {
  const before = stateFrom(state)
  const failed = await putState(context, before, left)
  const origins = originsIn(context)
  return {
    async after(rest) {
      if (!save) return { state: null, warnings: failed.size > 0 ? [unread] : [] }
      if (rest() <= 0) return { state: null, warnings: [] }
      try {
        const taken = await takeState(context, { before, origins: origins.all(), failed }, rest)
        return { state: taken.state && bytesOf(taken.state), warnings: taken.warnings }
      } catch {
        // The browser went away or is too busy: the caller is told that nothing was saved.
        return { state: null, warnings: [] }
      }
    },
  }
}
