import type { DocumentPorts } from '../app/jobs/answers/documents.ts'
import type { Room } from '../domain/call.ts'
import { ServiceError } from '../domain/errors.ts'
import { anySignal } from '../lib/any-signal.ts'
import type { HttpOptions, HttpPorts } from './ports.ts'

/** How long a body or an answer may wait for memory: longer than a client may leave an answer unread. */
const waitMs = 30_000

/** What documents are sent through: a response or a WebSocket. */
interface Receiver {
  once(event: 'close', gone: () => void): unknown
  /** Of a response: it is closed. */
  readonly destroyed?: boolean
}

/** Counts the documents sent to a client against its team, until they are sent or it has left. */
export function heldFor(team: string, receiver: Receiver, { bodies }: Pick<HttpPorts, 'bodies'>): NonNullable<DocumentPorts['held']> {
  const room = bodies.open(team)
  const left = new AbortController()
  receiver.once('close', () => {
    left.abort()
    room.close()
  })
  // Its close event is over then.
  if (receiver.destroyed === true) left.abort()
  return { room, signal: left.signal }
}

/** Memory that is waited for only so long: after that, `take` throws `OVERLOADED`. */
export function forAWhile(room: Room, { memoryWaitMs = waitMs }: Pick<HttpOptions, 'memoryWaitMs'>): Room {
  return {
    ...room,
    take: async (bytes, signal) => {
      const late = new AbortController()
      const timer = setTimeout(() => late.abort(new ServiceError('OVERLOADED', 'The memory for large requests and answers is taken by others, such as answers that their clients have not read yet.', { retryAfterSeconds: 5 })), memoryWaitMs)
      await room.take(bytes, anySignal(signal, late.signal)).finally(() => clearTimeout(timer))
    },
  }
}
