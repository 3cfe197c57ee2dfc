import type { Elsewhere } from '../../app/interact/session-finder.ts'
import type { Asker } from '../../app/interact/service.ts'
import type { Call } from '../../domain/call.ts'
import { ServiceError, Unreachable } from '../../domain/errors.ts'
import type { SessionOwner } from '../../domain/sessions/sessions.ts'
import type { BrowserRequest, BrowsersQuery } from '../../spec/browser.ts'
import { type ErrorCode, errorCodes } from '../../spec/errors.ts'
import type { ExecuteRequest } from '../../spec/interact.ts'
import { limits } from '../../spec/limits.ts'
import type { routes } from '../../spec/routes.ts'
import { baseUrl } from '../base-url.ts'
import { type Edge, type Handler, json, type Reply } from './handler.ts'
import { anySignal } from '../../lib/any-signal.ts'
import { sleep } from '../../lib/sleep.ts'

/** Longer than any run or opening, which have time limits of their own. */
const longestMs = limits.runSecondsMax * 1000 + 300_000
/** For opening or ending a session without a run. */
const shortMs = 120_000

interface Warned {
  readonly warnings: readonly string[]
}

/** A request about one session. */
interface OfSession extends Warned {
  readonly params: { readonly id: string }
}

const askerOf = ({ team, key, request, options, peer }: Edge, { warnings }: Warned): Asker => ({ team, key, base: peer?.base ?? baseUrl(request, options.publicUrl), forwarded: peer !== null, warnings })

const isCode = (code: string): code is ErrorCode => Object.hasOwn(errorCodes, code)

/** The response of another process, as if it were our own. */
function passedOn({ status, body, retryAfter }: { readonly status: number; readonly body: Uint8Array; readonly retryAfter: string | undefined }): Uint8Array {
  if (status === 200) return body
  const told = JSON.parse(Buffer.from(body).toString()) as { readonly code?: string; readonly error?: string; readonly details?: unknown } // the one error shape
  if (told.code === undefined || !isCode(told.code)) throw new Error('another process answered what is no error of ours')
  const extras = { ...(told.details === undefined ? {} : { details: told.details }), ...(retryAfter === undefined ? {} : { retryAfterSeconds: Number(retryAfter) }) }
  throw new ServiceError(told.code, told.error, extras)
}

const lookEveryMs = 2_000
const lookAgainMs = 500

/** The response of another process, or why there is none. */
type Heard = Parameters<typeof passedOn>[0] | { readonly silent: Error }

/** Whether a request does nothing but open a session. */
interface Errand {
  readonly isNew: boolean
}

/** Asks another process, as long as it is alive: one that died silently must not keep the caller waiting. */
async function asked(owner: SessionOwner, body: Uint8Array | null, edge: Edge, call: Call): Promise<Heard> {
  const { ports, request, team, key } = edge
  if (ports.peers === null || owner.url === null) throw new ServiceError('BROWSER_NOT_CONFIGURED', 'This browser session is in another process of the fleet, which cannot be reached: set TRAWL_PEER_URL and TRAWL_PEER_SECRET for all of them.')
  const gone = new AbortController()
  const look = setInterval(() => void ports.sessions.heardAt(owner).then((at) => void (at ?? gone.abort(new Error('the process is gone'))), () => undefined), lookEveryMs)
  const { base } = askerOf(edge, { warnings: [] })
  try {
    return await ports.peers.send({ method: request.method, path: request.url, team, key, base, body }, owner, anySignal(call.signal, gone.signal))
  } catch (error) {
    call.signal.throwIfAborted()
    const silent = error instanceof Error ? error : new Error(String(error))
    call.log('peer-unanswered', { owner: owner.id, reason: silent.message })
    return { silent }
  } finally {
    clearInterval(look)
  }
}

/** Until a process that broke off its answer is heard of again, or counts as dead: which of the two it is, the broken connection does not tell. */
async function settled(owner: SessionOwner, { ports }: Edge, { signal }: Call): Promise<void> {
  const before = await ports.sessions.heardAt(owner)
  let at = before
  while (at !== null && at === before) {
    await sleep(lookAgainMs, signal)
    at = await ports.sessions.heardAt(owner)
  }
}

