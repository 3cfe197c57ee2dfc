import { ServiceError } from '../domain/errors.ts'
import { type Changes, changesOf } from './changes.ts'
import type { HttpOptions, HttpPorts } from './ports.ts'

/** Somebody who is told of the events of a job as they come. */
export type Follower = Changes

/** All followers of the process: so many a team, and none once it stops. */
export interface Followers {
  /** Throws `RATE_LIMITED` when the team has enough, `SHUTTING_DOWN`. Close it when the connection ends. */
  enter(team: string): Follower
  /** Sends everybody away. */
  close(): void
}

const defaults = { pace: { soonestMs: 100, latestMs: 2_000 }, followers: 200 }

export function followers({ onChange }: Pick<HttpPorts, 'onChange'>, options: Pick<HttpOptions, 'pace' | 'followers'>): Followers {
  const most = options.followers ?? defaults.followers
  const byTeam = new Map<string, Set<Follower>>()
  let closed = false
  return {
    enter(team) {
      if (closed) throw new ServiceError('SHUTTING_DOWN')
      const known = byTeam.get(team) ?? new Set()
      if (known.size >= most) throw new ServiceError('RATE_LIMITED', `At most ${most} connections of a team may follow jobs at once.`, { retryAfterSeconds: 5 })
      const changes = changesOf(onChange, options.pace ?? defaults.pace)
      const follower: Follower = {
        changed: changes.changed,
        close: () => {
          changes.close()
          known.delete(follower)
          if (known.size === 0 && byTeam.get(team) === known) byTeam.delete(team)
        },
      }
      byTeam.set(team, known.add(follower))
      return follower
    },
    close: () => {
      closed = true
      for (const follower of [...byTeam.values()].flatMap((known) => [...known])) follower.close()
    },
  }
}
