import { once } from './once.ts'

/** How long the calling thread was held up while somebody watched. */
export interface HeldUp {
  /** Measures until the answer is called. Watches may overlap. */
  watch(): () => void
  /** Milliseconds so far, over all watches. */
  readonly ms: number
}

/** How often to look whether the thread gets to its timers, in milliseconds. */
const everyMs = 20
/** A turn of the event loop that delays a timer by less than this is work as usual. */
const usualMs = 5

/** Adds up how much later than due its timer comes: in that time no answer of a site was read, whenever it arrived. Sets no timer while nobody watches. */
export function heldUp(now: () => number): HeldUp {
  let watches = 0
  let timer: NodeJS.Timeout | undefined
  let sum = 0
  let seen = 0
  /** By how much the timer is late at this moment. */
  const late = (): number => {
    const ms = watches > 0 ? now() - seen - everyMs : 0
    return ms > usualMs ? ms : 0
  }
  const tick = (): void => {
    sum += late()
    seen = now()
  }
  return {
    watch() {
      if (watches++ === 0) {
        seen = now()
        timer = setInterval(tick, everyMs).unref()
      }
      return once(() => {
        if (watches === 1) tick()
        if (--watches === 0) clearInterval(timer)
      })
    },
    get ms() {
      return sum + late()
    },
  }
}
