import type { Socket } from 'node:net'
import { type Answer, Closed, Connection, type Keeper } from './connection.ts'

const idleMs = 15_000
// As many as a job may have open to a host: with fewer, half of the pages of a slow site needed a new connection
// (measured).
const maxIdlePerOrigin = 100
const maxIdle = 256
const maxStale = 8

/** A request: the origin whose connections it may reuse, a way to open a new one, and its text. */
export interface Asking {
  readonly origin: string
  readonly dial: () => Promise<Socket>
  readonly request: string
  readonly signal: AbortSignal
}

/** Connections that are reused between requests. */
export interface Pool {
  /** Throws what `Connection.ask` and `dial` throw, and the signal's reason. */
  ask(asking: Asking): Promise<Answer>
  close(): void
}

/** An empty pool. */
export function connectionPool(): Pool {
  const all = new Set<Connection>()
  const idle = new Map<string, Connection[]>()
  let idleCount = 0

  function take(origin: string): Connection | null {
    const kept = idle.get(origin)
    const connection = kept?.pop() ?? null
    if (kept?.length === 0) idle.delete(origin)
    if (connection !== null) {
      idleCount--
      connection.rest(0)
    }
    return connection
  }

  function drop(origin: string, connection: Connection): void {
    const kept = idle.get(origin) ?? []
    const at = kept.indexOf(connection)
    if (at < 0) return
    kept.splice(at, 1)
    idleCount--
    if (kept.length === 0) idle.delete(origin)
  }

  function keep(origin: string, connection: Connection, ms: number): void {
    const kept = idle.get(origin) ?? []
    if (idleCount >= maxIdle || kept.length >= maxIdlePerOrigin) return connection.leave()
    kept.push(connection)
    idle.set(origin, kept)
    idleCount++
    connection.rest(Math.min(ms, idleMs))
  }

  /** A server that closed one idle connection has closed others of the same age, too. */
  function forget(origin: string): void {
    const kept = idle.get(origin) ?? []
    idle.delete(origin)
    idleCount -= kept.length
    for (const connection of kept) connection.leave()
  }

  async function open({ origin, dial }: Asking): Promise<Connection> {
    const keeper: Keeper = {
      onFree: (connection, ms) => keep(origin, connection, ms),
      onGone: (connection) => {
        all.delete(connection)
        drop(origin, connection)
      },
    }
    const connection = new Connection(await dial(), keeper)
    all.add(connection)
    return connection
  }

  async function askOn(connection: Connection, { request, signal }: Asking): Promise<Answer> {
    const end = (): void => connection.leave(signal.reason instanceof Error ? signal.reason : new Error('aborted'))
    if (signal.aborted) end()
    signal.throwIfAborted()
    signal.addEventListener('abort', end, { once: true })
    try {
      return await connection.ask(request)
    } finally {
      signal.removeEventListener('abort', end)
    }
  }

  return {
    async ask(asking) {
      for (let stale = 0; stale < maxStale; stale++) {
        const connection = take(asking.origin)
        if (connection === null) break
        try {
          return await askOn(connection, asking)
        } catch (error) {
          if (!(error instanceof Closed) || asking.signal.aborted) throw error
          forget(asking.origin)
        }
      }
      return askOn(await open(asking), asking)
    },
    close() {
      for (const connection of all) connection.leave()
    },
  }
}
