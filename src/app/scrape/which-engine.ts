import type { Call } from '../../domain/call.ts'
import { canLearnHttp, type EngineLesson, expectsBrowser, learned, type LessonKey, pathShape } from '../../domain/fetching/engine-memory.ts'
import { LedAstray, ServiceError } from '../../domain/errors.ts'
import { timeLeft, within } from '../../lib/deadline.ts'
import { type Acquired, engineFor, fetchPage, type Start, tierOf } from './acquire.ts'
import { derive } from './derive.ts'
import type { Plan } from './plan.ts'
import type { Collected, PagePorts } from './ports.ts'
import type { Stale } from './shelf.ts'
import type { AtWall } from './walls.ts'

/** The time that answering takes once the page is there; reserved when a second engine is tried. */
const answerMs = 750

/** What was learned about pages like this one. */
interface Memory {
  readonly key: LessonKey
  readonly lesson: EngineLesson | null
}

/** Null if there is no choice, or nothing may be remembered. */
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

/** The call with less time, so that enough is left to answer from what is there already. */
export function shorter(call: Call, now: number): Call {
  const left = timeLeft(call, now) - answerMs
  if (left <= 0) throw new ServiceError('SCRAPE_TIMEOUT')
  return { ...call, deadline: call.deadline - answerMs, signal: within(call, left) }
}

/** Makes the formats of the plan from an acquired page; cached ones may come ready made. Throws what `derive` throws. */
export const read = async (acquired: Acquired, plan: Plan, ports: PagePorts, call: Call): Promise<Collected> => ({
  acquired,
  page: (acquired.found ?? acquired.confirmed)?.memo?.page ?? (await derive(acquired.capture, plan, ports, call)),
})

/** Renders an incomplete page; if that fails, the page as fetched is better than none. */
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

/** What to fetch, and where to continue if something was tried already. */
export interface Task {
  readonly plan: Plan
  readonly start?: Start
  /** The cache entry that is too old. */
  readonly stale?: Stale | null
  /** The wall that may stand before the page. */
  readonly wall?: AtWall
}

/** Why the page as fetched is incomplete; null if it is complete. Where links are followed, a script redirect counts as a link. */
function missingPart({ page: { facts } }: Collected, { derive: { discover, explore } }: Plan): string | null {
  if (facts.scriptDemand !== null || discover === true || explore === true) return facts.scriptDemand
  return facts.leadsOn !== undefined ? 'the page sends its visitors on' : null
}

/** Whether to try a refused page by browser. A page that has waited for that answer until its time was up keeps what it has. */
export async function mayTry(wall: AtWall | undefined, now: () => number, call: Call): Promise<boolean> {
  try {
    return wall === undefined || (await wall.mayTry(within(call, Math.max(0, timeLeft(call, now()) - answerMs))))
  } catch {
    call.signal.throwIfAborted()
    return false
  }
}

/**
 * Fetches and reads the page by the engine that it needs: plain HTTP first, the browser if the plan, the lessons about the site or the page
 * itself ask for it. Remembers which it was. Throws what engines and readers throw.
 */
export async function fetchedByEngine(task: Task, ports: PagePorts, call: Call): Promise<Collected> {
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
  // If proxies of the enhanced tier come next, leave a challenge to them: rendering it here only costs time.
  if (plan.escalates && ports.pools.enhanced.length > 0 && first.page.facts.verdict === 'challenge') return first
  if (why === null || engineFor(ports.engines, ['javascript']) === undefined) {
    if (canLearnHttp(lesson)) note(memory, learned(lesson, 'http', ports.now()), ports)
    return first
  }
  const second = await rendered(first, why, plan, ports, call)
  const helped = second.acquired.capture.engine === 'browser' && second.page.facts.verdict !== 'empty' && second.page.facts.verdict !== 'challenge'
  if (helped) note(memory, learned(lesson, 'browser', ports.now()), ports)
  // A wall without content is still a wall.
  const silent = first.page.facts.verdict === 'challenge' && second.page.facts.verdict === 'empty'
  return silent ? { ...first, acquired: { ...first.acquired, tried: second.acquired.tried } } : second
}
