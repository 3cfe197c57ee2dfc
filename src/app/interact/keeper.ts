import { ServiceError } from '../../domain/errors.ts'
import type { LiveDoor, LiveEnd, LiveSessions } from '../../domain/sessions/live-browser.ts'
import { type Ending, type Session, type SessionEnd, tombstoneMs } from '../../domain/sessions/sessions.ts'
import { deadline, untilAborted } from '../../lib/deadline.ts'
import { closeSession, endError, hasEnded, overError } from './close.ts'
import { dueEnd } from './due.ts'
import { claimSession, openSession, type Wish } from './open.ts'
import type { Live, SessionPorts } from './ports.ts'
import { accessTokensOf } from './access-tokens.ts'

/** The result of asking for a session: it is open, or another one has its place. */
export type Opened = { readonly live: Live } | { readonly taken: Session }

/** The sessions that live in this process. */
export interface Keeper {
  /** Opens a session. Throws `SHUTTING_DOWN`, and what claiming and opening throw. */
  open(wish: Wish): Promise<Opened>
  /** The session of that id once it is open; null if it does not live here or is ending. Rejects with why it could not be opened. */
  live(id: string): Promise<Live> | null
  /** Ends a session of this process, even while it opens; returns its final state. */
  end(session: Session, end: SessionEnd): Promise<Session | null>
  /** Ends the sessions of processes that are gone. */
  reap(): Promise<void>
  /** Does what is due: expired and idle sessions, credits running out, heartbeats. Call it about every second. */
  tick(): Promise<void>
  /** Finds sessions for bearers of a token. */
  readonly doors: LiveSessions
  /** Announces this process. Call it before sessions may be asked for. */
  start(): Promise<void>
  /** Accepts no more sessions, gives runs a moment, and ends all sessions. */
  stop(graceMs: number): Promise<void>
}

interface Opening {
  readonly over: AbortController
  readonly opened: Promise<Opened>
}

/** Heartbeats within the time after which a process counts as gone. */
const beats = 3
/** How long runs may continue when the process stops. */
const runsMs = 3_000

/** Why the session ended, by why its browser did. */
const endOf: Readonly<Record<LiveEnd, SessionEnd>> = { closed: 'deleted', client: 'deleted', crashed: 'broken', memory: 'broken', shutdown: 'stopped' }

/** How sessions ended whose rows may not say so, as the store was away. */
function unwrittenEnds({ sessions, now }: Pick<SessionPorts, 'sessions' | 'now'>, keepMs: number) {
  const ends = new Map<string, Ending>()
  return {
    /** Passes on the ending of a session; if that fails, it is remembered. */
    noted<T>({ session, lastUsedAt, end }: Live, ended: Promise<T>): Promise<T> {
      const at = now()
      ended.catch(() => ends.has(session.id) || ends.set(session.id, { end: end ?? 'lost', at, usedAt: Math.min(lastUsedAt, at), keepMs }))
      return ended
    },
    /** Null for a session that never opened: it is forgotten, so that it can be asked for again. */
    async write(id: string): Promise<Session | null> {
      if (!ends.has(id)) await sessions.forget(id)
      const session = await sessions.end(id, ends.get(id) ?? { end: 'lost', at: now(), keepMs })
      ends.delete(id)
      return session
    },
    any: () => ends.size > 0,
    /** Forgets the others, which the store has as ended. */
    keep(isOpen: (id: string) => boolean): void {
      for (const id of ends.keys()) if (!isOpen(id)) ends.delete(id)
    },
  }
}

