import { notCovered } from '../../domain/teams/allowance.ts'
import type { Call } from '../../domain/call.ts'
import type { Order } from '../../domain/pages/capture.ts'
import { creditsOfSession } from '../../domain/teams/credits.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { BrowserState, LiveBrowser, LiveTerms } from '../../domain/sessions/live-browser.ts'
import { languagesOf } from '../../domain/fetching/location.ts'
import type { Language } from '../../domain/sessions/sandbox.ts'
import { endMeanings, type NewSession, type Session } from '../../domain/sessions/sessions.ts'
import { untilAborted } from '../../lib/deadline.ts'
import { sessionHoldMs } from './holds.ts'
import { type Interpreters, interpreters } from './interpreters.ts'
import type { Live, OpenProfile, SessionPorts } from './ports.ts'
import { type Replay, replayFailure, sameState } from './replay.ts'

/** The session to be opened. */
export interface Wish {
  readonly team: string
  readonly key?: Call['key']
  /** Null: it belongs to no scrape. */
  readonly scrape: { readonly id: string; readonly replay: Replay } | null
  readonly id: string
  readonly ttlMs?: number | undefined
  readonly idleMs?: number | undefined
  readonly streams: boolean
  readonly profile: { readonly name: string; readonly saveChanges: boolean } | undefined
  /** The language of the code that comes next: its interpreter starts while the page loads. */
  readonly language?: Language | undefined
  /** Whether a prompt comes next. */
  readonly prompted?: boolean
}

/** Allows for a browser that starts slowly on a busy machine. */
const startMs = 60_000
/** Upper bound of `Retry-After` for a team at its limit: a session may be closed before it expires. */
const retryAtMostSeconds = 60

/** What a session is certain to cost, with what it is opened for: one that its first call could not use would still cost, unnoticed. */
const firstMinute = ({ prompted = false }: Wish): number => creditsOfSession(0, prompted)

const fullMessage = (limit: number): string => `The team has ${limit} browser sessions, which is as many as it may have; stop one of them.`

/** Reserves a session in the store. Answers instead the session that the scrape already has, if any. Throws `CONCURRENCY_LIMITED`, `INSUFFICIENT_CREDITS`. */
export async function claimSession(wish: Wish, ports: SessionPorts): Promise<{ readonly taken: Session } | { readonly session: NewSession }> {
  const { now, defaults, perTeam } = ports
  const session: NewSession = {
    id: wish.id,
    team: wish.team,
    key: wish.key,
    scrape: wish.scrape?.id ?? null,
    owner: ports.owner.id,
    ttlMs: wish.ttlMs ?? defaults.ttlMs,
    idleMs: wish.idleMs ?? defaults.idleMs,
    streams: wish.streams,
    secret: ports.newSecret(),
    createdAt: now(),
  }
  const hold = { credits: firstMinute(wish), until: now() + sessionHoldMs }
  const claim = await ports.sessions.claim(session, { limit: perTeam, hold, now: now() })
  if (claim.kind === 'taken') return { taken: claim.session }
  if (claim.kind === 'poor') throw await notCovered(wish.prompted === true ? 'a minute of a browser session with a prompt' : 'a minute of a browser session', ports, wish)
  if (claim.kind === 'claimed') return { session }
  const seconds = Math.ceil((claim.freeAt - now()) / 1000)
  throw new ServiceError('CONCURRENCY_LIMITED', fullMessage(perTeam), { retryAfterSeconds: Math.min(Math.max(seconds, 1), retryAtMostSeconds) })
}

/** What has been opened so far; all of it is closed if the next step fails. */
interface Opening {
  profile: OpenProfile | null
  browser: LiveBrowser | null
  interpreters: Interpreters | null
}

/** Profile states are stored as the browser gave them. */
const asState = (bytes: Uint8Array): BrowserState => JSON.parse(Buffer.from(bytes).toString('utf8')) as BrowserState // written by `saveProfile`, or by a scrape in the same form

async function remembered({ profile, team }: Wish, opening: Opening, { profiles }: SessionPorts): Promise<BrowserState | undefined> {
  if (profile === undefined) return undefined
  const lease = profile.saveChanges ? await profiles.lock(team, profile.name) : null
  if (profile.saveChanges && lease === null) throw new ServiceError('PROFILE_LOCKED', `Another session or scrape is writing the profile "${profile.name}".`, { retryAfterSeconds: 5 })
  opening.profile = lease
  const state = lease === null ? await profiles.load(team, profile.name) : lease.state
  return state === null ? undefined : asState(state)
}

