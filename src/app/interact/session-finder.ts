import { ServiceError } from '../../domain/errors.ts'
import type { Session, SessionOwner } from '../../domain/sessions/sessions.ts'
import { assertOwn } from '../own.ts'
import type { Keeper } from './keeper.ts'
import type { SessionPorts } from './ports.ts'

/** Other processes that have the session or can open it, the best first. */
export interface Elsewhere {
  readonly elsewhere: readonly [SessionOwner, ...SessionOwner[]]
}

/** Where a session is. `none`: it does not exist, or no longer. */
export type Found = { readonly kind: 'none' } | { readonly kind: 'over' | 'here'; readonly session: Session } | { readonly kind: 'elsewhere'; readonly at: Elsewhere }

/** What of the caller decides where it is looked for. */
export interface Seeker {
  readonly team: string
  /** The request was forwarded by another process of the fleet and must not be forwarded again. */
  readonly forwarded: boolean
}

/** Finds the process that has a session, or should open it. */
export interface SessionFinder {
  /** Throws `FORBIDDEN` for another team's session. */
  find(read: () => Promise<Session | null>, seeker: Seeker): Promise<Found>
  /** The process of that id, if it was heard of recently. */
  owner(id: string): Promise<SessionOwner | null>
  /** Where to open a new session; null: here. Throws `BROWSER_NOT_CONFIGURED`. */
  forNew(seeker: Seeker): Promise<Elsewhere | null>
}

const maxTries = 3

/** Over the store; the sessions of dead processes are ended when somebody asks for them. */
export function sessionFinder({ sessions, browsers, owner: self, now }: Pick<SessionPorts, 'sessions' | 'browsers' | 'owner' | 'now'>, keep: Pick<Keeper, 'reap'>): SessionFinder {
  async function ownerOf(id: string): Promise<SessionOwner | null> {
    const known = await sessions.owner(id)
    return known !== null && known.until > now() ? known : null
  }

  async function ofOther(session: Session, forwarded: boolean): Promise<Found | null> {
    const owner = await ownerOf(session.owner)
    if (owner === null) return null
    if (forwarded) throw new ServiceError('BROWSER_FAILURE', 'The process that was asked does not have this session.')
    return { kind: 'elsewhere', at: { elsewhere: [owner] } }
  }

  return {
    async find(read, { team, forwarded }) {
      for (let tries = 0; tries < maxTries; tries++) {
        const session = await read()
        if (session === null) return { kind: 'none' }
        assertOwn('session', session, team)
        if (session.state === 'destroyed') return { kind: 'over', session }
        if (session.owner === self.id) return { kind: 'here', session }
        const found = await ofOther(session, forwarded)
        if (found !== null) return found
        await keep.reap()
      }
      throw new ServiceError('BROWSER_FAILURE', 'The process that had this session is gone.')
    },

    owner: ownerOf,

    async forNew({ forwarded }) {
      if (browsers !== null) return null
      const [first, ...more] = forwarded ? [] : await sessions.hosts(now())
      if (first === undefined) throw new ServiceError('BROWSER_NOT_CONFIGURED', 'No process of the fleet takes browser sessions: start workers with TRAWL_PEER_URL and TRAWL_PEER_SECRET.')
      return { elsewhere: [first, ...more] }
    },
  }
}
