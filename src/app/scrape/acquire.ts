import { bytesOfActions } from '../../domain/pages/actions.ts'
import type { Call } from '../../domain/call.ts'
import type { Capability, Capture, Engine, Fetched } from '../../domain/pages/capture.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { Plan } from './plan.ts'
import type { CacheShelf, Found, Stale } from './shelf.ts'

/** One try with an engine, for `explain`. */
export interface Attempt {
  readonly engine: string
  readonly outcome: string
  readonly ms: number
  /** Set for the enhanced tier only. */
  readonly proxy?: 'enhanced'
}

/** The tier of this plan as a try names it. */
export const tierOf = ({ order }: Plan): Pick<Attempt, 'proxy'> => (order.tier === 'enhanced' ? { proxy: 'enhanced' } : {})

/** A page that was fetched or came from the cache. */
export interface Acquired {
  readonly capture: Capture
  /** The cache entry that answered; null when the page was fetched. */
  readonly found: Found | null
  /** The cache entry that the site confirmed as current; null if it sent another page, or was not asked. */
  readonly confirmed: Found | null
  readonly consulted: boolean
  readonly tried: readonly Attempt[]
  /** Why this engine, or the cache. */
  readonly reason: string
  /** Warnings about how the page was fetched. */
  readonly warnings: readonly string[]
}

export interface AcquirePorts {
  readonly shelf: CacheShelf | null
  readonly engines: readonly Engine[]
  readonly now: () => number
}

/** Where fetching starts: capabilities known to be needed, why, and what was tried. */
export interface Start {
  readonly needs: readonly Capability[]
  readonly reason: string
  readonly tried: readonly Attempt[]
  /** What the site may confirm as current. */
  readonly stale?: Stale | null
}

/** The cheapest engine that has all of these capabilities. */
export function engineFor(engines: readonly Engine[], needs: Iterable<Capability>): Engine | undefined {
  const wanted = [...needs]
  return [...engines].sort((a, b) => a.cost - b.cost).find((engine) => wanted.every((need) => engine.can.has(need)))
}

/** The memory that a page from a browser takes. */
const sizeOf = ({ body, actions, remembered }: Capture): number => body.length + (actions === undefined ? 0 : bytesOfActions(actions)) + (remembered?.state?.length ?? 0)

const outcomeOf = (fetched: Fetched): string => (fetched.kind === 'captured' ? 'captured' : fetched.kind === 'unmodified' ? 'not modified' : fetched.why)

/**
 * Fetches the page by the cheapest capable engine. An engine may answer that the page needs another capability, or is unchanged. Throws what
 * engines throw, and `SCRAPE_ALL_ENGINES_FAILED` when none is left.
 */
export async function fetchPage(plan: Plan, start: Start, ports: AcquirePorts, call: Call): Promise<Acquired> {
  const needs = new Set(start.needs)
  const tried = [...start.tried]
  const consulted = plan.cache.read !== 'no'
  let { reason, stale = null } = start
  for (let engine = engineFor(ports.engines, needs); engine !== undefined; ) {
    call.signal.throwIfAborted()
    const started = ports.now()
    const unless = engine.name === 'http' ? stale?.validators : undefined
    const fetched = await engine.fetch(unless === undefined ? plan.order : { ...plan.order, unless }, call)
    tried.push({ engine: engine.name, outcome: outcomeOf(fetched), ms: ports.now() - started, ...tierOf(plan) })
    if (fetched.kind === 'unmodified') {
      const confirmed = stale === null || ports.shelf === null ? null : await ports.shelf.confirm(stale, fetched.capture, plan, call)
      if (confirmed !== null) return { capture: confirmed.capture, found: null, confirmed, consulted, tried, reason: consulted ? 'the cached page is not modified' : 'the page is not modified since its last version', warnings: [] }
      stale = null
      continue
    }
    // A browser hands over the whole page at once, so there was no chance to wait for room.
    if (fetched.kind === 'captured' && engine.name === 'browser') call.room?.add(sizeOf(fetched.capture))
    if (fetched.kind === 'captured') return { capture: fetched.capture, found: null, confirmed: null, consulted, tried, reason, warnings: [] }
    for (const need of fetched.needs) needs.add(need)
    reason = fetched.why
    const next = engineFor(ports.engines, needs)
    engine = next === engine ? undefined : next
  }
  throw new ServiceError('SCRAPE_ALL_ENGINES_FAILED', undefined, { details: { tried: tried.map(({ engine, outcome }) => ({ engine, outcome })) } })
}

/** What the cache has for a request: the page, or one too old to answer without asking the site. */
export interface Cached {
  readonly acquired: Acquired | null
  readonly stale: Stale | null
}

/** The page from the cache; null if it must or may be fetched. Throws `SCRAPE_NO_CACHED_DATA` or `SCRAPE_LOCKDOWN_CACHE_MISS` if only the cache may answer. */
export async function fromCache(plan: Plan, { shelf }: AcquirePorts, call: Call): Promise<Cached> {
  const consulted = plan.cache.read !== 'no'
  const kept = consulted && shelf !== null ? await shelf.find(plan, call) : null
  if (kept?.kind === 'found') return { acquired: { capture: kept.capture, found: kept, confirmed: null, consulted, tried: [], reason: 'cached page of the wanted age', warnings: [] }, stale: null }
  if (plan.cache.read === 'only') throw new ServiceError(plan.cache.missCode)
  return { acquired: null, stale: kept }
}
