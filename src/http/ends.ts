import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyRequest } from 'fastify'

type Socket = FastifyRequest['raw']['socket']

/** Callbacks for the end of a connection: one listener for all, as hundreds of requests may be pipelined over it. */
const ends = new WeakMap<Socket, Set<() => void>>()

/** Calls `gone` when the connection ends, or at once if it has; returns a function that cancels this. */
export function whenGone(socket: Socket, gone: () => void): () => void {
  if (socket.destroyed) gone()
  const known = ends.get(socket)
  const waiting = known ?? new Set()
  if (known === undefined) {
    ends.set(socket, waiting)
    socket.once('close', () => {
      for (const tell of waiting) tell()
    })
  }
  waiting.add(gone)
  return () => void waiting.delete(gone)
}

/**
 * Closes a response with its connection also while it waits behind another on a pipelined one: Node does not, and what the
 * response holds would be held forever.
 */
export function closeWithConnection(response: ServerResponse, socket: Socket): void {
  const stay = whenGone(socket, () => {
    if (response.socket !== null || response.destroyed || response.writableFinished) return
    response.destroy()
    response.emit('close')
  })
  response.once('close', stay)
}

/** Ends a response halfway so that no client mistakes the part for the whole. */
export function cutOff(response: ServerResponse): void {
  // To a client of HTTP/1.0, such as nginx by default, an ordinary end of the connection is that of the response.
  if (response.headersSent && !response.chunkedEncoding) response.socket?.resetAndDestroy()
  response.destroy()
}

/** How often a connection is looked at in the time that a response may be left unread. */
const looks = 4

/**
 * Ends a response of which its client takes nothing for so long, or a quarter longer: it must not be held forever. One with
 * nothing to send waits for us, not for its client. Node's timeout alone would take up to twice the time: where a part of the
 * last write was taken at first, it goes off a whole interval late.
 */
export function endUnread(response: ServerResponse, afterMs: number): void {
  const lookMs = afterMs / looks
  /** Looks in a row between which nothing was taken, and when the last was. */
  let [quiet, lookedAt] = [0, 0]
  response.setTimeout(lookMs, () => {
    const now = performance.now()
    const isNext = now - lookedAt < 2 * lookMs
    quiet = response.writableLength === 0 ? 0 : isNext ? quiet + 1 : 1
    lookedAt = now
    if (quiet >= looks) cutOff(response)
    else response.setTimeout(lookMs)
  })
}

/** Whether a request says the length of its body, or has none. */
export const hasLength = ({ headers }: IncomingMessage): boolean => headers['transfer-encoding'] === undefined

/**
 * Whether more of a body is to come that says no length. Where it is not read, Node would receive it to its end to keep the
 * connection, and chunks of one byte, which anyone may send, would hold up everybody else.
 */
export async function isEndless(message: IncomingMessage): Promise<boolean> {
  if (message.complete || hasLength(message)) return false
  // What came together with the head is taken in first.
  await new Promise((resolve) => setImmediate(resolve))
  return !message.complete
}
