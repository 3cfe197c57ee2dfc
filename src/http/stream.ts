import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { OpenCall } from './call.ts'
import { causeOf } from './errors.ts'
import type { Reply } from './handlers/handler.ts'
import type { Log } from './ports.ts'

/** Bytes that the server asks for ahead of the client. */
const aheadBytes = 65_536

/** What a stop that has waited long enough cuts off. */
export type Work = Set<Pick<OpenCall, 'abort'>>

/**
 * A body as the server takes it: pieces as a stream that waits for the client, among `work` as long as it lasts. A failure in the middle ends
 * the connection, never the answer, so that a part is not taken for the whole.
 */
export function sendable(body: Reply['body'], { raw, request }: FastifyReply, { work, log }: { readonly work: Work; readonly log: Log }): Readable | Uint8Array | string {
  if (typeof body === 'string' || body instanceof Uint8Array) return body
  const stream = Readable.from(body, { objectMode: false, highWaterMark: aheadBytes })
  const entry = { abort: (reason: Error) => void stream.destroy(reason) }
  work.add(entry)
  stream.once('error', (error: Error) => {
    // What fails before is answered with an error, and logged with it.
    if (raw.headersSent) log('error', 'answer-failed', { requestId: request.id, cause: causeOf(error) })
  })
  stream.once('close', () => {
    work.delete(entry)
    if (!stream.readableEnded && stream.errored === null) log('info', 'answer-left', { requestId: request.id })
  })
  return stream
}
