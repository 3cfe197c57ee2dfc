import type { Pool, PoolClient } from 'pg'
import { StoreAway } from '../../domain/errors.ts'
import { sleep } from '../../lib/sleep.ts'

/** Connections that fail (08), want of connections, memory or disk (53), a statement that took too long (57014), a server that starts or stops (57P0), one that only reads (25006): a standby, or what was the primary until a moment ago. */
const awayStates = /^(?:08|25006|53|57014|57P0)\w*$/
/** Said by poolers that take nobody more or reach no server, which ends the connection, and of our own messages: of a statement with the wrong number of values, for one. */
const protocolFault = '08P01'
const readOnly = '25006'
const tooMany = '53300'
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

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** Whether a connection leads to a server on which nothing can be written: one that is opened anew may lead to another. */
export const isReadOnly = (error: unknown): boolean => codeOf(error) === readOnly

/** Whether the server said that it can never hold what a statement was to write: data (22), rules (23), limits (54). */
export function isRefusal(error: unknown): boolean {
  return isServerAnswer(error) && /^(?:22|23|54)/.test(codeOf(error))
}

/** Whether an error says that the server, or the way to it, is away; false for what a statement itself is to blame for. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  if (code === protocolFault) return !isServerAnswer(error)
  return awayStates.test(code) || socketCodes.has(code) || error.message === silence
}

/** By what time goes. */
export interface Pace {
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
}

const never = new AbortController().signal
const real: Pace = { now: Date.now, sleep: (ms) => sleep(ms, never) }

/** So long no more connections are asked for than a server has taken that takes no more. */
const cappedMs = 5_000

/** Where a server takes no more connections, those that a pool has are waited for. */
function capped(pool: ConnectingPool, now: () => number): { lift(): void; lower(): void } {
  const most = pool.options.max
  let [until, open] = [0, 0]
  // The pool's own number counts those too that are just being refused.
  pool.on('connect', () => void open++)
  pool.on('remove', () => void open--)
  return {
    lift: () => void (pool.options.max < most && now() >= until && (pool.options.max = most)),
    lower() {
      if (open === 0) return
      pool.options.max = Math.min(most, open)
      until = now() + cappedMs
    },
  }
}

type ConnectingPool = Pick<Pool, 'connect' | 'on' | 'options'>

/** Takes connections from a pool, for a short while again where the server refuses them: nothing has run then. Throws `StoreAway` when that does not help. */
export function connecting(pool: ConnectingPool, { now, sleep: pause }: Pace = real): () => Promise<PoolClient> {
  const cap = capped(pool, now)
  /** When the first was refused of those since the last who was not: an outage is waited out once, and not by each operation of a request. */
  let since: number | null = null
  return async () => {
    const started = now()
    for (let ms = firstPauseMs; ; ms = Math.min(ms * 2, longestPauseMs)) {
      cap.lift()
      try {
        const client = await pool.connect()
        since = null
        return client
      } catch (error) {
        // What is not the server's word comes from the socket, or from the driver that has waited for it.
        if (error instanceof Error && 'severity' in error && !isAway(error)) throw error
        if (codeOf(error) === tooMany) cap.lower()
        since ??= now()
        if (now() + ms > Math.min(started, since) + patienceMs) throw new StoreAway(error)
      }
      await pause(ms)
    }
  }
}
