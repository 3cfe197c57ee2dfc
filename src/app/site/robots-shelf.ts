import { allowAll, disallowAll, maxRobotsBytes, parseRobots, type Robots, robotsAccess } from '../../content/site/robots.ts'
import type { Call } from '../../domain/call.ts'
import { header } from '../../domain/pages/capture.ts'
import { EndlessRedirects, ServiceError } from '../../domain/errors.ts'
import { isUp, untilAborted } from '../../lib/deadline.ts'
import { sha256 } from '../../lib/sha256.ts'
import { longestHoldMs, retryAfter } from '../../domain/fetching/politeness.ts'
import { isProxyFault } from '../../domain/fetching/proxies.ts'
import { fetchedOnceMore } from './once-more.ts'
import type { SitePorts, Way } from './ports.ts'

/** The rules of a host for crawlers; `unreachable` is why its robots.txt could not be fetched. */
export interface HostRules {
  readonly robots: Robots
  readonly unreachable: unknown
  /** The status with which its robots.txt is temporarily unavailable: then the rules are unknown. */
  readonly failing?: number
  /** Milliseconds after which the host says that it will be available; absent when it does not. */
  readonly againInMs?: number
  /** The URL that answered, which may be on another host; absent without an answer. */
  readonly at?: string
}

/** How to fetch rules. */
export interface RobotsTerms {
  readonly way?: Way | undefined
  /** Fetch even if the rules are known. */
  readonly anew?: boolean | undefined
  /** For the start of a crawl or map: a host that was unreachable a moment ago may be up again. */
  readonly begins?: boolean | undefined
}

/** The rules of hosts, cached for a while and shared by everyone who asks in the same way. */
export interface RobotsShelf {
  /** Throws only the reason of the call's signal. */
  of(url: string, call: Call, terms?: RobotsTerms): Promise<HostRules>
  /** The rules, if they are already known. */
  peek(url: string, way?: Way): Robots | null
}

/** Our user agent in robots.txt. */
export const ownName = 'Trawl'

/** RFC 9309 §2.4 allows a day; with an hour, a site can change its rules during a long crawl. */
const keepMs = 3_600_000
/** An unreachable host is asked again soon, and one that answers with an error even sooner. */
const keepTroubleMs = 60_000
/** At the start of a crawl or map; and when the proxy failed or the machine had no socket, which says nothing about the host. */
const keepTroubleBrieflyMs = 5_000
const keepFailingMs = 1_000
const timeoutMs = 10_000
/** RFC 9309 §2.4: known rules are kept while the host cannot be asked again, but not for ever, since they may have changed. */
const keepAtMostMs = 24 * 3_600_000
const maxHosts = 2_000
/** Of all kept files together; parsed, one may take ten times as much memory. A hostile domain may have a large one for each of thousands of hosts. */
const maxBytes = 16 * 2 ** 20
/** Larger files than this make room for others: so those of ordinary hosts stay. */
const largeBytes = maxBytes / maxHosts

/** Rules as the host said them. */
interface Said {
  readonly rules: HostRules
  readonly at: number
}

/** The rules, and the length of the file that holds them. */
interface Found extends HostRules {
  readonly bytes?: number
}

interface Kept {
  readonly rules: Promise<HostRules>
  /** Length of the file. */
  bytes: number
  until: number
  /** The same for the start of a crawl or map. */
  untilAtStart: number
  said: Said | null
}

const isOurs = (fault: unknown): boolean => isProxyFault(fault) || (fault instanceof ServiceError && fault.code === 'OVERLOADED')

const isInTrouble = ({ unreachable, failing }: HostRules): boolean => unreachable !== null || failing !== undefined

