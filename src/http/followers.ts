import { ServiceError, StoreAway } from '../domain/errors.ts'
import { type Changes, changesOf } from './changes.ts'
import type { HttpOptions, HttpPorts } from './ports.ts'

/** Whether who asked may be told more. */
export interface Standing {
  /** Asked before each part, as a client that is slow hears of the past for longer than a key is good. */
  isGood(): Promise<boolean>
  /** Why nothing more is told, where the key that it came with is revoked. */
  refusal(): ServiceError | null
}

/** What a follower is told is read from these. */
export type Sources = Pick<HttpPorts, 'jobs' | 'blobs'>

/** Somebody who is told of the events of a job as they come. */
export interface Follower extends Changes, Standing {
  /** The same, but where the store is away they wait until it is back, or nobody listens any more: what is followed goes on then. */
  patient(sources: Sources): Sources
}

/** On whose behalf a job is followed; without a key where keys are off. */
export interface Following {
  readonly team: string
  readonly key: string | null
}

/** All followers of the process: so many a team, and none once it stops. */
export interface Followers {
  /** Throws `RATE_LIMITED` when the team has enough, `SHUTTING_DOWN`. Close it when the connection ends. */
  enter(following: Following): Follower
  /** Of somebody who is told much, and then no more. */
  standing(following: Following): Standing
  /** Sends everybody away. */
  close(): void
}

/** The parts, as long as whoever follows may be told more. */
export async function* whileGood(parts: AsyncIterable<Uint8Array>, { isGood }: Pick<Standing, 'isGood'>): AsyncGenerator<Uint8Array> {
  for await (const part of parts) {
    if (!(await isGood())) return
    yield part
  }
}

/** All of the parts: throws where no more may be told, so that some are not taken for all. */
export async function* whileGoodOrThrow(parts: AsyncIterable<Uint8Array>, { isGood, refusal }: Standing): AsyncGenerator<Uint8Array> {
  for await (const part of parts) {
    if (!(await isGood())) throw refusal() ?? new ServiceError('UNAUTHORIZED')
    yield part
  }
}

const defaults = { pace: { soonestMs: 100, latestMs: 2_000 }, followers: 200 }

type Reading = <T>(read: () => Promise<T>) => Promise<T>

const once: Reading = (read) => read()

/** Reads again and again while the store is away and somebody listens. */
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

  /** Whether a follower may be told more: a job may go on for longer than a key is good. */
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
