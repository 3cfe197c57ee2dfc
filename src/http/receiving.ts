import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest, RequestPayload } from 'fastify'
import { openCall } from './call.ts'
import type { HttpPorts } from './ports.ts'

/** Bodies of requests up to this size are not counted. */
const smallBytes = 2 ** 20
/** How long a body may wait for memory before it is received. */
const waitMs = 30_000

/** Waits for the memory of a body, twice its size for what is made of it; it stays counted until the response is sent. */
async function makeRoom(bytes: number, request: FastifyRequest, reply: FastifyReply, ports: HttpPorts): Promise<void> {
  if (reply.raw.destroyed) return
  const room = ports.bodies.open(request.team)
  reply.raw.once('close', room.close)
  const call = openCall({ team: request.team, key: request.key, timeoutMs: waitMs, retention: 'normal' }, request, ports)
  await room.take(bytes * 2, call.signal).finally(call.end)
}

/** Passes a body on, pausing where it turns out not to be small. */
async function* untilLarge(payload: RequestPayload, room: () => Promise<void>): AsyncGenerator<Buffer> {
  let length = 0
  for await (const part of payload) {
    const chunk = Buffer.from(part)
    if (length <= smallBytes && length + chunk.length > smallBytes) await room()
    length += chunk.length
    yield chunk
  }
}

/**
 * The body of a request, received once there is memory for it: a client may send as slowly as it likes. One that does not
 * say its length may have `most` bytes.
 */
export async function received(payload: RequestPayload, most: number, { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply }, ports: HttpPorts): Promise<RequestPayload> {
  const declared = request.headers['content-length']
  if (declared === undefined) return Readable.from(untilLarge(payload, () => makeRoom(most, request, reply, ports)), { objectMode: false })
  if (Number(declared) > smallBytes) await makeRoom(Number(declared), request, reply, ports)
  return payload
}
