import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { ServiceError } from '../domain/errors.ts'
import { insteadOf } from '../spec/absent.ts'
import type { ErrorCode } from '../spec/errors.ts'
import { limits } from '../spec/limits.ts'
import { type Route, type RouteName, routes } from '../spec/routes.ts'
import { drainable } from './drain.ts'
import { closeWithConnection, endUnread, hasLength, isEndless } from './ends.ts'
import { sendError } from './errors.ts'
import { liveRoutes } from './live/routes.ts'
import { isForSession, liveSockets } from './live/sockets.ts'
import { followers } from './followers.ts'
import { isForm, takeForms } from './request/form.ts'
import { type Live, mount } from './mount.ts'
import type { HttpOptions, HttpPorts, Peers } from './ports.ts'
import { assertHead } from './request/head.ts'
import { allowedMethods, isOwnPath, pathOf } from './request/path.ts'
import { received } from './request/receiving.ts'
import { guardSockets, onClientError } from './sockets.ts'
import { isForJob, watchSockets } from './watch.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The code of the error sent, for the log line. */
    errorCode?: ErrorCode
    /** The team that makes the request; empty for public routes. */
    team: string
    /** Its API key; null when keys are off, and for public routes. */
    key: string | null
    /** The process of the fleet that sent the request, if it was one. */
    peer: ReturnType<Peers['sender']>
  }
}

/** Header and receive limits of R16. A missing Host is for us to reject: Node would send an empty body (R17). */
const serverLimits = { maxHeaderSize: limits.headerBytes, headersTimeout: 10_000, requestTimeout: 60_000, connectionsCheckingInterval: 1_000, requireHostHeader: false }
/**
 * Which upgrade requests to accept. Node calls this from 24.9 on, and serves all others as plain requests; for older
 * versions `asPlainRequest` does so, which could not work in Node 26.
 */
const upgrades = (options: HttpOptions) => ({ shouldUpgradeCallback: (request: IncomingMessage): boolean => isForJob(request, options) || isForSession(request) })
/** How long a client may leave a response unread. */
const stalledMs = 20_000
const idForm = /^[A-Za-z0-9._-]{8,128}$/

/**
 * Requests are validated by the contract's own schemas: without this, Fastify would load a second validator and a
 * serializer at start.
 */
const noCompilers = {
  compilersFactory: {
    buildValidator: (): never => unused('validator'),
    buildSerializer: (): never => unused('serializer'),
  },
}

function unused(part: string): never {
  throw new Error(`a route was declared with a schema for a ${part} that is not there`)
}

/** Whether there is no such route: the router takes the path of another method's route for an id. */
const isNowhere = (request: FastifyRequest): boolean => request.is404 || (request.routeOptions.url?.includes(':') === true && isOwnPath(pathOf(request)))

function notFound(request: FastifyRequest, reply: FastifyReply): never {
  const path = pathOf(request)
  const allowed = allowedMethods(path)
  if (allowed.length === 0) throw new ServiceError('NOT_FOUND', ['No such route.', insteadOf(path)].filter((one) => one !== undefined).join(' '))
  void reply.header('allow', allowed.join(', '))
  throw new ServiceError('METHOD_NOT_ALLOWED')
}

/** The server, for code that starts and stops it. */
export type HttpServer = FastifyInstance

/** The HTTP edge over the route table; `inject` is for tests, `listen` for clients. */
export function httpApp(ports: HttpPorts, options: HttpOptions): HttpServer {
  const app = Fastify({
    logger: false,
    bodyLimit: limits.bodyBytes,
    http: { ...serverLimits, ...upgrades(options) },
    requestTimeout: serverLimits.requestTimeout,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: false,
    schemaController: noCompilers,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: limits.headerBytes },
    genReqId: (request) => {
      const given = request.headers['x-request-id']
      return typeof given === 'string' && idForm.test(given) ? given : ports.newId()
    },
    clientErrorHandler: onClientError(ports.newId),
    frameworkErrors: (error, request, reply) => sendError(error, request, hasLength(request.raw) ? reply : reply.header('connection', 'close'), ports.log),
  })
  const live: Live = { work: new Set(), followers: followers(ports, options) }
  const isStopping = drainable(app, live.work, () => {
    live.followers.close()
    sockets.close()
    doors.close()
  })
  app.decorateRequest('team', '')
  app.decorateRequest('key', null)
  app.decorateRequest('peer', null)
  // Only JSON is accepted; bodies that some clients send with GET and DELETE are ignored, whatever they are (contract §1.1).
  app.addHttpMethod('DELETE', { hasBody: false, overrideExisting: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id)
    closeWithConnection(reply.raw, request.raw.socket)
    if (isStopping()) throw new ServiceError('SHUTTING_DOWN')
    assertHead(request.raw)
    // Before the body is read, which anybody may send.
    if (isNowhere(request)) notFound(request, reply)
    // `identity` means that the body is as it is (RFC 9110 §12.5.3).
    if (request.method === 'POST' && !/^(?:identity)?$/i.test(request.headers['content-encoding'] ?? '')) throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'A compressed request body is not accepted.')
  })
  // By the header if possible: cutting the connection while the client still sends would hide the error from it.
  app.addHook('preParsing', async (request, reply, payload) => {
    const form = isForm(request)
    if (!form && Number(request.headers['content-length'] ?? 0) > limits.bodyBytes) throw new ServiceError('PAYLOAD_TOO_LARGE')
    // Without a body nothing is received, and forms have a hook of their own.
    return form || request.method !== 'POST' ? payload : received(payload, { bytes: limits.bodyBytes, beyond: () => new ServiceError('PAYLOAD_TOO_LARGE') }, { request, reply, options }, ports)
  })
  app.addHook('onSend', async (request, reply) => {
    endUnread(reply.raw, options.stalledMs ?? stalledMs)
    // A kept-alive connection would keep the process running until the client closes it.
    if (isStopping() || (await isEndless(request.raw))) void reply.header('connection', 'close')
  })
  app.addHook('onResponse', async (request, reply) => {
    // The head of a long response may have been sent before the stop, without `connection: close`.
    if (isStopping()) request.raw.socket.destroySoon()
    const ms = Math.round(reply.elapsedTime * 10) / 10
    const route = request.routeOptions.url ?? 'unknown'
    ports.metrics.request(route, request.method, reply.statusCode, ms)
    ports.log('info', 'request', { requestId: request.id, method: request.method, route, status: reply.statusCode, ms, ...(request.errorCode === undefined ? {} : { code: request.errorCode }) })
  })
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, ports.log))
  app.setNotFoundHandler((request, reply) => notFound(request, reply))
  const names = Object.keys(routes) as RouteName[] // keys of the table
  const takesForm = (name: RouteName): boolean => (routes[name] as Route).upload === true // the entry in its common form
  for (const name of names) if (!takesForm(name)) mount(app, name, live, { ports, options })
  void app.register(async (forms) => {
    takeForms(forms, ports, options)
    for (const name of names) if (takesForm(name)) mount(forms, name, live, { ports, options })
  })
  // Peers join connections to a session, and ask for none of its pages.
  if (options.peersOnly !== true) liveRoutes(app, ports, options)
  guardSockets(app.server, ports.newId)
  const doors = liveSockets(ports, options)
  const sockets = watchSockets(app.server, { ports, options, followers: live.followers }, doors.take)
  return app
}
