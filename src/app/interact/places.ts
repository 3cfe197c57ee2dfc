import { ServiceError } from '../../domain/errors.ts'
import type { Session, SessionOwner } from '../../domain/sessions.ts'
import type { Keeper } from './keeper.ts'
import type { SessionPorts } from './ports.ts'

/** Another process has the session, or is to have it; those after the first may have it as well. */
export interface Elsewhere {
  readonly elsewhere: readonly [SessionOwner, ...SessionOwner[]]
}

/** Where a session is. `none`: there is none, or none any more. */
export type Place = { readonly kind: 'none' } | { readonly kind: 'over' | 'here'; readonly session: Session } | { readonly kind: 'elsewhere'; readonly at: Elsewhere }

/** Who asks, as far as it matters for the place. */
export interface Seeker {
  readonly team: string
  /** Another process of the fleet sends us the request: it is not to be sent on. */
  readonly forwarded: boolean
}

/** Finds out which process has a session, or is to have it. */
export interface Places {
  /** Throws `FORBIDDEN` for another team's session. */
  find(read: () => Promise<Session | null>, seeker: Seeker): Promise<Place>
  /** Where a new session is to be; null: here. Throws `BROWSER_NOT_CONFIGURED`. */
  forNew(seeker: Seeker): Promise<Elsewhere | null>
}

const maxTries = 3

/** Places over the store; processes that are gone lose their sessions when somebody asks for them. */
export function places({ sessions, browsers, owner: self, now }: Pick<SessionPorts, 'sessions' | 'browsers' | 'owner' | 'now'>, keep: Pick<Keeper, 'reap'>): Places {
  async function ofOther(session: Session, forwarded: boolean): Promise<Place | null> {
    const owner = await sessions.owner(session.owner)
    if (owner === null || owner.until <= now()) return null
    if (forwarded) throw new ServiceError('BROWSER_FAILURE', 'The process that was asked does not have this session.')
    return { kind: 'elsewhere', at: { elsewhere: [owner] } }
  }

  return {
    async find(read, { team, forwarded }) {
      for (let tries = 0; tries < maxTries; tries++) {
        const session = await read()
        if (session === null) return { kind: 'none' }
        if (session.team !== team) throw new ServiceError('FORBIDDEN', 'This session belongs to another team.')
        if (session.state === 'destroyed') return { kind: 'over', session }
        if (session.owner === self.id) return { kind: 'here', session }
        const place = await ofOther(session, forwarded)
        if (place !== null) return place
        await keep.reap()
      }
      throw new ServiceError('BROWSER_FAILURE', 'The process that had this session is gone.')
    },

    async forNew({ forwarded }) {
      if (browsers !== null) return null
      const [first, ...more] = forwarded ? [] : await sessions.hosts(now())
      if (first === undefined) throw new ServiceError('BROWSER_NOT_CONFIGURED', 'No process of the fleet takes browser sessions: start workers with TRAWL_PEER_URL and TRAWL_PEER_SECRET.')
      return { elsewhere: [first, ...more] }
    },
  }
}
