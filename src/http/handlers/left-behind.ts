import { withRoom } from '../../app/body-room.ts'
import { answerLeft } from '../../app/results.ts'
import type { Call } from '../../domain/call.ts'
import { limits } from '../../spec/limits.ts'
import type { Edge } from './handler.ts'

/** What the first request of this id has left behind, for a repeat of it; null where there is nothing. */
export function leftBehind(id: string, edge: Edge, call: Call): Promise<Uint8Array | null> {
  const { bodies, results } = edge.ports
  return withRoom(bodies, call, async ({ room }) => {
    // How large it is shows when it has been read.
    await room?.take(limits.storedBytes, call.signal)
    const answer = await answerLeft(id, results, edge.team)
    if (answer !== null) void edge.reply.header('idempotent-replayed', 'true')
    return answer
  })
}
