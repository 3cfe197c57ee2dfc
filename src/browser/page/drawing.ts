import { untilAborted } from '../../lib/deadline.ts'
import { fairTurns } from '../../lib/fair-turns.ts'
import { sleep } from '../../lib/sleep.ts'
import { withTimeout } from '../../lib/with-timeout.ts'
import { PageLost } from '../page-lost.ts'

/** Draws a picture. Throws `SCRAPE_SITE_ERROR` if it cannot be drawn, and rejects with the signal's reason. */
export type Drawing = <T>(draw: () => Promise<T>, signal: AbortSignal) => Promise<T>

/** How long pictures are drawn one after the other once one was refused, and how long each may then take before it is drawn again, after which pauses; in milliseconds. */
export interface DrawingPace {
  readonly scarceMs: number
  readonly tryMs: number
  readonly pausesMs: readonly number[]
}

const patient: DrawingPace = { scarceMs: 60_000, tryMs: 10_000, pausesMs: [500, 2_000, 4_000] }

/** A picture that is not coming: the process that draws has died, and nobody was told. */
class Lost extends Error {}

/** Whether the process that draws has died, as it does where memory is short. A new one is there in a moment. */
const isRefusal = (error: unknown): boolean => error instanceof Lost || (error instanceof Error && /unable to capture/i.test(error.message))

/**
 * Draws pictures at once, as long as there is memory for that: a large one takes hundreds of megabytes. A refused one is drawn again, and all
 * one after the other for a while.
 */
export function drawing({ scarceMs, tryMs, pausesMs }: DrawingPace = patient): Drawing {
  const inLine = fairTurns(1)
  let scarceUntil = 0

  async function patiently<T>(draw: () => Promise<T>, signal: AbortSignal): Promise<T> {
    for (const pauseMs of pausesMs) {
      try {
        return await withTimeout(draw(), tryMs, () => {
          throw new Lost()
        })
      } catch (error) {
        if (!isRefusal(error)) throw error
        scarceUntil = performance.now() + scarceMs
        await sleep(pauseMs, signal)
      }
    }
    return draw().catch((error: unknown) => {
      throw isRefusal(error) ? new PageLost('The browser could not draw the picture of the page.', error) : error
    })
  }

  return async <T>(draw: () => Promise<T>, signal: AbortSignal) => {
    const drawn = (): Promise<T> => untilAborted(draw(), signal)
    if (performance.now() >= scarceUntil) {
      try {
        return await drawn()
      } catch (error) {
        if (!isRefusal(error)) throw error
        scarceUntil = performance.now() + scarceMs
      }
    }
    // One line for all teams: each keeps it for as long as its own picture takes.
    return inLine({ team: '', signal }, () => patiently(drawn, signal))
  }
}
