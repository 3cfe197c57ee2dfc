import { connect, type Socket } from 'node:net'
import { ServiceError } from '../domain/errors.ts'
import type { Endpoint } from './addresses.ts'
import { codeOf, nameless } from './failures.ts'

// RFC 8305 §5: try the next address when the previous one has not answered for this long.
const staggerMs = 250
const maxAddresses = 8

/** This machine has no way to the address, as to all of IPv6 on many a network. */
const wayless: ReadonlySet<string> = new Set(['ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL'])

/** Whether a connection failed because this machine has no way to any of the addresses. */
export function isWayless(error: unknown): boolean {
  return wayless.has(codeOf(error))
}

/** This machine, or this process, has no socket left for a connection. */
const socketless: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOBUFS'])

/** What to report of a failure because there was no socket: it says nothing of the host. Null for other failures. */
export function shortage(error: unknown): ServiceError | null {
  if (!socketless.has(codeOf(error))) return null
  return new ServiceError('OVERLOADED', 'The machine has no room for another connection.', { cause: nameless(error), retryAfterSeconds: 5 })
}

/**
 * Connects to the endpoints, starting one after the other with short delays; resolves with the first that answers. Rejects
 * with the signal's reason, or with the first connection error when all have failed, rather one that says something about
 * the host. Destroys the other sockets.
 */
export async function connectFirst(endpoints: readonly Endpoint[], signal: AbortSignal): Promise<Socket> {
  signal.throwIfAborted()
  const waiting = endpoints.slice(0, maxAddresses)
  const open = new Set<Socket>()
  let timer: NodeJS.Timeout | undefined
  let firstError: Error | undefined
  let onAbort = () => {}

  try {
    return await new Promise<Socket>((resolve, reject) => {
      onAbort = () => reject(signal.reason)
      signal.addEventListener('abort', onAbort, { once: true })
      const next = () => {
        clearTimeout(timer)
        const endpoint = waiting.shift()
        if (endpoint === undefined) {
          if (open.size === 0) reject(firstError ?? new Error('no address to connect to'))
          return
        }
        if (waiting.length > 0) timer = setTimeout(next, staggerMs)
        const socket = connect({ host: endpoint.address, port: endpoint.port, noDelay: true })
        open.add(socket)
        socket.once('connect', () => {
          open.delete(socket)
          socket.removeAllListeners('error')
          resolve(socket)
        })
        socket.once('error', (error) => {
          open.delete(socket)
          if (firstError === undefined || isWayless(firstError)) firstError = error
          next()
        })
      }
      next()
    })
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    for (const socket of open) {
      socket.removeAllListeners('error')
      // Swallow a late error of a socket that is not used any more.
      socket.on('error', () => {})
      socket.destroy()
    }
  }
}
