import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ServiceError } from '../domain/errors.ts'
import type { Work } from './stream.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Accepts no more requests and waits for the running ones; after `graceMs` the rest ends with SHUTTING_DOWN. */
    drain(graceMs: number): Promise<void>
  }
}

/** How long clients that a stop cuts off have to receive the error. */
const lastWordsMs = 1_000

/** The connections open at any moment. */
function connectionsOf({ server }: FastifyInstance): ReadonlySet<FastifyRequest['raw']['socket']> {
  const connections = new Set<FastifyRequest['raw']['socket']>()
  server.on('connection', (connection) => {
    connections.add(connection)
    connection.once('close', () => connections.delete(connection))
  })
  return connections
}

/** Gives a server its `drain`, which first ends what clients follow, by `unfollow`; returns whether that has begun. */
export function drainable(app: FastifyInstance, work: Work, unfollow: () => void): () => boolean {
  const connections = connectionsOf(app)
  let stopping = false
  app.decorate('drain', async (graceMs: number) => {
    stopping = true
    unfollow()
    // Idle connections that clients opened in advance: without a request, nothing else would close them.
    for (const connection of connections) if (connection.bytesRead === 0) connection.destroy()
    const late = setTimeout(() => {
      for (const call of work) call.abort(new ServiceError('SHUTTING_DOWN'))
    }, graceMs)
    // Incomplete requests, and responses that nobody reads.
    const last = setTimeout(() => app.server.closeAllConnections(), graceMs + lastWordsMs)
    await app.close()
    clearTimeout(late)
    clearTimeout(last)
  })
  return () => stopping
}
