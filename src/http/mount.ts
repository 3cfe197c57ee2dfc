import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { idOfKey, type RequestKey, runOnce } from '../app/idempotency.ts'
import type { Asking } from '../app/rate-limits.ts'
import { ServiceError } from '../domain/errors.ts'
import { limits } from '../spec/limits.ts'
import { type Route, type RouteName, routes } from '../spec/routes.ts'
import { askerOf, bearer } from './auth.ts'
import { type OpenCall, openCall } from './call.ts'
import { asServiceError } from './errors.ts'
import type { Followers } from './followers.ts'
import { sentWith } from './request/form.ts'
import type { Edge, Handler, Reply } from './handlers/handler.ts'
import { handlers } from './handlers/index.ts'
import { type HttpOptions, type HttpPorts, peerHeader, type Peers } from './ports.ts'
import { isPublicGet } from './request/path.ts'
import { assertOneKey } from './request/head.ts'
import { queryOf } from './request/query.ts'
import { sendable, type Work } from './stream.ts'
import { validate } from './request/validate.ts'

const visible = /^[\x21-\x7e]+$/

/** Turns the `{name}` of the contract into the router's syntax. */
const routerPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1')

function idempotencyKey(request: FastifyRequest): string | null {
  const key = request.headers['x-idempotency-key']
  if (key === undefined) return null
  if (typeof key !== 'string' || !visible.test(key) || key.length > limits.idempotencyKeyLength) throw new ServiceError('BAD_REQUEST', `x-idempotency-key must be 1 to ${limits.idempotencyKeyLength} visible characters.`)
  return key
}

/** The running work of the process. */
export interface Live {
  /** What a stop cuts off after its grace period: calls, and responses that are still being sent. */
  readonly work: Work
  readonly followers: Followers
}

/** One request, its reply, and the running work. */
interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly live: Live
  readonly identity: () => Uint8Array
}

function edgeOf(route: Route, exchange: Exchange, ports: HttpPorts, options: HttpOptions): Edge & { end(): void } {
  const { request, reply, live, identity } = exchange
  const { team, key } = request
  const calls: OpenCall[] = []
  const requestKey = (): RequestKey | null => {
    const given = idempotencyKey(request)
    return given === null ? null : { team, route: `${route.method} ${route.path}`, key: given }
  }
  return {
    team,
    key,
    peer: request.peer,
    request,
    reply,
    ports,
    options,
    call(terms) {
      const call = openCall({ team, key, ...terms }, request, ports)
      calls.push(call)
      live.work.add(call)
      return call
    },
    follow() {
      const follower = live.followers.enter({ team, key })
      reply.raw.once('close', follower.close)
      return follower
    },
    standing: () => live.followers.standing({ team, key }),
    newId(keepable) {
      const known = keepable ? requestKey() : null
      return known === null ? ports.newId() : idOfKey(known)
    },
    async once({ until, keepable }, run) {
      const known = requestKey()
      if (known === null) return run({ id: ports.newId(), again: false })
      const answer = await runOnce({ ...known, body: identity(), until, keepable }, ports.idempotency, run)
      if (answer.replayed) void reply.header('idempotent-replayed', 'true')
      return answer.body
    },
    end: () => {
      for (const call of calls) {
        call.end()
        live.work.delete(call)
      }
    },
  }
}

/** Responses up to this size are not counted. */
const smallAnswer = 2 ** 20

/**
 * Counts a large response as held until it is sent or its client has disconnected: clients may read as slowly as they like.
 */
function holdUntilSent(body: Reply['body'], team: string, reply: FastifyReply, { bodies }: HttpPorts): void {
  const bytes = typeof body === 'string' || body instanceof Uint8Array ? body.length : 0
  // A client that has disconnected causes no more close event.
  if (bytes <= smallAnswer || reply.request.raw.socket.destroyed) return
  const room = bodies.open(team)
  room.add(bytes)
  reply.raw.once('close', room.close)
}

