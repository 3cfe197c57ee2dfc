import type { Call } from '../../domain/call.ts'
import type { Capability, Capture, Engine } from '../../domain/capture.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { Plan } from './plan.ts'
import type { CacheShelf, Found } from './shelf.ts'

/** One engine that was tried, for `explain`. */
export interface Attempt {
  readonly engine: string
  readonly outcome: string
  readonly ms: number
  /** Said of the enhanced tier only. */
  readonly proxy?: 'enhanced'
}

/** How an attempt of this plan names its tier. */
export const tierOf = ({ order }: Plan): Pick<Attempt, 'proxy'> => (order.tier === 'enhanced' ? { proxy: 'enhanced' } : {})

/** A page that was brought home, or taken from the cache. */
export interface Acquired {
  readonly capture: Capture
  /** The cache entry that answered; null when the page was fetched. */
  readonly found: Found | null
  readonly consulted: boolean
  readonly tried: readonly Attempt[]
  /** Why this engine, or the cache. */
  readonly reason: string
  /** What the caller is to be told about how the page was fetched. */
  readonly warnings: readonly string[]
}

export interface AcquirePorts {
  readonly shelf: CacheShelf | null
  readonly engines: readonly Engine[]
  readonly now: () => number
}

/** What fetching starts from: what is known to be needed, why, and what was tried already. */
export interface Start {
  readonly needs: readonly Capability[]
  readonly reason: string
  readonly tried: readonly Attempt[]
}

/** The cheapest engine that can all of this. */
export function engineFor(engines: readonly Engine[], needs: Iterable<Capability>): Engine | undefined {
  const wanted = [...needs]
  return [...engines].sort((a, b) => a.cost - b.cost).find((engine) => wanted.every((need) => engine.can.has(need)))
}

/**
 * Fetches the page by the cheapest engine that can; an engine may answer that the page needs more than it can do.
 * Throws what engines throw, and `SCRAPE_ALL_ENGINES_FAILED` when none is left.
 */
export async function fetchPage(plan: Plan, start: Start, ports: AcquirePorts, call: Call): Promise<Acquired> {
  const needs = new Set(start.needs)
  const tried = [...start.tried]
  let { reason } = start
  for (let engine = engineFor(ports.engines, needs); engine !== undefined; ) {
    call.signal.throwIfAborted()
    const started = ports.now()
    const verdict = await engine.fetch(plan.order, call)
    tried.push({ engine: engine.name, outcome: verdict.kind === 'captured' ? 'captured' : verdict.why, ms: ports.now() - started, ...tierOf(plan) })
    // What a browser hands over is there at once: nobody could have waited for it.
    if (verdict.kind === 'captured' && engine.name === 'browser') call.room?.add(verdict.capture.body.length)
    if (verdict.kind === 'captured') return { capture: verdict.capture, found: null, consulted: plan.cache.read !== 'no', tried, reason, warnings: [] }
    for (const need of verdict.needs) needs.add(need)
    reason = verdict.why
    const next = engineFor(ports.engines, needs)
    engine = next === engine ? undefined : next
  }
  throw new ServiceError('SCRAPE_ALL_ENGINES_FAILED', undefined, { details: { tried: tried.map(({ engine, outcome }) => ({ engine, outcome })) } })
}

/** The page from the cache; null when it must or may be fetched. Throws `SCRAPE_NO_CACHED_DATA` or `SCRAPE_LOCKDOWN_CACHE_MISS` where only the cache may answer. */
export async function fromCache(plan: Plan, { shelf }: AcquirePorts, call: Call): Promise<Acquired | null> {
  const consulted = plan.cache.read !== 'no'
  const found = consulted && shelf !== null ? await shelf.find(plan, call) : null
  if (found !== null) return { capture: found.capture, found, consulted, tried: [], reason: 'cached page of the wanted age', warnings: [] }
  if (plan.cache.read === 'only') throw new ServiceError(plan.cache.missCode)
  return null
}
