import type { Elsewhere } from '../../app/interact/session-finder.ts'
import type { Call } from '../../domain/call.ts'
import { ServiceError, Unreachable } from '../../domain/errors.ts'
import type { SessionOwner } from '../../domain/sessions/sessions.ts'
import { anySignal } from '../../lib/any-signal.ts'
import { sleep } from '../../lib/sleep.ts'
import { type ErrorCode, errorCodes } from '../../spec/errors.ts'
import { baseUrl } from '../base-url.ts'
import type { Edge } from './handler.ts'

/** The base of the URLs in an answer, as the process that received the request knows it. */
export const baseOf = ({ peer, request, options }: Edge): string => peer?.base ?? baseUrl(request, options.publicUrl)

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
  try {
    return await ports.peers.send({ method: request.method, path: request.url, team, key, base: baseOf(edge), body }, owner, anySignal(call.signal, gone.signal))
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
export async function answeredByOwner<T extends object>(find: () => Promise<T | Elsewhere>, edge: Edge, call: Call, { isNew }: Errand = { isNew: false }): Promise<Uint8Array> {
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
