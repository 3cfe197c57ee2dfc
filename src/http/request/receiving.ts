import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest, RequestPayload } from 'fastify'
import { ServiceError } from '../../domain/errors.ts'
import { whenGone } from '../ends.ts'
import { forAWhile } from '../held.ts'
import type { HttpOptions, HttpPorts } from '../ports.ts'

/** Bodies of requests up to this size are not counted. */
const smallBytes = 2 ** 20

/** The request whose body it is. */
interface Arrival {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly options: Pick<HttpOptions, 'memoryWaitMs'>
}

/** Waits for the memory of a body, twice its size for what is made of it; it stays counted until the response is sent. */
async function makeRoom(bytes: number, { request, reply, options }: Arrival, ports: HttpPorts): Promise<void> {
  if (reply.raw.destroyed) return
  const room = ports.bodies.open(request.team)
  reply.raw.once('close', room.close)
  const left = new AbortController()
  const stay = whenGone(request.raw.socket, () => left.abort(new ServiceError('BAD_REQUEST', 'The request did not arrive whole.')))
  await forAWhile(room, options).take(bytes * 2, left.signal).finally(stay)
}

/**
 * The number of chunks in which a body of that length may come: handling one takes longer than sending it, and nobody else
 * is served meanwhile.
 */
const mostChunks = (length: number): number => 20_000 + length / 256

/** How many bytes a body may have, and what is said of a larger one. */
export interface BodyLimit {
  readonly bytes: number
  readonly beyond: () => ServiceError
}

/** What receiving a body of unknown length does on the way. */
interface OnTheWay {
  readonly limit: BodyLimit
  /** Waits for memory, where the body turns out not to be small. */
  readonly room: () => Promise<void>
  /** Is told when the rest is not read. */
  readonly leave: () => void
}

/** Passes a body on chunk by chunk. Throws `BAD_REQUEST` for one in too many small chunks, and what its limit says of one that is too large. */
async function* passedOn(payload: RequestPayload, { limit, room, leave }: OnTheWay): AsyncGenerator<Buffer> {
  let length = 0
  let chunks = 0
  try {
    // Not destroyed, as an error is yet to be sent over the same connection.
    for await (const part of payload.iterator({ destroyOnReturn: false })) {
      const chunk = Buffer.from(part)
      if (length <= smallBytes && length + chunk.length > smallBytes) await room()
      length += chunk.length
      if (length > limit.bytes) throw limit.beyond()
      if (++chunks > mostChunks(length)) throw new ServiceError('BAD_REQUEST', 'The body comes in too many small chunks: send it with its length (Content-Length), or in larger ones.')
      yield chunk
    }
  } catch (error) {
    leave()
    throw error
  }
}

/**
 * The body of a request, received once there is memory for it: a client may send as slowly as it likes. One that does not
 * say its length is received up to `limit`. Throws `OVERLOADED` where that memory is not free in time.
 */
export async function received(payload: RequestPayload, limit: BodyLimit, arrival: Arrival, ports: HttpPorts): Promise<RequestPayload> {
  const declared = arrival.request.headers['content-length']
  const onTheWay = { limit, room: () => makeRoom(limit.bytes, arrival, ports), leave: () => void arrival.reply.header('connection', 'close') }
  if (declared === undefined) return Readable.from(passedOn(payload, onTheWay), { objectMode: false })
  if (Number(declared) > smallBytes) await makeRoom(Number(declared), arrival, ports)
  return payload
}
