import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { findJob } from '../app/jobs/answers/find.ts'
import { type Frame, watchFrames } from '../app/jobs/answers/watch.ts'
import { ServiceError } from '../domain/errors.ts'
import type { JobKind } from '../domain/jobs/job.ts'
import { once } from '../lib/once.ts'
import { BatchOrCrawlPath } from '../spec/jobs.ts'
import { askerOf, bearer } from './auth.ts'
import { asServiceError, causeOf, isForLog } from './errors.ts'
import type { Follower, Followers } from './followers.ts'
import { heldFor } from './held.ts'
import { endSoon, heartbeatMs, keepAlive } from './keep-alive.ts'
import type { HttpOptions, HttpPorts } from './ports.ts'
import { asksForWebSocket, asPlainRequest, refuseHandshake } from './sockets.ts'
import type { WebSocket } from './websocket.ts'
import { assertHead, assertOneKey } from './request/head.ts'
import { isOwnPath, pathOf } from './request/path.ts'
import { queryOf } from './request/query.ts'
import { validate } from './request/validate.ts'

/** Messages from clients are ignored. */
const maxPayload = 1_024
/** How long a client may take to receive the last messages: then the connection is cut. */
const closeTimeout = 60_000

const watched = /^\/v2\/(crawl|batch\/scrape)\/([^/]+)$/

/** A handshake for the WebSocket of a job. */
interface Asked {
  readonly kind: JobKind
  readonly id: string
  readonly request: IncomingMessage
}

function askedOf(request: IncomingMessage, { peersOnly }: Pick<HttpOptions, 'peersOnly'>): Asked | null {
  const path = pathOf(request)
  const [, kind, id] = watched.exec(path) ?? []
  if (kind === undefined || id === undefined || isOwnPath(path) || peersOnly === true || !asksForWebSocket(request)) return null
  return { kind: kind === 'crawl' ? 'crawl' : 'batch', id, request }
}

/** Whether a request is a handshake for the WebSocket of a job, where clients are answered. */
export const isForJob = (request: IncomingMessage, options: Pick<HttpOptions, 'peersOnly'>): boolean => askedOf(request, options) !== null

/** Clients that cannot set a header send their key as sub-protocol. */
const keyOf = ({ headers }: IncomingMessage): string | null => bearer(headers) ?? headers['sec-websocket-protocol']?.split(',', 1)[0]?.trim() ?? null

/**
 * Sends one message in pieces, each after the one before is written. Throws when the follower's key is revoked meanwhile.
 */
async function sendFrame(socket: WebSocket, frame: Frame, { isGood, refusal }: Follower): Promise<void> {
  let begun = false
  const send = (data: Uint8Array, fin: boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      socket.send(data, { binary: false, fin }, (error) => (error ? reject(error) : resolve()))
    })
  for await (const piece of frame) {
    if (!(await isGood())) {
      const refused = refusal() ?? new ServiceError('UNAUTHORIZED')
      // In the middle of a message no other message can give the reason.
      if (begun) closeOnly(socket, refused)
      throw refused
    }
    begun = true
    await send(piece, false)
  }
  await send(Buffer.alloc(0), true)
}

const errorCloses: Partial<Record<ServiceError['code'], number>> = { UNAUTHORIZED: 3000, FORBIDDEN: 3003, NOT_FOUND: 1008, JOB_EXPIRED: 1008, BAD_REQUEST: 1008 }
/** The job did not fail and may continue: without an error frame clients ask for its status instead. */
const quietCloses: Partial<Record<ServiceError['code'], number>> = { RATE_LIMITED: 1013, SHUTTING_DOWN: 1001 }

/** Closes with only the code of the error. */
function closeOnly(socket: WebSocket, { code }: ServiceError): void {
  endSoon(socket)
  socket.close(errorCloses[code] ?? quietCloses[code] ?? 1011, JSON.stringify({ type: 'error', code }))
}

