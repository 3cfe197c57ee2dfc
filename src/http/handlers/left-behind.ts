import { withRoom } from '../../app/body-room.ts'
import { answerLeft } from '../../app/results.ts'
import type { Call } from '../../domain/call.ts'
import { limits } from '../../spec/limits.ts'
import type { Edge } from './handler.ts'

/** What the first request with this id created, for a repeat of it; null when there is nothing. */
export function leftBehind(id: string, edge: Edge, call: Call): Promise<Uint8Array | null> {
  const { bodies, results } = edge.ports
  return withRoom(bodies, call, async ({ room }) => {
    // Its size is only known after reading it.
    await room?.take(limits.storedBytes, call.signal)
    const answer = await answerLeft(id, results, edge.team)
    if (answer !== null) void edge.reply.header('idempotent-replayed', 'true')
    return answer
  })
}
