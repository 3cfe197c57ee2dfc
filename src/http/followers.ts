import { ServiceError, StoreAway } from '../domain/errors.ts'
import { type Changes, changesOf } from './notices.ts'
import type { HttpOptions, HttpPorts } from './ports.ts'

/** Whether a follower may receive more. */
export interface Standing {
  /** Call it before each part: to a slow client, a key can be revoked while past events are still being sent. */
  isGood(): Promise<boolean>
  /** The error for a follower whose key has been revoked; null while it may continue. */
  refusal(): ServiceError | null
}

/** What a follower's events are read from. */
export type Sources = Pick<HttpPorts, 'jobs' | 'blobs'>

/** A client that receives the events of a job as they occur. */
export interface Follower extends Changes, Standing {
  /** Sources that wait while the store is away, until it is back or the follower has left; then following continues. */
  patient(sources: Sources): Sources
}

/** For whom a job is followed; without a key when keys are off. */
export interface Following {
  readonly team: string
  readonly key: string | null
}

/** All followers of the process: limited per team, and none once it stops. */
export interface Followers {
  /** Throws `RATE_LIMITED` when the team has too many, `SHUTTING_DOWN`. Close the follower when its connection ends. */
  enter(following: Following): Follower
  /** The standing of a client that receives one long response. */
  standing(following: Following): Standing
  /** Disconnects all followers. */
  close(): void
}

/** The parts, until the follower may receive no more. */
export async function* whileGood(parts: AsyncIterable<Uint8Array>, { isGood }: Pick<Standing, 'isGood'>): AsyncGenerator<Uint8Array> {
  for await (const part of parts) {
    if (!(await isGood())) return
    yield part
  }
}

/** All parts: throws when the follower may receive no more, so that a part is not mistaken for the whole. */
export async function* whileGoodOrThrow(parts: AsyncIterable<Uint8Array>, { isGood, refusal }: Standing): AsyncGenerator<Uint8Array> {
  for await (const part of parts) {
    if (!(await isGood())) throw refusal() ?? new ServiceError('UNAUTHORIZED')
    yield part
  }
}

const defaults = { pace: { soonestMs: 100, latestMs: 2_000 }, followers: 200 }

type Reading = <T>(read: () => Promise<T>) => Promise<T>

const once: Reading = (read) => read()

/** Repeats a read while the store is away and the follower listens. */
const untilBack = ({ changed }: Changes): Reading => async (read) => {
  for (;;) {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof StoreAway) || !(await changed())) throw error
    }
  }
}

const through = (reading: Reading) => ({ jobs, blobs }: Sources): Sources => ({
  jobs: {
    ...jobs,
    find: (...args) => reading(() => jobs.find(...args)),
    events: (...args) => reading(() => jobs.events(...args)),
    results: (...args) => reading(() => jobs.results(...args)),
    skipped: (...args) => reading(() => jobs.skipped(...args)),
  },
  blobs: { ...blobs, get: (...args) => reading(() => blobs.get(...args)) },
})

export function followers({ onChange, accounts }: Pick<HttpPorts, 'onChange' | 'accounts'>, options: Pick<HttpOptions, 'pace' | 'followers'>): Followers {
  const most = options.followers ?? defaults.followers
  const pace = options.pace ?? defaults.pace
  const byTeam = new Map<string, Set<Follower>>()
  let closed = false

  /** Checks the key repeatedly: a job may run longer than a key is valid. */
  function standing({ team, key }: Following, reading: Reading = once): Standing {
    let askedAt = performance.now()
    let refusal: ServiceError | null = null
    return {
      async isGood() {
        if (key === null || performance.now() - askedAt < pace.latestMs) return refusal === null
        askedAt = performance.now()
        const revoked = (await reading(() => accounts.keys(team))).find(({ id }) => id === key)?.revokedAt !== null
        if (revoked) refusal = new ServiceError('UNAUTHORIZED', 'This API key is revoked.')
        return !revoked
      },
      refusal: () => refusal,
    }
  }

  return {
    standing,
    enter(following) {
      const { team } = following
      if (closed) throw new ServiceError('SHUTTING_DOWN')
      const known = byTeam.get(team) ?? new Set()
      if (known.size >= most) throw new ServiceError('RATE_LIMITED', `At most ${most} connections of a team may follow jobs at once.`, { retryAfterSeconds: 5 })
      const changes = changesOf(onChange, pace)
      const reading = untilBack(changes)
      const { isGood, refusal } = standing(following, reading)
      const follower: Follower = {
        changed: async () => (await changes.changed()) && (await isGood()),
        isGood,
        refusal,
        patient: through(reading),
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