function termsOf(order: Order | undefined, state: BrowserState | undefined): LiveTerms {
  const remembers = state === undefined ? {} : { state }
  if (order === undefined) return { languages: languagesOf(undefined), ...remembers }
  const { languages, country, mobile, tier, skipTlsVerification, headers } = order
  return { languages, country, mobile, tier, skipTlsVerification, headers, ...remembers }
}

/** Codes that already tell the caller why there is no browser. */
const telling: ReadonlySet<string> = new Set(['BROWSER_NOT_CONFIGURED', 'OVERLOADED', 'SHUTTING_DOWN', 'SESSION_DESTROYED', 'BROWSER_FAILURE'])

/** The error for callers if no browser could be had. */
function browserFailure(error: unknown): ServiceError {
  if (error instanceof ServiceError && telling.has(error.code)) return error
  return new ServiceError('BROWSER_FAILURE', 'The browser of the session could not be started.', { cause: error })
}

async function browserFor(wish: Wish, opening: Opening, ports: SessionPorts, call: Call): Promise<LiveBrowser> {
  const { browsers } = ports
  if (browsers === null) throw new ServiceError('BROWSER_NOT_CONFIGURED', 'This process has no browser.')
  const state = await remembered(wish, opening, ports)
  const replay = wish.scrape?.replay
  const order = replay?.order
  const browser = await untilAborted(browsers.open(termsOf(order, state), call), call.signal).catch((error: unknown) => {
    throw browserFailure(error)
  })
  opening.browser = browser
  opening.interpreters = interpreters(browser, ports.sandbox)
  if (replay === undefined || order === undefined) return browser
  // Quiet pages must not notice the driver before it is used.
  if (wish.language !== undefined && order.tier !== 'enhanced') opening.interpreters.begin(wish.language)
  const lost = browser.closed.then((): never => {
    throw new ServiceError('BROWSER_FAILURE', endMeanings.broken)
  })
  lost.catch(() => undefined)
  const shown = await untilAborted(Promise.race([browser.show(order, call), lost]), call.signal).catch((error: unknown) => {
    throw call.signal.aborted ? call.signal.reason : error instanceof ServiceError && error.code === 'BROWSER_FAILURE' ? error : replayFailure(error)
  })
  sameState(replay, shown)
  return browser
}

async function putAway({ browser, profile, interpreters: inside }: Opening): Promise<void> {
  await inside?.close()
  await Promise.allSettled([browser?.close(), profile?.release()])
}

/** The cause of an error, for the log; callers are told less. */
function reasonOf(error: unknown): string {
  const cause = error instanceof ServiceError && error.cause !== undefined ? error.cause : error
  return (cause instanceof Error ? cause.message : String(cause)).slice(0, 500)
}

/** Opens a claimed session. If that fails, throws why, and the session is forgotten as if never asked for. Aborting `over` stops the opening. */
export async function openSession(session: NewSession, wish: Wish, over: AbortController, ports: SessionPorts): Promise<Live> {
  const timeoutMs = startMs + (wish.scrape?.replay.request.timeout ?? 0)
  const call = ports.callFor({ team: wish.team, key: wish.key, session: session.id, timeoutMs, signal: over.signal })
  const opening: Opening = { profile: null, browser: null, interpreters: null }
  try {
    const browser = await browserFor(wish, opening, ports, call)
    const started = await ports.sessions.started(session.id, ports.now())
    if (started === null) throw new ServiceError('SESSION_DESTROYED', endMeanings.deleted)
    const at = ports.now()
    ports.log('session-opened', { session: session.id, team: wish.team, ms: at - session.createdAt })
    return { session: started, browser, profile: opening.profile, interpreters: opening.interpreters ?? interpreters(browser, ports.sandbox), over, runs: 0, turn: Promise.resolve(), lastUsedAt: at, notedAt: at, prompted: false, held: firstMinute(wish), end: null, ending: null }
  } catch (error) {
    await putAway(opening)
    await ports.sessions.forget(session.id)
    ports.log('session-not-opened', { session: session.id, team: wish.team, code: error instanceof ServiceError ? error.code : 'UNKNOWN_ERROR', reason: reasonOf(error) })
    throw error
  } finally {
    call.end()
  }
}
