import { isAway, isBrokenOff, isCutOff, ServiceError } from '../../../domain/errors.ts'
import { longestHoldMs, meansLater } from '../../../domain/fetching/politeness.ts'
import { isProxyFault } from '../../../domain/fetching/proxies.ts'
import type { PageTask } from '../../../domain/jobs/pages.ts'
import type { Collected } from '../../scrape/ports.ts'
import { maxPostponed, type PageVisit, RobotsUnavailable } from './bounds.ts'
import { isOverwhelmed } from './overwhelmed.ts'

interface Wait {
  /** Milliseconds before the first new try; doubled for each further one. */
  readonly firstMs: number
  readonly leastMs?: number
  readonly tries?: number
}

const longestMs = 30_000

/** A page that is tried more often than its host is given pauses, because at first others may still be answered there: three minutes. */
const triesOfAway = 12
/** Its host sent nobody anything within its timeout: it may have been cut off, or the page may be that slow. */
const triesOfSilent = 1

const robots = { firstMs: 1_000 }
const broken = { firstMs: 1_000 }
const cutOff = { firstMs: 1_000 }
const silent = { firstMs: 1_000, tries: triesOfSilent }
const away = { firstMs: 0, tries: triesOfAway }
/** As long as the first pause of a proxy that failed. */
const proxy = { firstMs: 5_000 }
/** Our own machine has no memory, or no place, for what the page needs. */
const full = { firstMs: 5_000, tries: triesOfAway }
/** Another page is writing the profile. */
const profile = { firstMs: 5_000 }

/**
 * How long a page waits before another try, in milliseconds, when neither it nor its job is to blame for an error; null when there is
 * nothing to wait for, or no hope left.
 */
export function waitAfter(error: unknown, visit: PageVisit): number | null {
  const wait = ofHost(error, visit) ?? ofNetwork(error, visit) ?? ofOthers(error)
  if (wait === null) return null
  const { firstMs, leastMs = 0, tries = maxPostponed } = wait
  const { postponed } = visit.task
  return postponed < tries ? Math.max(Math.min(firstMs * 2 ** postponed, longestMs), leastMs) : null
}

/** A host that answered before and does not now. One that never did is not waited for. */
function ofHost(error: unknown, visit: PageVisit): Wait | null {
  const { task, host } = visit
  const wait = host.hasAnswered ? troubleOf(error, visit) : null
  const leastMs = wait !== null && task.postponed < (wait.tries ?? maxPostponed) ? host.away(wait === away ? 'away' : 'mute') : null
  return wait === null || leastMs === null ? null : { ...wait, leastMs }
}

function troubleOf(error: unknown, { task, host }: PageVisit): Wait | null {
  if (isBrokenOff(error)) return broken
  if (isAway(error, new URL(task.url).hostname)) return away
  return error instanceof ServiceError && error.code === 'SCRAPE_TIMEOUT' && host.isSilent() ? silent : null
}

/** Our own network. A crawl that is only beginning fails at once. */
function ofNetwork(error: unknown, { task, known, host }: PageVisit): Wait | null {
  if (!isCutOff(error) || (known.crawl !== null && task.seq === 1)) return null
  return host.nobodyAnswers() ? { ...cutOff, tries: triesOfAway } : cutOff
}

function ofOthers(error: unknown): Wait | null {
  if (error instanceof RobotsUnavailable) return { ...robots, leastMs: error.againInMs }
  if (isProxyFault(error)) return proxy
  const code = error instanceof ServiceError ? error.code : null
  return code === 'OVERLOADED' ? full : code === 'PROFILE_LOCKED' ? profile : null
}

/** How often a page that is empty or says "busy" with a success status is tried again: that may be all there is. */
const maxOverwhelmed = 2

/**
 * How long a page waits whose site answered "not now", in milliseconds, and why; null when its answer is what there is. `holdMs` is what the
 * site asks for, 0 for nothing. An answer from the cache says nothing about now.
 */
export function waitAfterAnswer({ acquired: { capture, found }, page: { facts } }: Collected, { postponed }: Pick<PageTask, 'postponed'>, holdMs: number): { readonly againInMs: number; readonly why: string } | null {
  if (found !== null) return null
  const ms = 1_000 * 2 ** postponed
  if (meansLater(capture.status) && postponed < maxPostponed) return { againInMs: Math.min(longestHoldMs, holdMs || ms), why: `status ${capture.status}` }
  return postponed < maxOverwhelmed && isOverwhelmed(capture, facts) ? { againInMs: ms, why: 'overwhelmed' } : null
}
