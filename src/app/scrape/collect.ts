import type { Call } from '../../domain/call.ts'
import type { Capability } from '../../domain/capture.ts'
import type { Compute } from '../../domain/derivation.ts'
import type { DocumentParser } from '../../domain/document.ts'
import { canLearnHttp, type EngineLesson, expectsBrowser, learned, pathShape } from '../../domain/engine-memory.ts'
import { LedAstray, ServiceError } from '../../domain/errors.ts'
import type { Model } from '../../domain/model.ts'
import type { PdfParser } from '../../domain/pdf.ts'
import type { Blobs, LessonKey, Lessons } from '../../domain/ports.ts'
import type { Profiles } from '../../domain/profiles.ts'
import type { Version, Versions } from '../../domain/versions.ts'
import { failureWorthAnother, lacksCountry, type ProxyTier, refusalOf, type Upstream } from '../../domain/proxies.ts'
import type { Analyse } from '../../formats/analysis/index.ts'
import { inherited, recheckOf, versionKey } from '../changes/previous.ts'
import type { Learning } from '../meaning/asking.ts'
import { withMeaning } from '../meaning/index.ts'
import { type Acquired, type AcquirePorts, type Attempt, engineFor, fetchPage, fromCache, type Start, tierOf } from './acquire.ts'
import { derive } from './derive.ts'
import type { Packed } from './packed.ts'
import type { Plan } from './plan.ts'
import { withProfile } from './profile.ts'
import type { Stale } from './shelf.ts'
import type { AtWall, Walls } from './walls.ts'
import { timeLeft, within } from '../../lib/deadline.ts'

/** What fetching and reading need. */
export interface PagePorts extends AcquirePorts {
  readonly compute: Compute
  readonly pdf: PdfParser
  readonly documents: DocumentParser
  readonly features: ReadonlySet<Capability>
  /** The language model of the settings, where there is one. */
  readonly model?: Model | null
  readonly analyse: Analyse
  /** What was learned from the answers of models; null where nothing is to be. */
  readonly learned?: Pick<Learning, 'templates' | 'turns'> | null
  /** What was learned about hosts; null where nothing is to be remembered. */
  readonly lessons: Lessons | null
  /** What is known of walls before the pages of jobs; absent where nothing is to be. */
  readonly walls?: Walls
  /** Versions of tracked pages; absent where nothing is tracked. */
  readonly versions?: Versions
  readonly blobs?: Pick<Blobs, 'get'>
  /** The proxies that pages are fetched through; an empty list is no pool. */
  readonly pools: Readonly<Record<ProxyTier, readonly Pick<Upstream, 'country'>[]>>
  /** Sets aside what the enhanced tier costs on top; false where the credits do not reach that far. */
  readonly afford?: () => Promise<boolean>
  /** Where profiles are kept; absent where there are none. */
  readonly profiles?: Profiles
  /** Takes work that nobody waits for; it is finished before the process stops. */
  readonly background: (work: Promise<unknown>) => void
}

/** A page that came home, and what was made of it. */
export interface Collected {
  readonly acquired: Acquired
  readonly page: Packed
}

/** What an answer takes after the page is there; kept back when a second engine is tried. */
const answerMs = 750

/** What was learned about pages like this one. */
interface Memory {
  readonly key: LessonKey
  readonly lesson: EngineLesson | null
}

/** Null where there is nothing to choose, or nothing may be remembered. */
async function recall(plan: Plan, ports: PagePorts, call: Call): Promise<Memory | null> {
  if (ports.lessons === null || plan.retention === 'zero' || plan.needs.length > 0 || !ports.features.has('javascript')) return null
  const url = new URL(plan.order.url)
  const key: LessonKey = { team: call.team, host: url.host, shape: pathShape(url) }
  return { key, lesson: await ports.lessons.recall(key) }
}

function note(memory: Memory | null, lesson: EngineLesson, { lessons, background }: PagePorts): void {
  if (memory !== null && lessons !== null) background(lessons.note(memory.key, lesson))
}

