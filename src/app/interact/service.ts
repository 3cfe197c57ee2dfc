import type { Call } from '../../domain/call.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { LiveDoor } from '../../domain/sessions/live-browser.ts'
import type { Session, SessionOwner } from '../../domain/sessions/sessions.ts'
import { deadline, untilAborted } from '../../lib/deadline.ts'
import type { BrowserAnswer, BrowserRequest, BrowserSession, BrowserStatus, BrowsersQuery } from '../../spec/browser.ts'
import type { ExecuteRequest, InteractRequest, RunAnswer, StopAnswer } from '../../spec/interact.ts'
import { limits } from '../../spec/limits.ts'
import { assertOwn, unknownId } from '../own.ts'
import { hasEnded, overError } from './close.ts'
import { type Keeper, keeper } from './keeper.ts'
import type { Wish } from './open.ts'
import { type Elsewhere, type Found, type Seeker, sessionFinder } from './session-finder.ts'
import type { Live, SessionPorts } from './ports.ts'
import { type Repeats, repeats } from './repeats.ts'
import { replayOf } from './replay.ts'
import { noAgent, type Outcome, runIn, type RunTime, type Task, tooLate } from './run.ts'
import { expiryOf, linksOf, listed, shown } from './shown.ts'
import { accessTokensOf } from './access-tokens.ts'

/** Who asks, and how the answer is to reach them. */
export interface Asker extends Seeker {
  readonly key?: Call['key']
  /** Base of the URLs in the answer. */
  readonly base: string
  /** Warnings about the request itself. */
  readonly warnings: readonly string[]
}

/** Live browser sessions as the interface has them. Throws the codes that each route lists. */
export interface SessionService {
  interact(scrape: string, request: InteractRequest, asker: Asker, call: Call): Promise<RunAnswer | Elsewhere>
  execute(id: string, request: ExecuteRequest, asker: Asker, call: Call): Promise<RunAnswer | Elsewhere>
  create(request: BrowserRequest, id: string, asker: Asker): Promise<BrowserAnswer | Elsewhere>
  stopOfScrape(scrape: string, asker: Asker): Promise<StopAnswer | Elsewhere>
  stop(id: string, asker: Asker): Promise<StopAnswer | Elsewhere>
  status(id: string, asker: Asker): Promise<BrowserStatus>
  list(query: BrowsersQuery, asker: Asker): Promise<readonly BrowserSession[]>
  /** Wrap runs in this, wherever they are done: a repeat of a run that just ended with 502 is not run again. */
  readonly repeats: Repeats
  /** The other process that has the session and can be reached; null if there is none. */
  ownerOf(id: string): Promise<SessionOwner | null>
  /** The tokens of a session, in whichever process it lives; null once it is over. */
  tokens(id: string): Promise<LiveDoor['tokens'] | null>
  /** When that process was last heard of; null when it has been silent for as long as it counts as alive. */
  heardAt(owner: SessionOwner): Promise<number | null>
  /** The error for a call forwarded to a process that does not answer. */
  unanswered(owner: SessionOwner): Promise<ServiceError>
  readonly keeper: Keeper
}

/** Given a timeout, official clients wait five seconds longer than it. */
const answerSlackMs = 4_000
/** Without one, they wait long enough for any session to open. */
const openingMs = 240_000
const maxTries = 3

const noBrowser = (): ServiceError => new ServiceError('BROWSER_FAILURE', 'The browser of the session could not be started.')
const inMs = (seconds: number | undefined): number | undefined => (seconds === undefined ? undefined : seconds * 1000)
const told = (warnings: readonly string[]): { readonly warning?: string } => (warnings.length === 0 ? {} : { warning: warnings.join(' ') })

/** What a call asks of the lifetime of a session that another call opened. */
function tooLateToSet({ ttl, activityTtl }: InteractRequest, { ttlMs, idleMs }: Session): readonly string[] {
  const asked = { ttl: [inMs(ttl), ttlMs], activityTtl: [inMs(activityTtl), idleMs] }
  const names = Object.entries(asked).filter(([, [wanted, is]]) => wanted !== undefined && wanted !== is).map(([name]) => name)
  return names.length === 0 ? [] : [`Ignored, as the session is open already: ${names.join(', ')}.`]
}

