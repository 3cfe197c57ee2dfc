/** `opening` becomes `live`, or is removed when that fails; `live` becomes `destroyed`, which is final. */
export type SessionState = 'opening' | 'live' | 'destroyed'

/**
 * Why a session ended: on request, its time was up, it was idle, credits ran out, its process stopped, its process died,
 * its browser died.
 */
export type SessionEnd = 'deleted' | 'expired' | 'idle' | 'credits' | 'stopped' | 'lost' | 'broken'

/** The parameters of a new session. */
export interface NewSession {
  readonly id: string
  readonly team: string
  /** The API key that pays for it; absent when keys are off. */
  readonly key?: string | null | undefined
  /** The scrape whose page it continues; null for an independent session. */
  readonly scrape: string | null
  /** The process that will run it. */
  readonly owner: string
  /** Its maximum lifetime, and the maximum time without use. */
  readonly ttlMs: number
  readonly idleMs: number
  /** Whether it may be watched. */
  readonly streams: boolean
  /** The secret from which its tokens are derived. */
  readonly secret: string
  readonly createdAt: number
}

/** A team's live browser, as stored. */
export interface Session extends NewSession {
  readonly state: SessionState
  /** When its browser was ready; null before. */
  readonly startedAt: number | null
  readonly lastActivityAt: number
  /** Whether a prompt was run in it, which costs more. */
  readonly prompted: boolean
  readonly endedAt: number | null
  readonly end: SessionEnd | null
  /** Its price; null before its end. */
  readonly credits: number | null
}

/** A process that runs sessions, or could. */
export interface SessionOwner {
  readonly id: string
  /** Where other processes reach it; null when they cannot. */
  readonly url: string | null
  /** Whether it accepts new sessions. */
  readonly open: boolean
  /** When it was last seen, and until when it counts as alive. */
  readonly seenAt: number
  readonly until: number
  /** The number of its sessions. */
  readonly sessions: number
}

/** The result of claiming a session. `taken`: the scrape has or had one. */
export type SessionClaim =
  | { readonly kind: 'claimed' }
  | { readonly kind: 'taken'; readonly session: Session }
  | { readonly kind: 'full'; readonly freeAt: number }
  | { readonly kind: 'poor' }

/** The credits to reserve for a session, and how many sessions a team may have. */
export interface ClaimTerms {
  readonly limit: number
  /** Null when credits never run out. */
  readonly hold: { readonly credits: number; readonly until: number } | null
  readonly now: number
}

/** How a session ended, and how long its row is kept. */
export interface Ending {
  readonly end: SessionEnd
  readonly at: number
  /** When it was last used, as far as known to the process that ends it. */
  readonly usedAt?: number | undefined
  readonly keepMs: number
}

/** Sessions of the whole fleet. Every method is one transaction. */
export interface Sessions {
  /**
   * Announces a process and returns the ids of its sessions that have not ended. A process that accepts new sessions
   * replaces an earlier one under the same URL, which then counts as dead, unless that one accepts no more sessions: then
   * it is ending them itself.
   */
  beat(owner: Pick<SessionOwner, 'id' | 'url' | 'open' | 'until'>, now: number): Promise<readonly string[]>
  /** Announces that a process leaves; its sessions must have ended before. */
  leave(owner: string): Promise<void>
  /** Null when unknown. */
  owner(id: string): Promise<SessionOwner | null>
  /** Processes that can be reached and accept new sessions, those with the fewest first. */
  hosts(now: number): Promise<readonly SessionOwner[]>
  /** Creates a session in state `opening`. Sessions of dead processes do not count towards the limit. */
  claim(session: NewSession, terms: ClaimTerms): Promise<SessionClaim>
  /** The browser is ready: `opening` becomes `live`. Null when the session has ended meanwhile. */
  started(id: string, now: number): Promise<Session | null>
  /** Removes a session that could not be opened, as if it had never been requested. */
  forget(id: string): Promise<void>
  /** Records a use. */
  used(id: string, at: number, prompted: boolean): Promise<void>
  /** Ends a session and charges it, once; always returns its final state. Null when unknown. */
  end(id: string, ending: Ending): Promise<Session | null>
  find(id: string): Promise<Session | null>
  /** The session of a scrape, even if it has ended. */
  ofScrape(scrape: string): Promise<Session | null>
  /** Newest first: the `live` ones, and those that ended after `since`. */
  list(team: string, since: number): Promise<readonly Session[]>
  /**
   * Ends the sessions of dead processes, charged until the process was last seen, and removes those that were `opening`.
   * Returns the ids of those it ended.
   */
  reap(now: number, keepMs: number): Promise<readonly string[]>
}

/** For how long after its retention an ended session is still reported as ended (contract §15.26). */
export const tombstoneMs = 30 * 86_400_000

/** What to tell a caller who asks for an ended session. */
export const endMeanings: Readonly<Record<SessionEnd, string>> = {
  deleted: 'This browser session was stopped.',
  expired: 'The time of this browser session is up.',
  idle: 'This browser session was not used for too long.',
  credits: 'This browser session ended because the credits of the team ran out.',
  stopped: 'This browser session ended because the service was stopped.',
  lost: 'This browser session was lost together with the process that had it.',
  broken: 'This browser session ended because its browser broke down.',
}