async function ask(origin: string, way: Way, ports: SitePorts, { clock: _itsClock, ...call }: Call): Promise<Found> {
  const { now } = ports
  const url = `${origin}/robots.txt`
  const signal = AbortSignal.timeout(timeoutMs)
  // Not the caller's signal, since others wait for the same answer.
  const own: Call = { ...call, signal, deadline: now() + timeoutMs }
  try {
    const answer = await untilAborted(fetchedOnceMore({ url, headers: {}, languages: ['en'], skipTlsVerification: true, maxBytes: maxRobotsBytes, ...way }, ports, own), signal)
    const access = robotsAccess(answer.status)
    const robots = access === 'parse' ? parseRobots(answer.body, answer.url) : access === 'allow-all' ? allowAll : disallowAll
    if (access !== 'disallow-all' && answer.status !== 429) return { robots, unreachable: null, at: answer.url, bytes: access === 'parse' ? answer.body.length : 0 }
    const againInMs = Math.min(retryAfter(header(answer, 'retry-after'), now()), longestHoldMs)
    return { robots, unreachable: null, at: answer.url, failing: answer.status, ...(againInMs > 0 ? { againInMs } : {}) }
  } catch (error) {
    // RFC 9309 §2.3.1.2: as if the file did not exist.
    if (error instanceof ServiceError && error.cause instanceof EndlessRedirects) return { robots: allowAll, unreachable: null }
    const late = new ServiceError('SCRAPE_SITE_ERROR', 'The site did not answer in time for its robots.txt.', { cause: error })
    return { robots: disallowAll, unreachable: signal.aborted || isUp(own, now()) ? late : error }
  }
}

const headerNames = new WeakMap<object, string>()

/** Stands for headers, which may be long and hold secrets; computed once, as every link asks for it. */
function headersName(headers: NonNullable<Way['headers']>): string {
  const name = headerNames.get(headers) ?? sha256(JSON.stringify(headers))
  headerNames.set(headers, name)
  return name
}

/** Fetches each host's robots.txt once in a while (RFC 9309). */
export function robotsShelf(ports: SitePorts): RobotsShelf {
  const { steady: now = ports.now } = ports
  const hosts = new Map<string, Kept>()
  const nameOf = (url: string, { tier = 'basic', country = '', skipTlsVerification: skip = true, headers }: Way): string => `${new URL(url).origin} ${tier} ${country} ${skip} ${headers === undefined ? '' : headersName(headers)}`
  const makeRoom = (): void => {
    let bytes = [...hosts.values()].reduce((sum, kept) => sum + kept.bytes, 0)
    for (const [name, kept] of hosts) {
      if (bytes <= maxBytes) return
      if (kept.bytes > largeBytes && hosts.delete(name)) bytes -= kept.bytes
    }
  }
  const look = (name: string, origin: string, way: Way, call: Call): Kept => {
    const { said: before = null, bytes = 0 } = hosts.get(name) ?? {}
    // A fault of a moment must not fail the pages that are asked for meanwhile: what is allowed is known.
    const stillHolds = (found: HostRules): boolean => isInTrouble(found) && before !== null && now() - before.at < keepAtMostMs
    const asked = ask(origin, way, ports, call)
    const kept: Kept = { rules: asked.then((found) => (before !== null && stillHolds(found) ? before.rules : found)), bytes, until: Number.POSITIVE_INFINITY, untilAtStart: Number.POSITIVE_INFINITY, said: before }
    hosts.delete(name)
    hosts.set(name, kept)
    void asked.then((found) => {
      const { unreachable, failing, againInMs = 0 } = found
      if (!stillHolds(found)) kept.said = isInTrouble(found) ? null : { rules: found, at: now() }
      kept.until = now() + (isOurs(unreachable) ? keepTroubleBrieflyMs : unreachable !== null ? keepTroubleMs : failing !== undefined ? Math.max(keepFailingMs, againInMs) : keepMs)
      kept.untilAtStart = unreachable === null ? kept.until : now() + keepTroubleBrieflyMs
      kept.bytes = found.bytes ?? bytes
      makeRoom()
    })
    const [oldest] = hosts.keys()
    if (hosts.size > maxHosts && oldest !== undefined) hosts.delete(oldest)
    return kept
  }
  return {
    of(url, call, { way = {}, anew = false, begins = false } = {}) {
      const name = nameOf(url, way)
      const known = hosts.get(name)
      const kept = !anew && known !== undefined && (begins ? known.untilAtStart : known.until) > now() ? known : look(name, new URL(url).origin, way, call)
      return untilAborted(kept.rules, call.signal)
    },
    peek: (url, way = {}) => hosts.get(nameOf(url, way))?.said?.rules.robots ?? null,
  }
}
