import type { Call } from '../../domain/call.ts'
import type { Capability, Capture, Engine } from '../../domain/capture.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { CacheShelf, Found } from './shelf.ts'
import type { Plan } from './plan.ts'

/** One engine that was tried, for `explain`. */
export interface Attempt {
  readonly engine: string
  readonly outcome: string
  readonly ms: number
}

/** A page that was brought home, or taken from the cache. */
export interface Acquired {
  readonly capture: Capture
  /** The cache entry that answered; null when the page was fetched. */
  readonly found: Found | null
  readonly consulted: boolean
  readonly tried: readonly Attempt[]
  /** Why this engine, or the cache. */
  readonly reason: string
}

export interface AcquirePorts {
  readonly shelf: CacheShelf | null
  readonly engines: readonly Engine[]
  readonly now: () => number
}

/** Tries engines cheapest first; an engine may answer that the page needs more than it can do. */
async function fetchPage(plan: Plan, ports: AcquirePorts, call: Call): Promise<{ capture: Capture; tried: Attempt[]; reason: string }> {
  const needs = new Set<Capability>()
  const tried: Attempt[] = []
  let reason = 'cheapest engine that can'
  for (const engine of [...ports.engines].sort((a, b) => a.cost - b.cost)) {
    if (![...needs].every((need) => engine.can.has(need))) continue
    call.signal.throwIfAborted()
    const started = ports.now()
    const verdict = await engine.fetch(plan.order, call)
    tried.push({ engine: engine.name, outcome: verdict.kind === 'captured' ? 'captured' : verdict.why, ms: ports.now() - started })
    if (verdict.kind === 'captured') return { capture: verdict.capture, tried, reason }
    for (const need of verdict.needs) needs.add(need)
    reason = verdict.why
  }
  throw new ServiceError('SCRAPE_ALL_ENGINES_FAILED', undefined, { details: { tried: tried.map(({ engine, outcome }) => ({ engine, outcome })) } })
}

/**
 * Brings the page home: from the cache where the plan allows it, else by an engine.
 * Throws `SCRAPE_NO_CACHED_DATA` or `SCRAPE_LOCKDOWN_CACHE_MISS` where only the cache may answer, and what engines throw.
 */
export async function acquire(plan: Plan, ports: AcquirePorts, call: Call): Promise<Acquired> {
  const consulted = plan.cache.read !== 'no'
  const found = consulted && ports.shelf !== null ? await ports.shelf.find(plan, call) : null
  if (found !== null) return { capture: found.capture, found, consulted, tried: [], reason: 'cached page of the wanted age' }
  if (plan.cache.read === 'only') throw new ServiceError(plan.cache.missCode)
  return { ...(await fetchPage(plan, ports, call)), found: null, consulted }
}
