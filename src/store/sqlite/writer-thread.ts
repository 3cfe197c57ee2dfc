import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { crashPoint } from '../crash.ts'
import { writingConnection } from './connection.ts'
import { commitAll } from './group.ts'
import { type Answer, type FromThread, type ThreadStart, type ToThread, encodeError } from './wire.ts'

/** Operations per commit: enough to share its cost, few enough that the first does not wait long for the last. */
const maxGroup = 256

if (!parentPort) throw new Error('This file is the entry of a worker thread.')
const port = parentPort
const start = workerData as ThreadStart // Written by `threadWriter` alone.
const connection = writingConnection(start.file)
const crash = start.crashPoint === undefined ? undefined : crashPoint(start.crashPoint)

port.on('message', (first: ToThread) => {
  // So that each counted commit is reported before the next.
  const alone = first.kind === 'run' && crash?.counts([first.name]) === true
  const group = [first, ...(alone ? [] : waiting(maxGroup - 1))]
  commit(group.filter((message) => message.kind === 'run'))
  if (!group.some((message) => message.kind === 'close')) return
  connection.close()
  port.close()
})
send({ kind: 'open' })

/** Everything that arrived during the last commit. */
function waiting(limit: number): readonly ToThread[] {
  const messages: ToThread[] = []
  while (messages.length < limit) {
    const received: { message: ToThread } | undefined = receiveMessageOnPort(port)
    if (!received) break
    messages.push(received.message)
  }
  return messages
}

function commit(messages: readonly (ToThread & { kind: 'run' })[]): void {
  if (messages.length === 0) return
  const outcomes = commitAll(connection, messages, crash)
  const answers = messages.map(({ id }, i): Answer => {
    const outcome = outcomes[i]
    return outcome?.ok ? { id, ok: true, value: outcome.value } : { id, ok: false, error: encodeError(outcome?.error) }
  })
  send({ kind: 'answers', answers })
}

function send(message: FromThread): void {
  port.postMessage(message)
}
