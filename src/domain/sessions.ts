/** `opening` becomes `live`, or is forgotten when that fails; `live` becomes `destroyed` and stays that. */
export type SessionState = 'opening' | 'live' | 'destroyed'

/** Why a session ended: asked for, its time was up, nobody used it, credits ran out, its process stopped, its process died, its browser died. */
export type SessionEnd = 'deleted' | 'expired' | 'idle' | 'credits' | 'stopped' | 'lost' | 'broken'

/** What a session is opened with. */
export interface NewSession {
  readonly id: string
  readonly team: string
  /** The key that pays for it; absent where keys are off. */
  readonly key?: string | null | undefined
  /** The scrape whose page it continues; null where it stands alone. */
  readonly scrape: string | null
  /** The process that is to have it. */
  readonly owner: string
  /** How long it lives at most, and how long without use. */
  readonly ttlMs: number
  readonly idleMs: number
  /** Whether it may be watched. */
  readonly streams: boolean
  /** What its tokens are made of. */
  readonly secret: string
  readonly createdAt: number
}

/** A live browser of a team, as the store knows it. */
export interface Session extends NewSession {
  readonly state: SessionState
  /** When its browser was there; null before. */
  readonly startedAt: number | null
  readonly lastActivityAt: number
  /** Whether a prompt was run in it, which costs more. */
  readonly prompted: boolean
  readonly endedAt: number | null
  readonly end: SessionEnd | null
  /** What it cost; null before its end. */
  readonly credits: number | null
}

/** A process that has sessions, or may have. */
export interface SessionOwner {
  readonly id: string
  /** Where other processes reach it; null where they do not. */
  readonly url: string | null
  /** Takes new sessions. */
  readonly open: boolean
  /** When it was last heard of, and until when it counts as there. */
  readonly seenAt: number
  readonly until: number
  /** Sessions that it has. */
  readonly sessions: number
}

/** How a request for a session was met. `taken`: the scrape has or had one. */
export type SessionClaim =
  | { readonly kind: 'claimed' }
  | { readonly kind: 'taken'; readonly session: Session }
  | { readonly kind: 'full'; readonly freeAt: number }
  | { readonly kind: 'poor' }

/** What is set aside for a session, and how many a team may have. */
export interface ClaimTerms {
  readonly limit: number
  /** Null where credits never run out. */
  readonly hold: { readonly credits: number; readonly until: number } | null
  readonly now: number
}

/** How a session ended, and until when that is to be known. */
export interface Ending {
  readonly end: SessionEnd
  readonly at: number
  /** When it was used last, as far as whoever ends it knows. */
  readonly usedAt?: number | undefined
  readonly keepMs: number
}

/** Sessions over the whole fleet. Every method is one transaction. */
export interface Sessions {
  /** Says that a process is there; where it takes new sessions, another one under the same URL is gone by that, unless it has said that it takes none any more: then it ends its sessions. Answers the ids of its sessions that have not ended. */
  beat(owner: Pick<SessionOwner, 'id' | 'url' | 'open' | 'until'>, now: number): Promise<readonly string[]>
  /** Says that a process goes; its sessions have ended before. */
  leave(owner: string): Promise<void>
  /** Null when unknown. */
  owner(id: string): Promise<SessionOwner | null>
  /** Processes that take new sessions and can be reached, those with the fewest first. */
  hosts(now: number): Promise<readonly SessionOwner[]>
  /** Makes a session that is `opening`. Sessions of processes that are gone do not count towards the limit. */
  claim(session: NewSession, terms: ClaimTerms): Promise<SessionClaim>
  /** The browser is there: `opening` becomes `live`. Null when the session has ended meanwhile. */
  started(id: string, now: number): Promise<Session | null>
  /** Forgets a session that could not be opened, as if it had never been asked for. */
  forget(id: string): Promise<void>
  /** Notes a use. */
  used(id: string, at: number, prompted: boolean): Promise<void>
  /** Ends a session and charges it, once; answers it as it ended, however often it is asked. Null when unknown. */
  end(id: string, ending: Ending): Promise<Session | null>
  find(id: string): Promise<Session | null>
  /** The session of a scrape, also of one that is gone. */
  ofScrape(scrape: string): Promise<Session | null>
  /** Newest first: those that are `live`, and those that ended after `since`. */
  list(team: string, since: number): Promise<readonly Session[]>
  /** Ends the sessions of processes that are gone, charged until those were last heard of; forgets those that were opening. Answers the ids of those ended. */
  reap(now: number, keepMs: number): Promise<readonly string[]>
}

/** That a session ended is known for so long after its retention (contract §15.26). */
export const tombstoneMs = 30 * 86_400_000

/** Why whoever asks for a session that is over gets none. */
export const endMeanings: Readonly<Record<SessionEnd, string>> = {
  deleted: 'This browser session was stopped.',
  expired: 'The time of this browser session is up.',
  idle: 'This browser session was not used for too long.',
  credits: 'This browser session ended because the credits of the team ran out.',
  stopped: 'This browser session ended because the service was stopped.',
  lost: 'This browser session was lost together with the process that had it.',
  broken: 'This browser session ended because its browser broke down.',
}
