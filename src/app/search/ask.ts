import type { Call } from '../../domain/call.ts'
import { ServiceError } from '../../domain/errors.ts'
import { type Found, faultReasons, ProviderFault, type SearchProvider } from '../../domain/search/search.ts'
import { anySignal } from '../../lib/any-signal.ts'
import { timeLimit } from '../../lib/deadline.ts'
import { own, searchOwn } from './own.ts'
import type { SourcePlan } from './plan.ts'
import type { SearchPorts } from './ports.ts'
import { sifted, unmet } from './sift.ts'

/** The longest that one provider may take, and never more than half of what is left: another may be needed. */
const longestMs = 15_000
/** More results are requested than wanted, since some are filtered out. */
const overfetch = 2
const maxAsked = 100

/** The results of one source. */
export interface Sourced {
  readonly found: readonly Found[]
  readonly warnings: readonly string[]
  /** Providers were asked, and none answered. */
  readonly failed: boolean
}

/** A provider given less time than this is not to blame for being late: all teams share its record. */
const fairMs = 5_000

const timeFor = (call: Call, now: number): number => Math.max(1, Math.min(longestMs, (call.deadline - now) / 2))

async function askOne(provider: SearchProvider, plan: SourcePlan, timeMs: number, call: Call): Promise<readonly Found[]> {
  const signal = anySignal(call.signal, timeLimit(timeMs))
  const late = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new ProviderFault('late')), { once: true }))
  late.catch(() => undefined)
  return await Promise.race([provider.search({ ...plan, limit: Math.min(maxAsked, plan.limit * overfetch) }, { ...call, signal }), late])
}

/** The providers to ask for this source; if only few support what is asked, only these. */
function candidates(plan: SourcePlan, { providers }: SearchPorts): readonly SearchProvider[] {
  const able = providers.filter(({ sources }) => sources.has(plan.source))
  return plan.query.related === null ? able : able.filter(({ knows }) => knows.has('related'))
}

async function asked(plan: SourcePlan, ignoreInvalid: boolean, ports: SearchPorts, call: Call): Promise<Sourced> {
  const able = candidates(plan, ports)
  const warnings = ports.health.suspended(able).map(({ name }) => `The search provider ${name} is left alone for now, because it failed before.`)
  for (const provider of ports.health.order(able)) {
    const timeMs = timeFor(call, ports.now())
    const answer = (all: readonly Found[]): Sourced => {
      const found = sifted(all, plan, { knows: provider.knows, ignoreInvalid })
      return { found: found.slice(0, plan.limit), warnings: [...warnings, ...unmet(plan, provider)], failed: false }
    }
    try {
      const all = await askOne(provider, plan, timeMs, call)
      ports.health.succeeded(provider.name)
      return answer(all)
    } catch (error) {
      call.signal.throwIfAborted()
      const fault = error instanceof ProviderFault ? error : new ProviderFault('broken')
      if (!(error instanceof ProviderFault)) call.log('search-provider-broke', { provider: provider.name, reason: String(error) })
      const { reason, waitMs } = fault
      if (reason !== 'unfit' && !(reason === 'late' && timeMs < fairMs)) ports.health.failed(provider.name, { reason, waitMs })
      call.log('search-provider-failed', { provider: provider.name, reason: fault.reason })
      warnings.push(`The search provider ${provider.name} failed: ${faultReasons[fault.reason]}.`)
      // Its partial results are worth more than what another provider may give.
      if (fault.found.length > 0) return answer(fault.found)
    }
  }
  return { found: [], warnings, failed: able.length > 0 }
}

/** The results of one source from the first provider that answers, filled up from our index if too few. Throws the signal's reason. */
export async function sourced(plan: SourcePlan, ignoreInvalid: boolean, ports: SearchPorts, call: Call): Promise<Sourced> {
  const first = await asked(plan, ignoreInvalid, ports, call)
  if (first.found.length >= plan.limit) return first
  const alone = first.found.length === 0
  const chosen = (pages: readonly Found[]): readonly Found[] => sifted([...first.found, ...pages], plan, { knows: own.knows, ignoreInvalid }).slice(0, plan.limit)
  const { found, leftOut } = await searchOwn(plan, { loose: alone, chosen }, ports, call)
  const used = found.length > first.found.length
  return {
    found,
    warnings: [
      ...first.warnings,
      ...(used && first.failed ? ['The results are those of our own index: pages that this team has scraped.'] : []),
      ...(used ? unmet(plan, own) : []),
      ...(used && plan.byDate && !alone ? ['tbs (sbd:1): the pages of our own index come after those of the provider, whatever their dates.'] : []),
      ...(leftOut > 0 ? [`${leftOut} pages that this team has scraped are too large, or too many, to be looked into for quoted words or pictures, and are left out.`] : []),
      ...(alone && plan.query.related !== null && found.length === 0 ? ['related: finds pages like one that this team has scraped; that page is not among them, or none is like it.'] : []),
      ...(found.length === 0 && !first.failed && candidates(plan, ports).length === 0 && plan.query.related === null ? [`No search provider for ${plan.source} is configured (TRAWL_SEARCH_PROVIDERS): only pages that this team has scraped are searched, and none fits.`] : []),
    ],
    failed: first.failed,
  }
}

/** Throws `SEARCH_FAILED`, naming the providers, if none answered for any source and our index has nothing: an empty answer would claim that there is nothing. */
export function assertAnswered(all: readonly Sourced[]): void {
  if (!all.every(({ failed, found }) => failed && found.length === 0)) return
  const reasons = [...new Set(all.flatMap(({ warnings }) => warnings))]
  // Most tools show only the message.
  throw new ServiceError('SEARCH_FAILED', `Nothing was searched but the pages that this team has scraped, and none fits. ${reasons.join(' ')}`, { details: { reasons } })
}
