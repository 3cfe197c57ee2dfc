import { Readable } from 'node:stream'
import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { OpenCall } from './call.ts'
import { cutOff } from './ends.ts'
import { causeOf } from './errors.ts'
import type { Reply } from './handlers/handler.ts'
import type { Log } from './ports.ts'

/** How many bytes to produce ahead of the client. */
const aheadBytes = 65_536

/** What a stop cuts off after its grace period. */
export type Work = Set<Pick<OpenCall, 'abort'>>

/** Waits until a client has taken what was sent to it, or has left. */
function taken(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
  })
}

/** The pieces, each asked for when the client has taken those before it: whoever makes them then knows that they are sent. */
async function* inTurn(body: AsyncIterable<Uint8Array>, response: ServerResponse): AsyncGenerator<Uint8Array> {
  for await (const piece of body) {
    yield piece
    if (response.writableNeedDrain) await taken(response)
  }
}

/**
 * A body in the form that the server sends: pieces become a stream that waits for the client, and is in `work` meanwhile. A
 * failure halfway ends the connection rather than the response, so that a part is not mistaken for the whole.
 */
export function sendable(body: Reply['body'], { raw, request }: FastifyReply, { work, log }: { readonly work: Work; readonly log: Log }): Readable | Uint8Array | string {
  if (typeof body === 'string' || body instanceof Uint8Array) return body
  const stream = Readable.from(inTurn(body, raw), { objectMode: false, highWaterMark: aheadBytes })
  const entry = { abort: (reason: Error) => void stream.destroy(reason) }
  work.add(entry)
  stream.once('error', (error: Error) => {
    // An earlier failure is answered with an error, and logged there.
    if (!raw.headersSent) return
    log('error', 'answer-failed', { requestId: request.id, cause: causeOf(error) })
    cutOff(raw)
  })
  stream.once('close', () => {
    work.delete(entry)
    if (!stream.readableEnded && stream.errored === null) log('info', 'answer-left', { requestId: request.id })
  })
  return stream
}