/** Opens, finds, watches and ends the sessions of this process. */
export function keeper(ports: SessionPorts): Keeper {
  const { sessions, owner, now, leaseMs, log } = ports
  const openings = new Map<string, Opening>()
  const lives = new Map<string, Live>()
  const keepMs = ports.retentionMs + tombstoneMs
  let [beatAt, stopping] = [Number.NEGATIVE_INFINITY, false]

  const unwritten = unwrittenEnds(ports, keepMs)

  const close = (live: Live, end: SessionEnd): Promise<Session> => {
    const ended = unwritten.noted(live, closeSession(live, end, ports))
    // Stays findable until its row says that it has ended.
    ended.finally(() => lives.get(live.session.id) === live && lives.delete(live.session.id)).catch(() => undefined)
    return ended
  }
  /** Ends it in the background. */
  const closeAside = (live: Live, end: SessionEnd): void => {
    if (live.end !== null) return
    close(live, end).catch((error: unknown) => log('session-end-failed', { session: live.session.id, reason: String(error) }))
  }

  async function begin(wish: Wish, over: AbortController): Promise<Opened> {
    await beat()
    const claim = await claimSession(wish, ports)
    if ('taken' in claim) return claim
    const live = await openSession(claim.session, wish, over, ports)
    lives.set(live.session.id, live)
    void live.browser.leaving.then(() => closeAside(live, 'deleted'))
    void live.browser.closed.then((why) => closeAside(live, endOf[why]))
    if (stopping) closeAside(live, 'stopped')
    return { live }
  }

  async function beat(): Promise<void> {
    const before = [...lives.values()]
    const alive = new Set(await sessions.beat({ id: owner.id, url: owner.url, open: !stopping && ports.browsers !== null, until: now() + leaseMs }, now()))
    beatAt = now()
    // Others declared these lost while this process was silent.
    for (const live of before) if (!alive.has(live.session.id)) closeAside(live, 'lost')
    // These ended when the store could not be written.
    for (const id of alive) if (!lives.has(id) && !openings.has(id)) await unwritten.write(id)
    unwritten.keep((id) => alive.has(id) || lives.has(id))
  }

  async function look(live: Live): Promise<void> {
    const end = live.end === null ? await dueEnd(live, ports) : null
    if (end !== null) closeAside(live, end)
  }

  const isNeeded = (): boolean => lives.size > 0 || unwritten.any() || openings.size > 0 || (owner.url !== null && ports.browsers !== null)

  return {
    async open(wish) {
      if (stopping) throw new ServiceError('SHUTTING_DOWN')
      const over = new AbortController()
      const opened = begin(wish, over).finally(() => openings.delete(wish.id))
      openings.set(wish.id, { over, opened })
      return opened
    },

    live(id) {
      const live = lives.get(id)
      if (live !== undefined) return live.end === null ? Promise.resolve(live) : refused(live)
      const opening = openings.get(id)
      return opening === undefined ? null : opening.opened.then((opened) => ('live' in opened ? opened.live : Promise.reject(new Error('a session was opened under an id that is taken'))))
    },

    async end(session, end) {
      const opening = openings.get(session.id)
      if (opening !== undefined) {
        // While the browser has not started, nothing was used and nothing is charged.
        const ended = await sessions.end(session.id, { end, at: now(), keepMs })
        opening.over.abort(endError(end))
        const opened = await opening.opened.catch(() => null)
        // Its browser had started just before.
        return opened !== null && 'live' in opened ? close(opened.live, end) : ended
      }
      const live = lives.get(session.id)
      return live === undefined ? unwritten.write(session.id) : close(live, end)
    },

    reap: () => endLost(ports, keepMs),

    async tick() {
      await Promise.all([...lives.values()].map((live) => look(live).catch((error: unknown) => log('session-watch-failed', { session: live.session.id, reason: String(error) }))))
      if (now() - beatAt < leaseMs / beats) return
      beatAt = now()
      if (isNeeded()) await beat()
      if (ports.fleet) await endLost(ports, keepMs)
    },

    doors: doorsTo(lives, now),

    async start() {
      if (isNeeded()) await beat()
      await endLost(ports, keepMs)
    },

    async stop(graceMs) {
      stopping = true
      // New sessions go to other processes from now on, and a process that takes over this address gets nothing of this one's.
      if (owner.url !== null && beatAt > Number.NEGATIVE_INFINITY) await beat().catch((error: unknown) => log('session-stop-unsaid', { reason: String(error) }))
      for (const { over } of openings.values()) over.abort(endError('stopped'))
      await Promise.allSettled([...openings.values()].map(({ opened }) => opened))
      await runsEnd([...lives.values()], Math.min(graceMs, runsMs))
      await Promise.allSettled([...lives.values()].map((live) => close(live, 'stopped')))
      if (beatAt > Number.NEGATIVE_INFINITY) await sessions.leave(owner.id)
    },
  }
}

async function refused(live: Live): Promise<never> {
  await hasEnded(live)
  throw overError(live.end)
}

/** Ends the sessions of processes that are gone. */
async function endLost({ sessions, now, log }: SessionPorts, keepMs: number): Promise<void> {
  for (const session of await sessions.reap(now(), keepMs)) log('session-lost', { session })
}

function doorsTo(lives: ReadonlyMap<string, Live>, now: () => number): LiveSessions {
  return {
    find(id): LiveDoor | null {
      const live = lives.get(id)
      if (live === undefined || live.end !== null) return null
      return { browser: live.browser, tokens: accessTokensOf(live.session), touch: () => void (live.lastUsedAt = now()) }
    },
  }
}

async function runsEnd(lives: readonly Live[], ms: number): Promise<void> {
  const limit = deadline(new AbortController().signal, ms, () => new Error('runs go on'))
  await untilAborted(Promise.all(lives.map(({ turn }) => turn)), limit.signal).catch(() => undefined)
  limit.dispose()
}