function startOf({ plan, wall }: Task, memory: Memory | null, now: number): Start {
  if (plan.needs.length > 0) return { needs: plan.needs, reason: `asked for: ${plan.needs.join(', ')}`, tried: [] }
  if (memory !== null && wall?.stands() !== true && expectsBrowser(memory.lesson, now)) return { needs: ['javascript'], reason: 'pages like this one needed a browser', tried: [] }
  return { needs: [], reason: 'plain HTTP comes first', tried: [] }
}

/** The call with less time: what is left after it suffices for an answer from what is there already. */
function shorter(call: Call, now: number): Call {
  const left = timeLeft(call, now) - answerMs
  if (left <= 0) throw new ServiceError('SCRAPE_TIMEOUT')
  return { ...call, deadline: call.deadline - answerMs, signal: within(call, left) }
}

const read = async (acquired: Acquired, plan: Plan, ports: PagePorts, call: Call): Promise<Collected> => ({
  acquired,
  page: (acquired.found ?? acquired.confirmed)?.memo?.page ?? (await derive(acquired.capture, plan, ports, call)),
})

/** Renders a page that is not all there; where that fails, the page as it was fetched is better than none. */
async function rendered(before: Collected, why: string, plan: Plan, ports: PagePorts, call: Call): Promise<Collected> {
  const started = ports.now()
  try {
    const sub = shorter(call, started)
    const start: Start = { needs: [...plan.needs, 'javascript'], reason: why, tried: [...before.acquired.tried.slice(0, -1), ...before.acquired.tried.slice(-1).map((last) => ({ ...last, outcome: why }))] }
    return await read(await fetchPage(plan, start, ports, sub), plan, ports, sub)
  } catch (error) {
    call.signal.throwIfAborted()
    if (error instanceof LedAstray) throw error
    const code = error instanceof ServiceError ? error.code : 'UNKNOWN_ERROR'
    call.log('rendering-failed', { code, why })
    const missing = code === 'BROWSER_NOT_CONFIGURED' ? 'no browser is set up (trawl setup browser)' : `rendering it failed (${code})`
    const tried = [...before.acquired.tried, { engine: 'browser', outcome: code, ms: ports.now() - started, ...tierOf(plan) }]
    return { ...before, acquired: { ...before.acquired, tried, warnings: [`The page may not be complete: ${why}, and ${missing}.`] } }
  }
}

/** What is to be fetched, and from where it goes on when something was tried before. */
interface Task {
  readonly plan: Plan
  readonly start?: Start
  /** What the cache has of it that is too old. */
  readonly stale?: Stale | null
  /** The wall that may stand before it. */
  readonly wall?: AtWall
}

/** Why a page is not all there as it was fetched; null when it is. Where links are followed, what a page sends browsers to is one of them. */
function missingPart({ page: { facts } }: Collected, { derive: { discover, explore } }: Plan): string | null {
  if (facts.scriptDemand !== null || discover === true || explore === true) return facts.scriptDemand
  return facts.leadsOn !== undefined ? 'the page sends its visitors on' : null
}

/** Whether a page that is refused is to be tried by browser. Who has waited to learn it for as long as there was time keeps what there is. */
async function mayTry(wall: AtWall | undefined, now: () => number, call: Call): Promise<boolean> {
  try {
    return wall === undefined || (await wall.mayTry(within(call, Math.max(0, timeLeft(call, now()) - answerMs))))
  } catch {
    call.signal.throwIfAborted()
    return false
  }
}