/** The response, or the refusal of a process that did nothing that lasts. Throws when the process is silent for another reason. */
async function told(heard: Heard, owner: SessionOwner, edge: Edge & Errand, call: Call): Promise<{ readonly answer: Uint8Array } | { readonly refusal: unknown }> {
  const { ports, isNew } = edge
  if ('silent' in heard) {
    if (isNew && !(heard.silent instanceof Unreachable)) await settled(owner, edge, call)
    const error = await ports.sessions.unanswered(owner)
    // A session that was only being opened has ended with its process, and nothing else was asked of it.
    if (heard.silent instanceof Unreachable || (isNew && error.code === 'SESSION_DESTROYED')) return { refusal: error }
    throw error
  }
  try {
    return { answer: passedOn(heard) }
  } catch (error) {
    if (error instanceof ServiceError && error.status === 503) return { refusal: error }
    throw error
  }
}

/**
 * The response of whichever process can give it: when a process does not accept a new session because it stops or is full,
 * or dies while it only opens one, the next one is asked.
 */
async function answered<T extends object>(find: () => Promise<T | Elsewhere>, edge: Edge, call: Call, { isNew }: Errand = { isNew: false }): Promise<Uint8Array> {
  const body = edge.request.method === 'POST' && Buffer.isBuffer(edge.request.body) ? edge.request.body : null
  const tried = new Set<string>()
  let refusal: unknown
  for (;;) {
    // Determined anew each time: another process must not continue what one started before it refused.
    // Of a process that was the only one, its own refusal says more than that there is none.
    const found = await find().catch((error: unknown) => {
      throw refusal ?? error
    })
    if (!('elsewhere' in found)) return Buffer.from(JSON.stringify(found))
    const owner = found.elsewhere.find(({ id }) => !tried.has(id))
    if (owner === undefined) throw refusal
    tried.add(owner.id)
    const outcome = await told(await asked(owner, body, edge, call), owner, { ...edge, isNew }, call)
    if ('answer' in outcome) return outcome.answer
    refusal = outcome.refusal
  }
}

/** POST /v2/scrape/{jobId}/interact */
export const interact: Handler<typeof routes.interact> = async ({ params, body, warnings }, edge) => {
  const call = edge.call({ timeoutMs: longestMs, retention: 'normal' })
  return json(await edge.ports.sessions.repeats.guard(`interact ${edge.team} ${params.jobId}`, body, () => answered(() => edge.ports.sessions.interact(params.jobId, body, askerOf(edge, { warnings }), call), edge, call)))
}

/** DELETE /v2/scrape/{jobId}/interact */
export const interactStop: Handler<typeof routes.interactStop> = async ({ params, warnings }, edge) => {
  const call = edge.call({ timeoutMs: shortMs, retention: 'normal' })
  return json(await answered(() => edge.ports.sessions.stopOfScrape(params.jobId, askerOf(edge, { warnings })), edge, call))
}

/** POST /v2/browser, POST /v2/interact */
export const create = async ({ body, warnings }: Warned & { readonly body: BrowserRequest }, edge: Edge): Promise<Reply> => {
  const run = async (): Promise<Uint8Array> => {
    const call = edge.call({ timeoutMs: shortMs, retention: 'normal' })
    return answered(() => edge.ports.sessions.create(body, edge.ports.newId(), askerOf(edge, { warnings })), edge, call, { isNew: true })
  }
  return json(await edge.once({ until: edge.ports.now() + shortMs, keepable: true }, run))
}

/** POST /v2/browser/{id}/execute, POST /v2/interact/{id}/execute */
export const execute = async ({ params, body, warnings }: OfSession & { readonly body: ExecuteRequest }, edge: Edge): Promise<Reply> => {
  const call = edge.call({ timeoutMs: longestMs, retention: 'normal' })
  return json(await edge.ports.sessions.repeats.guard(`execute ${edge.team} ${params.id}`, body, () => answered(() => edge.ports.sessions.execute(params.id, body, askerOf(edge, { warnings }), call), edge, call)))
}

/** DELETE /v2/browser/{id}, DELETE /v2/interact/{id} */
export const stop = async ({ params, warnings }: OfSession, edge: Edge): Promise<Reply> => {
  const call = edge.call({ timeoutMs: shortMs, retention: 'normal' })
  return json(await answered(() => edge.ports.sessions.stop(params.id, askerOf(edge, { warnings })), edge, call))
}

/** GET /v2/browser/{id}, GET /v2/interact/{id} */
export const status = async ({ params, warnings }: OfSession, edge: Edge): Promise<Reply> => {
  const session = await edge.ports.sessions.status(params.id, askerOf(edge, { warnings }))
  return json(JSON.stringify({ success: true, ...session }))
}

/** GET /v2/browser, GET /v2/interact */
export const list = async ({ query, warnings }: Warned & { readonly query: BrowsersQuery }, edge: Edge): Promise<Reply> => {
  const sessions = await edge.ports.sessions.list(query, askerOf(edge, { warnings }))
  return json(JSON.stringify({ success: true, sessions }))
}
