import { setTimeout } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { StoreAway } from '../../domain/errors.ts'
import { steadyNow } from '../../lib/steady-now.ts'

/**
 * SQLSTATEs of an unavailable server: failing connections (08), lack of connections, memory or disk (53), errors of its files (58), statement
 * timeout (57014), starting or stopping (57P0), read-only (25006), as on a standby or a former primary.
 * A missing table (42P01): another database has taken the place of ours, whose tables are all made at the start. A missing
 * database (3D000): ours was dropped, and comes back with a backup.
 */
const awayStates = /^(?:08|25006|3D000|42P01|53|57014|57P0|58)\w*$/
/** Raised by poolers that are full or reach no server, which ends the connection; also for our own protocol errors, such as a wrong number of values. */
const protocolFault = '08P01'
const readOnly = '25006'
const tooMany = '53300'
const socketCodes: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'])

/** The driver's text for a missing answer, which has no code. */
const silence = 'Query read timeout'

/** Whether the server did not answer in time. */
export const isSilence = (error: unknown): boolean => error instanceof Error && error.message === silence

/** How long a connection is asked for again: the time that a server takes to restart. */
const patienceMs = 2_000
const firstPauseMs = 25
const longestPauseMs = 400

/** Whether the server reported the error as the answer to a statement: the connection is then sound. */
export function isServerAnswer(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && error.severity === 'ERROR'
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** Whether the connection leads to a read-only server: a new one may lead elsewhere. */
export const isReadOnly = (error: unknown): boolean => codeOf(error) === readOnly

/** Whether the server can never store what a statement writes: data (22), constraints (23), limits (54). */
export function isRefusal(error: unknown): boolean {
  return isServerAnswer(error) && /^(?:22|23|54)/.test(codeOf(error))
}

/** Whether the server or the network is unavailable; false for errors of the statement itself. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  if (code === protocolFault) return !isServerAnswer(error)
  return awayStates.test(code) || socketCodes.has(code) || isSilence(error)
}

/** Whether the server found its own data damaged: corrupted data or indexes. */
export const isDamage = (error: unknown): error is Error => error instanceof Error && /^XX00[12]$/.test(codeOf(error))

/** A clock, and a way to wait. */
export interface Pace {
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
}

const real: Pace = { now: steadyNow, sleep: (ms) => setTimeout(ms) }

/** How long no more connections are requested than a full server has accepted. */
const cappedMs = 5_000

/** While the server accepts no more connections, waits for those that the pool has. */
function capped(pool: ConnectingPool, now: () => number): { lift(): void; lower(): void } {
  const most = pool.options.max
  let [until, open] = [0, 0]
  // The pool's own count includes those that are just being refused.
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

/** Takes connections from a pool, retrying for a while if the server refuses: nothing has run by then. Throws `StoreAway` if that fails. */
export function connecting(pool: ConnectingPool, { now, sleep: pause }: Pace = real): () => Promise<PoolClient> {
  const cap = capped(pool, now)
  /** When the refusals began that have not ended since: an outage is waited out once, not by each operation of a request. */
  let since: number | null = null
  /** Once a login was accepted, the settings are right: one that is refused is due to a change at the server, as when passwords are exchanged. */
  let welcome = false
  return async () => {
    const started = now()
    for (let ms = firstPauseMs; ; ms = Math.min(ms * 2, longestPauseMs)) {
      cap.lift()
      try {
        const client = await pool.connect()
        since = null
        welcome = true
        return client
      } catch (error) {
        // Errors not sent by the server come from the socket, or from a driver timeout.
        if (!welcome && error instanceof Error && 'severity' in error && !isAway(error)) throw error
        if (codeOf(error) === tooMany) cap.lower()
        since ??= now()
        if (now() + ms > Math.min(started, since) + patienceMs) throw new StoreAway(error)
      }
      await pause(ms)
    }
  }
}
