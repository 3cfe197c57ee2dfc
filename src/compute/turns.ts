import type { Call } from '../domain/call.ts'
import { fairQueue } from '../lib/fair-queue.ts'
import type { Steps } from '../lib/in-steps.ts'
import { together } from './small.ts'

/** Once a turn has taken this long, other work comes first before the next step. A step takes a part of the time of a page. */
const turnMs = 10

/** Where a page is read when its turn has come. */
export interface Ways<W, R> {
  /** Starts to read it elsewhere; null when it is to be read here. */
  elsewhere(work: W, call: Call): Promise<R> | null
  /** Reads it on the calling thread. */
  here(work: W): Steps<R>
}

interface Page<W, R> {
  readonly work: W
  readonly call: Call
  /** Ends its waiting. */
  begin(): void
  settle(result: R | Promise<R>): void
  fail(error: unknown): void
  /** Whether its caller has left. */
  left: boolean
}

/** A page that is being read. */
interface Reading<W, R> {
  readonly page: Page<W, R>
  readonly steps: Steps<R>
}

/** Makes one more step; false when there is nothing more to do. */
function step<W, R>({ page, steps }: Reading<W, R>): boolean {
  if (page.left) return false
  try {
    const { done, value } = steps.next()
    if (done === true) page.settle(value)
    return done !== true
  } catch (error) {
    page.fail(error)
    return false
  }
}

/**
 * Reads pages in turns of the event loop: those that wait, up to four, in step with each other, so that other work waits
 * for little more than one page. Teams take turns, requests come before pages of jobs. The clock of a page stands while it
 * waits. Rejects with the reason of its signal, or with what its reading throws.
 */
export function turns<W, R>({ elsewhere, here }: Ways<W, R>): (work: W, call: Call) => Promise<R> {
  const waiting = fairQueue<Page<W, R>>()
  /** Whether a turn is under way, or due. */
  let taken = false

  function start(): void {
    const readings: Reading<W, R>[] = []
    while (readings.length < together) {
      const page = waiting.next()
      if (page === null) break
      page.begin()
      const other = elsewhere(page.work, page.call)
      if (other === null) readings.push({ page, steps: here(page.work) })
      else page.settle(other)
    }
    goOn(readings)
  }

  function goOn(readings: readonly Reading<W, R>[]): void {
    const until = performance.now() + turnMs
    let left = readings
    while (left.length > 0 && performance.now() < until) left = left.filter(step)
    if (left.length > 0) setImmediate(goOn, left)
    else if (waiting.size() > 0) setImmediate(start)
    else taken = false
  }

  return (work, call) =>
    new Promise((resolve, reject) => {
      if (call.signal.aborted) return reject(call.signal.reason)
      const resume = call.clock?.pause()
      const onAbort = (): void => {
        page.left = true
        if (waiting.drop(call.team, page)) resume?.()
        reject(call.signal.reason)
      }
      const end = (): void => call.signal.removeEventListener('abort', onAbort)
      const page: Page<W, R> = {
        work,
        call,
        left: false,
        begin: () => resume?.(),
        settle(result) {
          end()
          resolve(result)
        },
        fail(error) {
          end()
          reject(error)
        },
      }
      call.signal.addEventListener('abort', onAbort, { once: true })
      waiting.push(call.team, page, call.background)
      if (taken) return
      taken = true
      // What else has arrived by then is read in step with it.
      setImmediate(start)
    })
}
