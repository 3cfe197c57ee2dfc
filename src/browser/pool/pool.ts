import { cpus } from 'node:os'
import type { Call } from '../../domain/call.ts'
import type { Clock } from '../../domain/clock.ts'
import { queueError, ServiceError } from '../../domain/errors.ts'
import { anySignal } from '../../lib/any-signal.ts'
import { deadline, timeLeft } from '../../lib/deadline.ts'
import type { Tunnel } from '../../net/index.ts'
import { fleet, type FleetLimits, fleetLimits } from './fleet.ts'
import type { FindOptions, Search } from '../chromium/find.ts'
import type { Say } from '../chromium/launch.ts'
import { gauges } from '../chromium/memory.ts'
import { PageLost } from '../page-lost.ts'
import { RoomLost, rooms } from './rooms.ts'
import { kernelKills, scarcity } from './scarce.ts'
import { slots } from '../../lib/slots.ts'
import { steadyNow } from '../../lib/steady-now.ts'
import { spareOf } from '../../lib/team-counts.ts'
import { type Source, source } from '../chromium/source.ts'
import type { UseTerms, Work } from '../terms.ts'
import { attempt } from './use.ts'

export interface PoolOptions {
  readonly find: FindOptions
  /** The browsers' only way out. */
  readonly tunnel: Tunnel
  readonly clock: Clock
  readonly say: Say
  /** Most concurrent pages, not counting the few spare ones for teams that have none; by default two per core. */
  readonly concurrency?: number | undefined
  readonly limits?: Partial<FleetLimits>
  /** Parent of the browsers' folders; by default the system's temporary folder. */
  readonly parent?: string | undefined
  /** The source of browsers, when it is shared with others. */
  readonly source?: Source
  /** How many processes the kernel has killed for want of memory; by default as it says. */
  readonly kills?: () => number
}

/** Lends pages, in browsers that start and end as needed. */
export interface BrowserPool {
  /**
   * Opens a page on the given terms, does the work, and cleans up. Throws `CONCURRENCY_QUEUE_TIMEOUT` (no place in time),
   * `SCRAPE_TIMEOUT`, `SCRAPE_SITE_ERROR` (the page crashes or floods the browser), `BROWSER_NOT_CONFIGURED` (no Chromium),
   * `SCRAPE_ALL_ENGINES_FAILED` (it does not start), `OVERLOADED` (no memory), `SHUTTING_DOWN`, and what the work throws.
   */
  use<T>(terms: UseTerms, work: Work<T>, call: Call): Promise<T>
  /** The Chromium that was found; the first call searches for it. */
  search(): Promise<Search>
  state(): PoolState
  /** Ends every browser; afterwards nothing of them is left. */
  stop(): Promise<void>
}

export interface PoolState {
  readonly browsers: number
  readonly running: number
  readonly waiting: number
  /** Whether Chromium's own sandbox is on; null before the first start. */
  readonly sandbox: boolean | null
}

interface Wish<T> {
  readonly terms: UseTerms
  readonly work: Work<T>
  /** The clean-up of its attempts. */
  readonly left: Promise<void>[]
}

/** The default number of concurrent pages: two per core. */
const defaultConcurrency = (): number => cpus().length * 2

/** A pool that starts nothing before its first use. */
export function browserPool(options: PoolOptions): BrowserPool {
  const { clock, say } = options
  const from = options.source ?? source(options)
  const most = options.concurrency ?? defaultConcurrency()
  const places = slots(most, spareOf(most))
  const crew = fleet({ launch: from.launch, limits: { ...fleetLimits, ...options.limits }, now: steadyNow, say, gauges })
  const all = rooms(crew, from.contextTunnel)
  const memory = scarcity(steadyNow, options.kills ?? kernelKills)
  /** The running visits, each with its own controller: a signal that outlives them would leak memory for each (Node 20). */
  const visits = new Set<AbortController>()
  const clearing = new Set<Promise<void>>()
  let stopping = false

  /** Returns when the work is done; its clean-up is added to `clearing`. */
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
    const crashed = new PageLost('The browser broke down at the page.')
    if (!again) throw crashed
    // In a browser of its own: if this page caused the crash, it does no harm to others.
    return begin(wish, call, true).catch((error: unknown) => {
      throw error instanceof RoomLost ? crashed : error
    })
  }

  /** Waits for a place, and reports that: otherwise the call's own timer might fire first. */
  async function turn(call: Call, signal: AbortSignal): Promise<() => void> {
    const goOn = call.queue?.begin()
    try {
      const leave = await places.enter({ ...call, signal })
      const leaveLine = await memory.enter({ ...call, signal }).catch((error: unknown) => {
        leave()
        throw error
      })
      return () => {
        leaveLine()
        leave()
      }
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
          return await memory.watch(() => tried({ terms, work, left }, { ...call, signal: limit.signal }))
        } finally {
          // The result is out; the place becomes free when the page is closed.
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