function countRate(name: RouteName, asker: Asking, reply: FastifyReply, ports: HttpPorts): void {
  const state = ports.rates.count(asker, name)
  if (state === null) return
  void reply.headers({ 'ratelimit-limit': String(state.limit), 'ratelimit-remaining': String(state.remaining), 'ratelimit-reset': String(state.resetSeconds) })
  if (state.refused !== null) throw state.refused
}

const senderOf = ({ method, url, headers }: FastifyRequest, { peers }: HttpPorts): ReturnType<Peers['sender']> => {
  const header = headers[peerHeader]
  return peers === null ? null : peers.sender({ method, path: url, header: typeof header === 'string' ? header : undefined })
}

/** A process that only other processes may reach answers nobody else, except for its health. */
function assertOwnClient({ path }: Route, { peersOnly }: HttpOptions): void {
  if (peersOnly === true && path !== '/health' && path !== '/metrics') throw new ServiceError('NOT_FOUND', 'No such route.')
}

/**
 * Throws `UNAUTHORIZED` instead of a fault whose request lost its key meanwhile: with a deleted team go the rows that the
 * request writes to, and what the store then refuses is no fault of the service.
 */
async function assertNotDeleted(thrown: unknown, { headers, key, peer }: FastifyRequest, edge: { readonly ports: HttpPorts; readonly options: HttpOptions }): Promise<void> {
  if (key !== null && peer === null && asServiceError(thrown).code === 'UNKNOWN_ERROR') await askerOf(bearer(headers), headers, edge)
}

/** Serves one route of the contract by its handler: authenticates, limits the rate, validates, and sends the response. */
export function mount(app: FastifyInstance, name: RouteName, live: Live, { ports, options }: { ports: HttpPorts; options: HttpOptions }): void {
  const route: Route = routes[name]
  const handler = handlers[name] as Handler<Route> // the table gives each route the handler of its own type
  app.route({
    method: route.method,
    url: routerPath(route.path),
    // Load balancers and monitors use HEAD (RFC 9110 §9.3.2).
    exposeHeadRoute: isPublicGet(route),
    // Before the body is read: a client without a key must not make us hold ten megabytes.
    onRequest: async (request, reply) => {
      if (route.access !== 'key') return assertOwnClient(route, options)
      // What it answers is for the team alone, and most of it changes.
      void reply.header('cache-control', 'no-store')
      request.peer = senderOf(request, ports)
      if (request.peer !== null) return void Object.assign(request, { team: request.peer.team, key: request.peer.key })
      assertOwnClient(route, options)
      const asker = await askerOf(bearer(request.headers), request.headers, { ports, options })
      assertOneKey(request.raw)
      Object.assign(request, { team: asker.team, key: asker.key?.id ?? null })
      countRate(name, asker, reply, ports)
    },
    handler: async (request, reply) => {
      request.peer?.assertBody(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0))
      const { body, file, warnings, identity } = await sentWith(request, route)
      const edge = edgeOf(route, { request, reply, live, identity }, ports, options)
      try {
        const input = {
          params: route.params === undefined ? undefined : validate(route.params, request.params),
          query: queryOf(route, request.query),
          body: route.body === undefined ? undefined : validate(route.body, body),
          file,
          warnings,
          given: new Set(typeof body === 'object' && body !== null ? Object.keys(body) : []),
        }
        const answer: Reply = await handler(input as never, edge) // typed by the table above, erased by the loop
        holdUntilSent(answer.body, request.team, reply, ports)
        if (answer.status === 204) return reply.code(204).send()
        return reply.code(200).type(answer.media).send(sendable(answer.body, reply, { work: live.work, log: ports.log }))
      } catch (thrown) {
        await assertNotDeleted(thrown, request, edge)
        throw thrown
      } finally {
        edge.end()
      }
    },
  })
}
