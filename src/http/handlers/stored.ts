import { withRoom } from '../../app/body-room.ts'
import { answerLeft } from '../../app/results.ts'
import type { Call, Room } from '../../domain/call.ts'
import { limits } from '../../spec/limits.ts'
import { forAWhile } from '../held.ts'
import { type Edge, json, type Reply } from './handler.ts'

/** Reads a stored answer. As its size is only known afterwards, it counts as the largest until then. */
function inRoom<T>(read: () => Promise<T>, { ports }: Edge, call: Call, waiting = (room: Room): Room => room): Promise<T> {
  return withRoom(ports.bodies, call, async ({ room }) => {
    if (room !== undefined) await waiting(room).take(limits.storedBytes, call.signal)
    return read()
  })
}

/** How long a stored answer may take, with what it waits for memory. */
const storedMs = 60_000

/** Answers with what was stored. */
export async function stored(read: () => Promise<Uint8Array>, edge: Edge): Promise<Reply> {
  return json(await inRoom(read, edge, edge.call({ timeoutMs: storedMs, retention: 'normal' }), (room) => forAWhile(room, edge.options)))
}

/** What the first request with this id created, for a repeat of it; null when there is nothing. */
export async function leftBehind(id: string, edge: Edge, call: Call): Promise<Uint8Array | null> {
  const answer = await inRoom(() => answerLeft(id, edge.ports.results, edge.team), edge, call)
  if (answer !== null) void edge.reply.header('idempotent-replayed', 'true')
  return answer
}