/** Fetches the page by the engine that it needs, and keeps in mind which that was. */
async function fetched(task: Task, ports: PagePorts, call: Call): Promise<Collected> {
  const { plan, start, stale = null, wall } = task
  const memory = await recall(plan, ports, call)
  const lesson = memory?.lesson ?? null
  const first = await read(await fetchPage(plan, { ...(start ?? startOf(task, memory, ports.now())), stale }, ports, call), plan, ports, call)
  const why = first.acquired.capture.engine === 'http' ? missingPart(first, plan) : null
  if (first.acquired.capture.engine === 'browser') {
    if (lesson !== null) note(memory, { ...lesson, uses: lesson.uses + 1 }, ports)
    return first
  }
  if (first.page.facts.verdict === 'challenge' && !(await mayTry(wall, ports.now, call))) return first
  // Where proxies of the enhanced tier come next, a challenge is their business: rendering it here would only cost time.
  if (plan.escalates && ports.pools.enhanced.length > 0 && first.page.facts.verdict === 'challenge') return first
  if (why === null || engineFor(ports.engines, ['javascript']) === undefined) {
    if (canLearnHttp(lesson)) note(memory, learned(lesson, 'http', ports.now()), ports)
    return first
  }
  const second = await rendered(first, why, plan, ports, call)
  const helped = second.acquired.capture.engine === 'browser' && second.page.facts.verdict !== 'empty' && second.page.facts.verdict !== 'challenge'
  if (helped) note(memory, learned(lesson, 'browser', ports.now()), ports)
  // A wall that draws nothing is a wall all the same.
  const silent = first.page.facts.verdict === 'challenge' && second.page.facts.verdict === 'empty'
  return silent ? { ...first, acquired: { ...first.acquired, tried: second.acquired.tried } } : second
}

/** A page that one tier brought, or what it failed by; and what was tried. */
interface Turn {
  readonly page: Collected | null
  readonly error?: unknown
  readonly tried: readonly Attempt[]
}