class Late extends Error {}

/** A run for a caller: what to do, for how long, and who waits. */
interface Errand {
  readonly task: Task
  readonly time: RunTime
  readonly asker: Asker
  readonly call: Call
}

function timeOf(timeout: number | undefined, now: number): RunTime {
  const timeoutMs = (timeout ?? limits.runSecondsDefault) * 1000
  return { timeoutMs, answerBy: now + timeoutMs + (timeout === undefined ? openingMs : answerSlackMs) }
}

/** Waits as long as the caller does; null if that is too short. The work goes on. */
async function inTime<T>(work: Promise<T>, { time, call }: Errand, now: number): Promise<T | null> {
  work.catch(() => undefined)
  const limit = deadline(call.signal, time.answerBy - now, () => new Late())
  try {
    return await untilAborted(work, limit.signal)
  } catch (error) {
    if (error instanceof Late) return null
    throw error
  } finally {
    limit.dispose()
  }
}

function stopped({ startedAt, endedAt, credits }: Session): StopAnswer {
  return { success: true, status: 'stopped', sessionDurationMs: startedAt === null ? 0 : Math.max(0, (endedAt ?? startedAt) - startedAt), creditsBilled: credits ?? 0 }
}

/** Runs things in existing sessions, or opens sessions for them. */
function runs(ports: SessionPorts, keep: Keeper) {
  const { sessions, now } = ports
  const finder = sessionFinder(ports, keep)

  async function wishFor(scrape: string, { ttl, activityTtl, code, prompt, language }: InteractRequest, { team, key }: Asker): Promise<Wish> {
    const replay = await replayOf(scrape, ports, team)
    return { id: ports.newId(), team, key, scrape: { id: scrape, replay }, ttlMs: inMs(ttl), idleMs: inMs(activityTtl), streams: true, profile: replay.request.profile, language: code === undefined ? undefined : language, prompted: prompt !== undefined }
  }

  /** The session of a scrape, opened if there is none. Opening goes on even if the caller leaves. */
  async function sessionOf(scrape: string, request: InteractRequest, errand: Errand): Promise<Session | Elsewhere> {
    for (let tries = 0; tries < maxTries; tries++) {
      const found = await finder.find(() => sessions.ofScrape(scrape), errand.asker)
      if (found.kind === 'over') throw overError(found.session.end)
      if (found.kind === 'elsewhere') return found.at
      const wish = found.kind === 'none' ? await wishFor(scrape, request, errand.asker) : null
      if ('prompt' in errand.task && ports.agent === null) throw noAgent()
      if (found.kind === 'here') return found.session
      const hosts = await finder.forNew(errand.asker)
      if (hosts !== null || wish === null) return hosts ?? Promise.reject(noBrowser())
      // Runs while the browser starts.
      if ('code' in errand.task) void ports.sandbox.warm(errand.task.language).catch(() => undefined)
      const opened = await inTime(keep.open(wish), errand, now())
      if (opened !== null && 'live' in opened) return opened.live.session
      const begun = opened === null ? await sessions.ofScrape(scrape) : null
      if (begun !== null) return begun
    }
    throw noBrowser()
  }

  /** Runs the errand in a session of this process. */
  async function perform(session: Session, errand: Errand): Promise<{ readonly session: Session; readonly outcome: Outcome }> {
    const opened: Promise<Live> | null = keep.live(session.id)
    if (opened === null) {
      // In the store but not in this process: it has just ended, or failed to open.
      const ended = await keep.end(session, 'lost')
      throw ended === null ? noBrowser() : overError(ended.end)
    }
    const live = await inTime(opened, errand, now())
    if (live === null) return { session, outcome: tooLate }
    try {
      return { session: live.session, outcome: await runIn(live, errand.task, errand.time, ports, errand.call) }
    } catch (error) {
      if (live.end !== null) await hasEnded(live)
      throw error
    }
  }

  return { finder, sessionOf, perform }
}

