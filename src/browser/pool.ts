import { cpus } from 'node:os'
import type { Call } from '../domain/call.ts'
import type { Clock } from '../domain/clock.ts'
import { queueError, ServiceError } from '../domain/errors.ts'
import { anySignal } from '../lib/any-signal.ts'
import { deadline, timeLeft } from '../lib/deadline.ts'
import type { Tunnel } from '../net/index.ts'
import { fleet, type FleetLimits, fleetLimits } from './fleet.ts'
import type { FindOptions, Search } from './find.ts'
import type { Say } from './launch.ts'
import { gauges } from './memory.ts'
import { RoomLost, rooms } from './rooms.ts'
import { slots } from '../lib/slots.ts'
import { type Source, source } from './source.ts'
import type { UseTerms, Work } from './terms.ts'
import { attempt } from './use.ts'

export interface PoolOptions {
  readonly find: FindOptions
  /** The only way out of the browsers. */
  readonly tunnel: Tunnel
  readonly clock: Clock
  readonly say: Say
  /** Pages at once; default: two per core. */
  readonly concurrency?: number | undefined
  readonly limits?: Partial<FleetLimits>
  /** Parent of the browsers' folders; default: the system's folder for temporary files. */
  readonly parent?: string | undefined
  /** Where its browsers come from, when others draw from there too. */
  readonly source?: Source
}

/** Pages to work with, in browsers that come and go as needed. */
export interface BrowserPool {
  /**
   * Opens a page on the given terms, does the work, and clears all of it away. Throws `CONCURRENCY_QUEUE_TIMEOUT` (no place in time),
   * `SCRAPE_TIMEOUT`, `SCRAPE_SITE_ERROR` (the page crashes or floods the browser), `BROWSER_NOT_CONFIGURED` (no Chromium),
   * `SCRAPE_ALL_ENGINES_FAILED` (it does not start), `OVERLOADED` (no memory), `SHUTTING_DOWN`, and what the work throws.
   */
  use<T>(terms: UseTerms, work: Work<T>, call: Call): Promise<T>
  /** What was found; looks for it at the first question. */
  search(): Promise<Search>
  state(): PoolState
  /** Ends every browser; afterwards nothing of them is left. */
  stop(): Promise<void>
}

export interface PoolState {
  readonly browsers: number
  readonly running: number
  readonly waiting: number
  /** Chromium's own sandbox; null before the first start. */
  readonly sandbox: boolean | null
}

interface Wish<T> {
  readonly terms: UseTerms
  readonly work: Work<T>
  /** What its attempts leave to be cleared away. */
  readonly left: Promise<void>[]
}

/** Rendered pages at once where nobody says otherwise: two per core. */
const defaultConcurrency = (): number => cpus().length * 2

/** A pool that starts nothing before it is used. */
export function browserPool(options: PoolOptions): BrowserPool {
  const { clock, say } = options
  const from = options.source ?? source(options)
  const places = slots(options.concurrency ?? defaultConcurrency())
  const crew = fleet({ launch: from.launch, limits: { ...fleetLimits, ...options.limits }, now: () => clock.now(), say, gauges })
  const all = rooms(crew, from.contextTunnel)
  /** The visits under way, each to be ended by itself: a signal that outlives them would keep a trace of each (Node 20). */
  const visits = new Set<AbortController>()
  const clearing = new Set<Promise<void>>()
  let stopping = false

  /** Answers when the work is done; what is left to clear away goes to `clearing`. */
  function begin<T>({ terms, work, left }: Wish<T>, call: Call, alone: boolean): Promise<T> {
    const { answer, cleared } = attempt(all, { terms, work, alone }, call)
    left.push(cleared)
    clearing.add(cleared)
    void cleared.then(() => clearing.delete(cleared))
    return answer
  }

  async function tried<T>(wish: Wish<T>, call: Call): Promise<T> {
    const again = wish.terms.repeatable !== false
    try {
      return await begin(wish, call, false)
    } catch (error) {
      if (!(error instanceof RoomLost)) throw error
      call.log('browser-lost', { again })
    }
    const crashed = new ServiceError('SCRAPE_SITE_ERROR', 'The browser broke down at the page.')
    if (!again) throw crashed
    // In a browser of its own: if this page is the culprit, it breaks nobody else's.
    return begin(wish, call, true).catch((error: unknown) => {
      throw error instanceof RoomLost ? crashed : error
    })
  }

  /** Waits for a place, and says so: the call's own timer may be the one that rings first. */
  async function turn(call: Call, signal: AbortSignal): Promise<() => void> {
    const goOn = call.queue?.begin()
    try {
      return await places.enter({ ...call, signal })
    } catch (reason) {
      throw queueError(reason)
    } finally {
      goOn?.()
    }
  }

  return {
    async use(terms, work, call) {
      if (stopping) throw new ServiceError('SHUTTING_DOWN')
      const end = new AbortController()
      visits.add(end)
      const limit = deadline(anySignal(call.signal, end.signal), timeLeft(call, clock.now()), () => new ServiceError('SCRAPE_TIMEOUT'), call.clock)
      try {
        const leave = await turn(call, limit.signal)
        const left: Promise<void>[] = []
        try {
          return await tried({ terms, work, left }, { ...call, signal: limit.signal })
        } finally {
          // The answer is out; the place is free when the page is gone.
          void Promise.all(left).then(leave)
        }
      } finally {
        limit.dispose()
        visits.delete(end)
      }
    },
    search: from.search,
    state: () => ({ browsers: crew.size, running: places.running, waiting: places.waiting, sandbox: from.sandbox() }),
    async stop() {
      stopping = true
      for (const end of visits) end.abort(new ServiceError('SHUTTING_DOWN'))
      while (clearing.size > 0) await Promise.all(clearing)
      await crew.stop()
    },
  }
}