/** One tier's attempt at the page, with its failure as a value. Throws only when the caller's time is up, or the page leads where it may not. */
async function turn(task: Task, ports: PagePorts, call: Call): Promise<Turn> {
  const began = ports.now()
  try {
    const page = await fetched(task, ports, call)
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

/** Tries the page once more in the enhanced tier; without a page where that does not bring it either. */
async function enhanced({ plan, why, tried }: { readonly plan: Plan; readonly why: string; readonly tried: readonly Attempt[] }, ports: PagePorts, call: Call): Promise<Turn> {
  const needs = [...plan.needs, 'enhanced-proxy' as const] // a literal of the union
  const again: Plan = { ...plan, needs, order: { ...plan.order, tier: 'enhanced' } }
  const second = await turn({ plan: again, start: { needs, reason: `${why}: the enhanced tier`, tried } }, ports, call)
  const fault = second.page === null ? null : (refusal(second.page) ?? (second.page.page.facts.verdict === 'empty' ? 'the page is empty' : null))
  call.log('enhanced', { why, outcome: fault ?? second.tried.at(-1)?.outcome })
  return fault === null ? second : { page: null, tried: [...second.tried.slice(0, -1), ...second.tried.slice(-1).map((last) => ({ ...last, outcome: fault }))] }
}

/** Whether the enhanced tier may get another answer though it has no proxies: a browser where none was asked, or one whose scripts cannot tell. */
function mayDiffer({ page, tried }: Turn): boolean {
  const last = tried.at(-1)
  return last?.engine !== 'browser' || (last.outcome === 'captured' && page?.page.facts.verdict === 'challenge')
}

/** The page by the tier of its plan. Where the caller leaves the choice to us, what the basic tier does not get is tried once more in the enhanced one; what came first stands when that fails. */
async function fetchedInTiers(task: Task, ports: PagePorts, call: Call): Promise<Collected> {
  const { plan } = task
  if (!plan.escalates) return fetched(task, ports, call)
  const first = await turn(task, ports, call)
  const ownProxies = ports.pools.enhanced.length > 0
  const why = first.page === null ? failureWorthAnother(first.error, ownProxies) : refusal(first.page)
  if (first.page !== null && why !== null && !(await mayTry(task.wall, ports.now, call))) return first.page
  const second = why === null || !(ownProxies || mayDiffer(first)) || (await ports.afford?.()) === false ? null : await secondTurn({ plan, why, tried: first.tried }, ports, call)
  if (second?.page) return second.page
  if (first.page === null) throw first.error
  return second === null ? first.page : { ...first.page, acquired: { ...first.page.acquired, tried: second.tried } }
}

const yielded = 'The browser was not tried, since the site had refused the pages of this job before it in the browser too.'

/** The page; where the site has refused those of the same job before it in the browser too, as the wall shows it. */
async function fetchedAtWall(task: Task, ports: PagePorts, call: Call): Promise<Collected> {
  const { wall: name } = task.plan
  if (name === undefined || ports.walls === undefined) return fetchedInTiers(task, ports, call)
  const wall = ports.walls.approach(name)
  let refused: boolean | null = null
  try {
    const page = await fetchedInTiers({ ...task, wall }, ports, call)
    const { acquired } = page
    const why = refusal(page)
    // A browser that failed has not met the wall.
    if (acquired.tried.some(({ engine, outcome }) => engine === 'browser' && (outcome === 'captured' || outcome === why))) refused = why !== null
    return why === null || !wall.left() ? page : { ...page, acquired: { ...acquired, warnings: [...acquired.warnings, yielded] } }
  } finally {
    wall.end(refused)
  }
}

/** The enhanced try within what time there is; null where there is none, or it is used up. */
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

/** What the caller is told who wanted a page from a country that no proxy is in. */
function countryWarnings({ order }: Plan, { pools }: PagePorts, { acquired }: Collected): readonly string[] {
  const pool = acquired.capture.proxy === 'enhanced' && pools.enhanced.length > 0 ? pools.enhanced : pools.basic
  return lacksCountry(pool, order.country) ? [`No proxy of that country (${order.country}) is configured; the page was fetched from elsewhere.`] : []
}

/** The version before of a tracked page; null where there is none, or it is not tracked. */
async function versionBefore({ tracking, request }: Plan, { versions }: PagePorts, call: Call): Promise<Version | null> {
  return tracking === null || versions === undefined ? null : versions.latest(versionKey(call.team, request.url, tracking.tag), '')
}

/** Has the model do its part; of a tracked page whose text is that of the version before it is not asked for the fields again. */
async function meant({ acquired: { capture }, page }: Collected, plan: Plan, before: Version | null, ports: PagePorts, call: Call): Promise<Packed> {
  const { model, analyse, learned: kept = null, versions, blobs, now } = ports
  if (!model || page.facts.material === undefined) return page
  const tracked = before === null || versions === undefined || blobs === undefined ? null : await inherited(page, before, plan, { ...ports, versions, blobs }, call)
  const learning = kept === null || plan.learns !== true || plan.retention === 'zero' ? null : { ...kept, capture, read: plan.derive.read, now }
  return withMeaning(tracked === null ? page : { ...page, facts: { ...page.facts, tracked } }, plan.derive, { model, analyse, learning, now }, call)
}

/**
 * Brings a page home and reads it, leaving nothing behind but what was learned about its host.
 * Throws what engines and readers throw, and `SCRAPE_SITE_ERROR` under `strict` when it is not the page asked for.
 */
export async function collect(plan: Plan, ports: PagePorts, call: Call): Promise<Collected> {
  const { acquired, stale } = await fromCache(plan, ports, call)
  const before = await versionBefore(plan, ports, call)
  const known = stale ?? (before && recheckOf(before, plan))
  const collected = acquired === null ? await withProfile({ plan, work: (own) => fetchedAtWall({ plan: own, stale: known }, ports, call) }, ports.profiles, call) : await read(acquired, plan, ports, call)
  const { verdict } = collected.page.facts
  if (plan.request.strict && verdict !== 'ok') {
    throw new ServiceError('SCRAPE_SITE_ERROR', `The site did not give the page asked for (${verdict}).`, { details: { verdict } })
  }
  const warnings = countryWarnings(plan, ports, collected)
  const page = { ...collected.page, ...(await meant(collected, plan, before, ports, call)) }
  return { page, acquired: { ...collected.acquired, warnings: [...collected.acquired.warnings, ...warnings] } }
}
