import type { Call } from '../../domain/call.ts'
import { LedAstray, ServiceError } from '../../domain/errors.ts'
import { failureWorthAnother, refusalOf } from '../../domain/fetching/proxies.ts'
import { type Attempt, engineFor, tierOf } from './acquire.ts'
import type { Plan } from './plan.ts'
import type { Collected, PagePorts } from './ports.ts'
import { fetchedByEngine, mayTry, shorter, type Task } from './which-engine.ts'

/** The page that one tier brought, or its failure, with the tries made. */
interface Turn {
  readonly page: Collected | null
  readonly error?: unknown
  readonly tried: readonly Attempt[]
}

/** One tier's try at the page, with its failure as a value. Throws only if the caller's time is up, or the page leads where it may not. */
async function turn(task: Task, ports: PagePorts, call: Call): Promise<Turn> {
  const began = ports.now()
  try {
    const page = await fetchedByEngine(task, ports, call)
    return { page, tried: page.acquired.tried }
  } catch (error) {
    call.signal.throwIfAborted()
    if (error instanceof LedAstray) throw error
    const engine = engineFor(ports.engines, task.start?.needs ?? task.plan.needs)?.name ?? 'http'
    const outcome = error instanceof ServiceError ? error.code : 'UNKNOWN_ERROR'
    return { page: null, error, tried: [...(task.start?.tried ?? []), { engine, outcome, ms: ports.now() - began, ...tierOf(task.plan) }] }
  }
}

const refusal = ({ acquired: { capture }, page }: Collected): string | null => refusalOf({ ...capture, verdict: page.facts.verdict })

/** Tries the page again in the enhanced tier; no page if that fails too. */
async function enhanced({ plan, why, tried }: { readonly plan: Plan; readonly why: string; readonly tried: readonly Attempt[] }, ports: PagePorts, call: Call): Promise<Turn> {
  const needs = [...plan.needs, 'enhanced-proxy' as const] // a literal of the union
  const again: Plan = { ...plan, needs, order: { ...plan.order, tier: 'enhanced' } }
  const second = await turn({ plan: again, start: { needs, reason: `${why}: the enhanced tier`, tried } }, ports, call)
  const fault = second.page === null ? null : (refusal(second.page) ?? (second.page.page.facts.verdict === 'empty' ? 'the page is empty' : null))
  call.log('enhanced', { why, outcome: fault ?? second.tried.at(-1)?.outcome })
  return fault === null ? second : { page: null, tried: [...second.tried.slice(0, -1), ...second.tried.slice(-1).map((last) => ({ ...last, outcome: fault }))] }
}

/** Whether the enhanced tier may do better even without proxies: by a browser where none was used, or one whose scripts cannot be detected. */
function mayDiffer({ page, tried }: Turn): boolean {
  const last = tried.at(-1)
  return last?.engine !== 'browser' || (last.outcome === 'captured' && page?.page.facts.verdict === 'challenge')
}

/** The enhanced try in the time that is left; null if there is none. */
async function secondTurn(of: Parameters<typeof enhanced>[0], ports: PagePorts, call: Call): Promise<Turn | null> {
  try {
    return await enhanced(of, ports, shorter(call, ports.now()))
  } catch (error) {
    call.signal.throwIfAborted()
    if (error instanceof LedAstray) throw error
    call.log('enhanced', { why: of.why, outcome: error instanceof ServiceError ? error.code : 'UNKNOWN_ERROR' })
    return null
  }
}

const unpaid = 'The enhanced tier was not tried: the credits do not cover it.'

const warned = (page: Collected, warning: string): Collected => ({ ...page, acquired: { ...page.acquired, warnings: [...page.acquired.warnings, warning] } })

/** The page in the tier of its plan. If the choice is ours, a page that the basic tier does not get is tried once in the enhanced one; the first outcome stands if that fails. */
async function fetchedInTiers(task: Task, ports: PagePorts, call: Call): Promise<Collected> {
  const { plan } = task
  if (!plan.escalates) return fetchedByEngine(task, ports, call)
  const first = await turn(task, ports, call)
  const ownProxies = ports.pools.enhanced.length > 0
  const why = first.page === null ? failureWorthAnother(first.error, ownProxies) : refusal(first.page)
  if (first.page !== null && why !== null && !(await mayTry(task.wall, ports.now, call))) return first.page
  const hopeful = why !== null && (ownProxies || mayDiffer(first))
  const dear = hopeful && (await ports.afford?.()) === false
  const second = hopeful && !dear ? await secondTurn({ plan, why, tried: first.tried }, ports, call) : null
  if (second?.page) return second.page
  if (first.page === null) throw first.error
  if (dear) return warned(first.page, unpaid)
  return second === null ? first.page : { ...first.page, acquired: { ...first.page.acquired, tried: second.tried } }
}

const yielded = 'The browser was not tried, since the site had refused the pages of this job before it in the browser too.'

/** Fetches and reads the page by the engine and in the tier that it needs. Skips what the site has refused to earlier pages of the same job, in a browser too. Throws what `fetchedByEngine` throws. */
export async function fetchedAtWall(task: Task, ports: PagePorts, call: Call): Promise<Collected> {
  const { wall: name } = task.plan
  if (name === undefined || ports.walls === undefined) return fetchedInTiers(task, ports, call)
  const wall = ports.walls.approach(name)
  let refused: boolean | null = null
  try {
    const page = await fetchedInTiers({ ...task, wall }, ports, call)
    const { acquired } = page
    const why = refusal(page)
    // A browser that failed has not tested the wall.
    if (acquired.tried.some(({ engine, outcome }) => engine === 'browser' && (outcome === 'captured' || outcome === why))) refused = why !== null
    return why === null || !wall.left() ? page : warned(page, yielded)
  } finally {
    wall.end(refused)
  }
}
