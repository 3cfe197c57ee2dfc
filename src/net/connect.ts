import { connect, type Socket } from 'node:net'
import type { Endpoint } from './addresses.ts'

// RFC 8305 §5: the next address is tried when the one before has not answered for this long.
const staggerMs = 250
const maxAddresses = 8

/**
 * Connects to the first of the endpoints that answers, starting them one after the other without waiting long for each. Rejects with
 * the signal's reason, or with the first connection error when all have failed. Sockets that lost are destroyed.
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
          firstError ??= error
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
      // A late failure of a socket that nobody waits for any more.
      socket.on('error', () => {})
      socket.destroy()
    }
  }
}
