import { createHash } from 'node:crypto'
import { ServiceError } from '../../domain/errors.ts'

/** Official clients repeat a 502 at once, twice, with the same body (contract §7.2): for so long a repeat is answered with the same error. */
const repeatMs = 5_000
const maxRemembered = 10_000

interface Failed {
  readonly error: ServiceError
  readonly until: number
}

/** Answers repeats of calls that ended with 502 without having done anything. */
export interface Repeats {
  /** Does the work, unless the same call on the same target has just ended with 502. */
  guard<T>(target: string, body: unknown, work: () => Promise<T>): Promise<T>
}

/** Kept in memory: a repeat reaches the same process, or one that has to ask it. */
export function repeats(now: () => number): Repeats {
  const failed = new Map<string, Failed>()

  function note(key: string, error: ServiceError): void {
    for (const [old, { until }] of failed) {
      if (until > now() && failed.size < maxRemembered) break
      failed.delete(old)
    }
    failed.delete(key)
    failed.set(key, { error, until: now() + repeatMs })
  }

  return {
    async guard(target, body, work) {
      const key = createHash('sha256').update(target).update('\0').update(JSON.stringify(body)).digest('base64url')
      const known = failed.get(key)
      if (known !== undefined && known.until > now()) throw known.error
      try {
        return await work()
      } catch (error) {
        if (error instanceof ServiceError && error.status === 502) note(key, error)
        throw error
      }
    },
  }
}
