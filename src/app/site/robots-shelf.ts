import { allowAll, disallowAll, maxRobotsBytes, parseRobots, type Robots, robotsAccess } from '../../content/robots.ts'
import type { Call } from '../../domain/call.ts'
import { header } from '../../domain/capture.ts'
import { EndlessRedirects, ServiceError } from '../../domain/errors.ts'
import { untilAborted } from '../../lib/deadline.ts'
import { retryAfter } from '../../domain/politeness.ts'
import type { ProxyChoice } from '../../domain/fetcher.ts'
import { fetchedOnceMore } from './once-more.ts'
import type { SitePorts } from './ports.ts'

/** What a host says to crawlers; `unreachable` is why its robots.txt could not be asked for. */
export interface HostRules {
  readonly robots: Robots
  readonly unreachable: unknown
  /** The status with which its robots.txt could not be had for now: what the host allows is not known. */
  readonly failing?: number
  /** In how many milliseconds it says that it can be had again; absent where it does not. */
  readonly againInMs?: number
  /** Where it answered from, which may be another host; absent where it did not. */
  readonly at?: string
}

/** How rules are asked for. */
export interface RobotsTerms {
  /** That of the pages: a site may answer one way and not another. */
  readonly way?: ProxyChoice | undefined
  /** Whatever is known. */
  readonly anew?: boolean | undefined
}

/** The rules of hosts, kept for a while and shared by all who ask by the same way. */
export interface RobotsShelf {
  /** Throws only the reason of the call's signal. */
  of(url: string, call: Call, terms?: RobotsTerms): Promise<HostRules>
  /** The rules as far as they are known already. */
  peek(url: string, way?: ProxyChoice): Robots | null
}

/** What we call ourselves in robots.txt. */
export const ownName = 'Trawl'

/** RFC 9309 §2.4: not longer than a day; an hour lets a site change its mind during a long crawl. */
const keepMs = 3_600_000
/** A host in trouble is asked again soon, and one that answers, if only that it cannot, sooner. */
const keepTroubleMs = 60_000
const keepFailingMs = 1_000
const timeoutMs = 10_000
/** Whoever watches the same deadline with another timer may be that much earlier. */
const earlyMs = 50
/** RFC 9309 §2.4: what is known counts for longer where the host cannot be asked anew; not without end, since it may have changed its mind. */
const keepAtMostMs = 24 * 3_600_000
/** No site may hold others back for longer at a time. */
const longestWaitMs = 600_000
const maxHosts = 2_000

/** Rules as the host said them. */
interface Said {
  readonly rules: HostRules
  readonly at: number
}

interface Kept {
  readonly rules: Promise<HostRules>
  until: number
  said: Said | null
}

const isInTrouble = ({ unreachable, failing }: HostRules): boolean => unreachable !== null || failing !== undefined

async function ask(origin: string, way: ProxyChoice, ports: SitePorts, { clock: _itsClock, ...call }: Call): Promise<HostRules> {
  const { now } = ports
  const url = `${origin}/robots.txt`
  const signal = AbortSignal.timeout(timeoutMs)
  // Not the caller's signal: others wait for the same answer.
  const own: Call = { ...call, signal, deadline: now() + timeoutMs }
  try {
    const answer = await untilAborted(fetchedOnceMore({ url, headers: {}, languages: ['en'], skipTlsVerification: true, maxBytes: maxRobotsBytes, ...way }, ports, own), signal)
    const access = robotsAccess(answer.status)
    const robots = access === 'parse' ? parseRobots(answer.body, answer.url) : access === 'allow-all' ? allowAll : disallowAll
    if (access !== 'disallow-all' && answer.status !== 429) return { robots, unreachable: null, at: answer.url }
    const againInMs = Math.min(retryAfter(header(answer, 'retry-after'), now()), longestWaitMs)
    return { robots, unreachable: null, at: answer.url, failing: answer.status, ...(againInMs > 0 ? { againInMs } : {}) }
  } catch (error) {
    // RFC 9309 §2.3.1.2: as if there were none.
    if (error instanceof ServiceError && error.cause instanceof EndlessRedirects) return { robots: allowAll, unreachable: null }
    const late = new ServiceError('SCRAPE_SITE_ERROR', 'The site did not answer in time for its robots.txt.', { cause: error })
    return { robots: disallowAll, unreachable: signal.aborted || now() >= own.deadline - earlyMs ? late : error }
  }
}

/** Asks each host once in a while for its robots.txt (RFC 9309). */
export function robotsShelf(ports: SitePorts): RobotsShelf {
  const hosts = new Map<string, Kept>()
  const nameOf = (url: string, { tier = 'basic', country = '' }: ProxyChoice): string => `${new URL(url).origin} ${tier} ${country}`
  const look = (name: string, origin: string, way: ProxyChoice, call: Call): Kept => {
    const before = hosts.get(name)?.said ?? null
    // A fault of a moment must not fail the pages that are asked for meanwhile: what is allowed is known.
    const stillHolds = (found: HostRules): boolean => isInTrouble(found) && before !== null && ports.now() - before.at < keepAtMostMs
    const asked = ask(origin, way, ports, call)
    const kept: Kept = { rules: asked.then((found) => (before !== null && stillHolds(found) ? before.rules : found)), until: Number.POSITIVE_INFINITY, said: before }
    hosts.delete(name)
    hosts.set(name, kept)
    void asked.then((found) => {
      const { unreachable, failing, againInMs = 0 } = found
      if (!stillHolds(found)) kept.said = isInTrouble(found) ? null : { rules: found, at: ports.now() }
      kept.until = ports.now() + (unreachable !== null ? keepTroubleMs : failing !== undefined ? Math.max(keepFailingMs, againInMs) : keepMs)
    })
    const [oldest] = hosts.keys()
    if (hosts.size > maxHosts && oldest !== undefined) hosts.delete(oldest)
    return kept
  }
  return {
    of(url, call, { way = {}, anew = false } = {}) {
      const name = nameOf(url, way)
      const known = hosts.get(name)
      const kept = !anew && known !== undefined && known.until > ports.now() ? known : look(name, new URL(url).origin, way, call)
      return untilAborted(kept.rules, call.signal)
    },
    peek: (url, way = {}) => hosts.get(nameOf(url, way))?.said?.rules.robots ?? null,
  }
}
