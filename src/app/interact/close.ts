import { ServiceError } from '../../domain/errors.ts'
import { endMeanings, type Session, type SessionEnd, tombstoneMs } from '../../domain/sessions/sessions.ts'
import { withTimeout } from '../../lib/with-timeout.ts'
import type { Live, SessionPorts } from './ports.ts'

const interpretersMs = 3_000
const stateMs = 5_000
/** How long an object store that is slow may take to write a profile. */
const writeMs = 10_000
/** A browser that has to be killed is gone within seconds, though not at once on a busy machine. */
const browserMs = 15_000
/** A stopping process has less time; browsers that remain die with it. */
const stoppingMs = 5_000
/** What of its time is left for writing the state of a stopping process. */
const reserveMs = 500

type ClosePorts = Pick<SessionPorts, 'sessions' | 'retentionMs' | 'now' | 'log'>

/** Waits for a limited time; false if that was too short, or the work failed. */
const within = (ms: number, work: Promise<unknown>): Promise<boolean> => withTimeout(work.then(() => true, () => false), ms, () => false)

/** The error that ends a session's runs with it. */
export function endError(end: SessionEnd): ServiceError {
  if (end === 'stopped') return new ServiceError('SHUTTING_DOWN')
  return new ServiceError(end === 'broken' ? 'BROWSER_FAILURE' : 'SESSION_DESTROYED', endMeanings[end])
}

/** The error for callers of a session that is over. */
export function overError(end: SessionEnd | null): ServiceError {
  return new ServiceError('SESSION_DESTROYED', endMeanings[end ?? 'lost'])
}

async function saveProfile({ browser, profile, session }: Live, end: SessionEnd, { log }: ClosePorts): Promise<void> {
  if (profile === null) return
  const late = (): never => {
    throw new Error('timeout')
  }
  const saving = async (): Promise<void> => {
    const { state, warnings } = await withTimeout(browser.state(stateMs - reserveMs), stateMs, late)
    const saved = state === null ? 'too-large' : await profile.save(Buffer.from(JSON.stringify(state)))
    if (saved !== 'saved') log('profile-not-saved', { session: session.id, reason: saved })
    else if (warnings.length > 0) log('profile-saved-in-part', { session: session.id, reasons: warnings.length })
  }
  await withTimeout(saving(), end === 'stopped' ? stateMs : stateMs + writeMs, late).catch((error: unknown) => log('profile-not-saved', { session: session.id, reason: error instanceof Error ? error.message : String(error) }))
  await within(stateMs, profile.release())
}

async function closing(live: Live, end: SessionEnd, ports: ClosePorts): Promise<Session> {
  const at = ports.now()
  const { session, browser, interpreters, over } = live
  over.abort(endError(end))
  await within(interpretersMs, interpreters.close())
  // A dead browser cannot be asked, and if others declared the session lost, the profile is no longer ours to write.
  if (end === 'broken' || end === 'lost') await within(stateMs, live.profile?.release() ?? Promise.resolve())
  else await saveProfile(live, end, ports)
  const closed = await within(end === 'stopped' ? stoppingMs : browserMs, browser.close(end === 'stopped' ? 'shutdown' : 'closed'))
  const ended = await ports.sessions.end(session.id, { end, at, usedAt: Math.min(live.lastUsedAt, at), keepMs: ports.retentionMs + tombstoneMs })
  ports.log('session-ended', { session: session.id, team: session.team, end, ms: at - (session.startedAt ?? at), credits: ended?.credits ?? 0, closed })
  if (!closed) throw new ServiceError('BROWSER_FAILURE', 'The session has ended, but its browser could not be confirmed gone.')
  if (ended === null) throw new Error('a session vanished from the store while it was open')
  return ended
}

/** A caller waits at least a second longer for the answer. */
const tellMs = 4_000

/**
 * Settles when an ending session has ended for everybody, or that takes too long. Until then lists still have it, and its
 * profile is not saved yet: who is told that it is over may rely on both.
 */
export async function hasEnded({ end, ending }: Live): Promise<void> {
  // A stopping process has no time for that.
  if (ending !== null && end !== 'stopped') await within(tellMs, ending)
}

/** Ends a session, whatever runs in it: saves its profile, charges its time, closes its browser. Idempotent. */
export function closeSession(live: Live, end: SessionEnd, ports: ClosePorts): Promise<Session> {
  live.end ??= end
  live.ending ??= closing(live, end, ports)
  return live.ending
}
