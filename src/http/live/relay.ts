import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { HttpPorts } from '../ports.ts'
import { headOf } from '../sockets.ts'

const connectMs = 10_000

/**
 * Connects a client to the process that owns the session, which checks the token. False when no other process has the
 * session.
 */
export async function relay({ id, request, stream, head }: { readonly id: string; readonly request: IncomingMessage; readonly stream: Duplex; readonly head: Buffer }, { sessions, peers }: Pick<HttpPorts, 'sessions' | 'peers'>): Promise<boolean> {
  const owner = peers === null ? null : await sessions.ownerOf(id)
  if (peers === null || owner === null) return false
  const there = await peers.connect(owner, AbortSignal.timeout(connectMs))
  const end = (): void => {
    stream.destroy()
    there.destroy()
  }
  // The client may have left meanwhile, which nobody is told of again.
  if (stream.destroyed) return end(), true
  for (const one of [stream, there]) {
    one.on('error', end)
    one.once('close', end)
  }
  there.write(Buffer.concat([headOf(request), head]))
  stream.pipe(there)
  there.pipe(stream)
  return true
}