async function stopAt(found: Found, keep: Keeper): Promise<StopAnswer | Elsewhere> {
  if (found.kind === 'none') throw unknownId('session')
  if (found.kind === 'elsewhere') return found.at
  const ended = found.kind === 'over' ? found.session : await keep.end(found.session, 'deleted')
  if (ended === null) throw unknownId('session')
  return stopped(ended)
}

/** The service over its ports. */
export function sessionService(ports: SessionPorts): SessionService {
  const { sessions, now } = ports
  const keep = keeper(ports)
  const { finder, sessionOf, perform } = runs(ports, keep)

  function answerOf({ session, outcome }: Awaited<ReturnType<typeof perform>>, success: boolean, { base, warnings }: Asker): RunAnswer {
    return { success, sessionId: session.id, ...linksOf(session, base), ...outcome, ...told([...(outcome.warning === undefined ? [] : [outcome.warning]), ...warnings]) }
  }

  const heardAt = async ({ id }: SessionOwner): Promise<number | null> => (await finder.owner(id))?.seenAt ?? null

  return {
    keeper: keep,

    repeats: repeats(now),

    async interact(scrape, request, asker, call) {
      const { code, prompt, language, timeout } = request
      const errand: Errand = { task: prompt === undefined ? { code: code ?? '', language } : { prompt }, time: timeOf(timeout, now()), asker, call }
      const session = await sessionOf(scrape, request, errand)
      if ('elsewhere' in session) return session
      const done = await perform(session, errand)
      return answerOf(done, done.outcome.error === undefined, { ...asker, warnings: [...asker.warnings, ...tooLateToSet(request, done.session)] })
    },

    async execute(id, { code, language, timeout }, asker, call) {
      const found = await finder.find(() => sessions.find(id), asker)
      if (found.kind === 'none') throw unknownId('session')
      if (found.kind === 'over') throw overError(found.session.end)
      if (found.kind === 'elsewhere') return found.at
      return answerOf(await perform(found.session, { task: { code, language }, time: timeOf(timeout, now()), asker, call }), true, asker)
    },

    async create(request, id, asker) {
      if (request.recordSession) throw new ServiceError('FEATURE_NOT_CONFIGURED', 'Not configured: recordings of sessions are not in this release.', { details: { feature: 'recordSession' } })
      const hosts = await finder.forNew(asker)
      if (hosts !== null) return hosts
      const opened = await keep.open({ id, team: asker.team, key: asker.key, scrape: null, ttlMs: inMs(request.ttl), idleMs: inMs(request.activityTtl), streams: request.streamWebView, profile: request.profile })
      if ('taken' in opened) throw new Error('a session that stands alone was taken')
      const { session } = opened.live
      return { success: true, id: session.id, ...linksOf(session, asker.base), expiresAt: expiryOf(session), ...told(asker.warnings) }
    },

    async stopOfScrape(scrape, asker) {
      const found = await finder.find(() => sessions.ofScrape(scrape), asker)
      // What the caller is told depends on whose scrape it is.
      const stored = found.kind === 'none' ? await ports.results.find(scrape) : null
      if (stored !== null) assertOwn('scrape', stored, asker.team)
      return stopAt(found, keep)
    },

    stop: async (id, asker) => stopAt(await finder.find(() => sessions.find(id), asker), keep),

    async status(id, { team, base }) {
      const session = await sessions.find(id)
      if (session === null) throw unknownId('session')
      assertOwn('session', session, team)
      return shown(session, base)
    },

    async list({ status }, { team, base }) {
      const all = (await sessions.list(team, now() - ports.retentionMs)).map((session) => listed(session, base))
      return status === undefined ? all : all.filter((session) => session.status === status)
    },

    heardAt,

    async ownerOf(id) {
      const session = await sessions.find(id)
      if (session?.state !== 'live' || session.owner === ports.owner.id) return null
      const owner = await finder.owner(session.owner)
      return owner === null || owner.url === null ? null : owner
    },

    async tokens(id) {
      const session = await sessions.find(id)
      return session?.state === 'live' ? accessTokensOf(session) : null
    },

    async unanswered(owner) {
      if ((await heardAt(owner)) !== null) return new ServiceError('BROWSER_FAILURE', 'The process that has this session does not answer.')
      await keep.reap()
      return overError('lost')
    },
  }
}
