import type { Asker } from '../../app/interact/service.ts'
import type { BrowserRequest, BrowsersQuery } from '../../spec/browser.ts'
import type { ExecuteRequest } from '../../spec/interact.ts'
import { limits } from '../../spec/limits.ts'
import type { routes } from '../../spec/routes.ts'
import { answeredByOwner, baseOf } from './answered-by-owner.ts'
import { type Edge, type Handler, json, type Reply } from './handler.ts'

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

const askerOf = (edge: Edge, { warnings }: Warned): Asker => ({ team: edge.team, key: edge.key, base: baseOf(edge), forwarded: edge.peer !== null, warnings })

/** POST /v2/scrape/{jobId}/interact */
export const interact: Handler<typeof routes.interact> = async ({ params, body, warnings }, edge) => {
  const call = edge.call({ timeoutMs: longestMs, retention: 'normal' })
  return json(await edge.ports.sessions.repeats.guard(`interact ${edge.team} ${params.jobId}`, body, () => answeredByOwner(() => edge.ports.sessions.interact(params.jobId, body, askerOf(edge, { warnings }), call), edge, call)))
}

/** DELETE /v2/scrape/{jobId}/interact */
export const interactStop: Handler<typeof routes.interactStop> = async ({ params, warnings }, edge) => {
  const call = edge.call({ timeoutMs: shortMs, retention: 'normal' })
  return json(await answeredByOwner(() => edge.ports.sessions.stopOfScrape(params.jobId, askerOf(edge, { warnings })), edge, call))
}

/** POST /v2/browser, POST /v2/interact */
export const create = async ({ body, warnings }: Warned & { readonly body: BrowserRequest }, edge: Edge): Promise<Reply> => {
  const run = async (): Promise<Uint8Array> => {
    const call = edge.call({ timeoutMs: shortMs, retention: 'normal' })
    return answeredByOwner(() => edge.ports.sessions.create(body, edge.ports.newId(), askerOf(edge, { warnings })), edge, call, { isNew: true })
  }
  return json(await edge.once({ until: edge.ports.now() + shortMs, keepable: true }, run))
}

/** POST /v2/browser/{id}/execute, POST /v2/interact/{id}/execute */
export const execute = async ({ params, body, warnings }: OfSession & { readonly body: ExecuteRequest }, edge: Edge): Promise<Reply> => {
  const call = edge.call({ timeoutMs: longestMs, retention: 'normal' })
  return json(await edge.ports.sessions.repeats.guard(`execute ${edge.team} ${params.id}`, body, () => answeredByOwner(() => edge.ports.sessions.execute(params.id, body, askerOf(edge, { warnings }), call), edge, call)))
}

/** DELETE /v2/browser/{id}, DELETE /v2/interact/{id} */
export const stop = async ({ params, warnings }: OfSession, edge: Edge): Promise<Reply> => {
  const call = edge.call({ timeoutMs: shortMs, retention: 'normal' })
  return json(await answeredByOwner(() => edge.ports.sessions.stop(params.id, askerOf(edge, { warnings })), edge, call))
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
