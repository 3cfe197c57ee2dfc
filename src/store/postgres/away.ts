import type { Pool, PoolClient } from 'pg'
import { StoreAway } from '../../domain/errors.ts'
import { sleep } from '../../lib/sleep.ts'

/** Connections that fail (08), want of connections, memory or disk (53), a statement that took too long (57014), a server that starts or stops (57P0). */
// 08P01 is said of our own messages too: of a statement with the wrong number of values, for one.
const awayStates = /^(?:08(?!P01)|53|57014|57P0)\w*$/
const socketCodes: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'])

/** What the driver says when no answer came in time; it has no code for that. */
const silence = 'Query read timeout'

/** So long a connection is asked for again: what a server takes that is started anew. */
const patienceMs = 2_000
const firstPauseMs = 25
const longestPauseMs = 400

/** True for an error that the server reported as the answer to a statement: the connection itself is sound. */
export function isServerAnswer(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && error.severity === 'ERROR'
}

/** Whether the server said that it can never hold what a statement was to write: data (22), rules (23), limits (54). */
export function isRefusal(error: unknown): boolean {
  return isServerAnswer(error) && error instanceof Error && 'code' in error && /^(?:22|23|54)/.test(String(error.code))
}

/** Whether an error says that the server, or the way to it, is away; false for what a statement itself is to blame for. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return awayStates.test(code) || socketCodes.has(code) || error.message === silence
}

/** By what time goes. */
export interface Pace {
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
}

const never = new AbortController().signal
const real: Pace = { now: Date.now, sleep: (ms) => sleep(ms, never) }

/** Takes connections from a pool, for a short while again where the server refuses them: nothing has run then. Throws `StoreAway` when that does not help. */
export function connecting(pool: Pick<Pool, 'connect'>, { now, sleep: pause }: Pace = real): () => Promise<PoolClient> {
  /** When the first was refused of those since the last who was not: an outage is waited out once, and not by each operation of a request. */
  let since: number | null = null
  return async () => {
    const started = now()
    for (let ms = firstPauseMs; ; ms = Math.min(ms * 2, longestPauseMs)) {
      try {
        const client = await pool.connect()
        since = null
        return client
      } catch (error) {
        // What is not the server's word comes from the socket, or from the driver that has waited for it.
        if (error instanceof Error && 'severity' in error && !isAway(error)) throw error
        since ??= now()
        if (now() + ms > Math.min(started, since) + patienceMs) throw new StoreAway(error)
      }
      await pause(ms)
    }
  }
}