function closeWithError(socket: WebSocket, error: ServiceError): void {
  if (errorCloses[error.code] === undefined) return closeOnly(socket, error)
  socket.send(JSON.stringify({ type: 'error', error: error.message, code: error.code }))
  // After the error alone, some clients would keep asking.
  socket.send(JSON.stringify({ type: 'status', data: { success: true, status: 'failed', total: 0, completed: 0, creditsUsed: 0, error: error.message, data: [], next: null } }))
  closeOnly(socket, error)
}

interface Edge {
  readonly ports: HttpPorts
  readonly options: HttpOptions
  readonly followers: Followers
}

/** Serves a WebSocket until everything is sent or the client has left. */
async function serve(socket: WebSocket, asked: Asked, { ports, options, followers }: Edge): Promise<void> {
  assertHead(asked.request)
  const asker = await askerOf(keyOf(asked.request), asked.request.headers, { ports, options })
  assertOneKey(asked.request)
  const { team } = asker
  const refused = ports.rates.count(asker, asked.kind === 'crawl' ? 'crawlStatus' : 'batchStatus')?.refused
  if (refused) throw refused
  const { id } = validate(BatchOrCrawlPath, { id: asked.id })
  // What is watched is always the whole.
  queryOf({ access: 'key' }, Object.fromEntries(new URLSearchParams(asked.request.url?.split('?', 2)[1])))
  const job = await findJob({ id, kind: asked.kind }, ports, team)
  if (socket.readyState !== socket.OPEN) return
  const follower = followers.enter({ team, key: asker.key?.id ?? null })
  socket.once('close', follower.close)
  const held = heldFor(team, socket, ports)
  for await (const frame of watchFrames(job, { ...follower.patient(ports), held, now: ports.now, changed: follower.changed })) await sendFrame(socket, frame, follower)
  const refusal = follower.refusal()
  if (refusal !== null) throw refusal
  if (socket.readyState === socket.OPEN) socket.close(1000, '{"type":"done"}')
}

function onSocket(socket: WebSocket, stream: Duplex, asked: Asked, edge: Edge): void {
  const { ports, options } = edge
  const started = performance.now()
  const requestId = ports.newId()
  // A client that breaks the protocol or vanishes also closes the socket.
  socket.on('error', () => undefined)
  socket.once('close', (code) => ports.log('info', 'watch', { requestId, kind: asked.kind, code, ms: Math.round(performance.now() - started) }))
  keepAlive(socket, stream, options.heartbeatMs ?? heartbeatMs)
  serve(socket, asked, edge).catch((thrown: unknown) => {
    if (socket.readyState !== socket.OPEN) return
    const error = asServiceError(thrown)
    if (isForLog(error)) ports.log('error', 'watch-failed', { requestId, cause: causeOf(error.cause) })
    closeWithError(socket, error)
  })
}

/**
 * Handles WebSocket upgrades at the URLs of jobs (contract §5.7); requests that `others` do not handle either are served as
 * plain ones. Returns a way to disconnect all clients.
 */
export function watchSockets(server: Server, edge: Edge, others: (request: IncomingMessage, stream: Duplex, head: Buffer) => boolean): { close(): void } {
  const { ports, options } = edge
  const sockets = new Set<WebSocket>()
  const opened = once(async () => {
    const { websocketAcceptor } = await import('./websocket.ts')
    return websocketAcceptor({ maxPayload, closeTimeout }, refuseHandshake(ports.newId))
  })
  server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    const asked = askedOf(request, options)
    if (asked === null) return others(request, stream, head) ? undefined : asPlainRequest(server, request, stream, head)
    const broken = (): void => void stream.destroy()
    stream.on('error', broken)
    opened().then((accept) => {
      stream.off('error', broken)
      accept(request, stream, head, (socket) => {
        sockets.add(socket)
        socket.once('close', () => sockets.delete(socket))
        onSocket(socket, stream, asked, edge)
      })
    }, broken)
  })
  return {
    close: () => {
      for (const socket of sockets) {
        endSoon(socket)
        socket.close(1001, '{"type":"error","code":"SHUTTING_DOWN"}')
      }
    },
  }
}
