import { ServiceError } from '../../domain/errors.ts'
import type { Spoken } from '../protocol/spoken.ts'
import { type Attached, type ConnectionState, rootSession } from './connection-state.ts'
import { type Params, type Place, ruling } from './rules.ts'

/** Commands that show which page a client works on. */
const atWork = /^(?:Page\.(?:navigate|bringToFront|reload)|Input\.)/

function placeOf(connection: ConnectionState, session: Attached): Place {
  return {
    root: session.root,
    context: session.target?.browserContextId ?? connection.host.main,
    isOwnContext: (id) => connection.host.contexts.has(id),
    isOwnTarget: (id) => connection.targets.has(id),
    isOwnSession: (id) => connection.sessions.has(id),
    isFull: () => connection.host.isFull([...connection.asked.values()].filter(({ method }) => method === 'Target.createTarget').length),
  }
}

/** Parses a client's message; null when it is no valid command. */
function read(text: string): (Spoken & { readonly id: number; readonly method: string }) | null {
  try {
    const { id, method, params, sessionId } = JSON.parse(text) as Spoken // validated below
    const whole = Number.isSafeInteger(id) && typeof method === 'string' && (params === undefined || (typeof params === 'object' && params !== null && !Array.isArray(params))) && (sessionId === undefined || typeof sessionId === 'string')
    return whole && id !== undefined && method !== undefined ? { id, method, params: params ?? {}, ...(sessionId === undefined ? {} : { sessionId }) } : null
  } catch {
    return null
  }
}

// Drivers write the id first and the session last.
const idOf = /^\{"id":(\d{1,15}),/
const sessionOf = /"sessionId":"([A-F\d]{1,64})"\}$/

/** Refuses a message that would take long to parse; cuts the connection when its id cannot be told without parsing it. */
function refuseUnread(connection: ConnectionState, text: string): void {
  const id = idOf.exec(text)?.[1]
  if (id === undefined) return connection.cut()
  const sessionId = sessionOf.exec(text.slice(-100))?.[1]
  connection.tell({ id: Number(id), ...(sessionId === undefined ? {} : { sessionId }), error: { code: -32000, message: 'The command holds too many values, or nests too deep; values can be sent as one JSON text' } })
}

/**
 * Handles a message of the client: answers it, refuses it, or passes it on to the browser. Cuts the connection when it is
 * no command, or one too many.
 */
export function handleCommand(connection: ConnectionState, text: string, weight: number): void {
  if (text.length > connection.limits.messageBytes) return connection.cut()
  if (weight > connection.limits.messageBytes) return refuseUnread(connection, text)
  const message = read(text)
  if (message === null) return connection.cut()
  const { id, method, params = {}, sessionId } = message
  const back = sessionId === undefined ? { id } : { id, sessionId }
  const session = sessionId === undefined ? rootSession : connection.sessions.get(sessionId)
  if (session === undefined) return connection.tell({ ...back, error: { code: -32001, message: 'Session with given id not found.' } })
  const known = connection.asked.has(id)
  if (known || connection.asked.size >= connection.limits.commands || connection.askedBytes + text.length > connection.limits.commandBytes) return connection.cut()
  const told = ruling(method, params, placeOf(connection, session))
  if (told.kind === 'refuse') return connection.tell({ ...back, error: { code: -32000, message: told.why } })
  if (told.kind === 'answer') return connection.tell({ ...back, result: told.result })
  if (told.kind === 'ours') return void runOurselves(connection, told.task, params).then((result) => connection.tell({ ...back, result }), (error: unknown) => connection.tell({ ...back, error: { code: -32000, message: error instanceof ServiceError || error instanceof Refused ? error.message : 'The session could not do this' } }))
  const heard = method === 'Fetch.continueWithAuth' ? connection.challenges.take(params, sessionId) : null
  if (heard !== null) return connection.tell({ ...back, ...heard })
  if (method === 'Fetch.enable') session.authorises = params['handleAuthRequests'] === true
  if (method === 'Fetch.disable') {
    session.authorises = false
    connection.challenges.drop(sessionId ?? '')
  }
  const target = session.target?.type === 'page' ? session.target.targetId : undefined
  if (target !== undefined && atWork.test(method)) connection.host.used(target)
  if (method === 'Target.activateTarget') connection.host.used(String(told.params['targetId']))
  if (session.target !== null) connection.host.wire.leave(session.target.targetId, method)
  connection.asked.set(id, { method, bytes: text.length })
  connection.askedBytes += text.length
  const send = (): void => connection.branch.send({ ...back, method, params: told.params })
  // A page that was just opened could be answered by the proxy before its guard knows of it.
  const guarding = target !== undefined && method === 'Page.navigate' ? connection.host.guarding(target) : null
  if (guarding === null) send()
  else void guarding.then(() => connection.isOpen() && send())
}

class Refused extends Error {}

/** Does for the client what it may not do itself. */
async function runOurselves(connection: ConnectionState, task: 'end' | 'new-context' | 'drop-context', params: Params): Promise<object> {
  const { host, contexts, limits } = connection
  if (task === 'end') {
    // The answer goes first.
    setImmediate(host.end)
    return {}
  }
  if (task === 'new-context') {
    if (contexts.size + connection.coming >= limits.contexts) throw new Refused(`A client of a session has no more than ${limits.contexts} contexts`)
    connection.coming++
    const id = await host.newContext().finally(() => connection.coming--)
    if (connection.isOpen()) contexts.add(id)
    else await host.dropContext(id)
    return { browserContextId: id }
  }
  const id = String(params['browserContextId'])
  if (!contexts.delete(id)) throw new Refused('Failed to find context with given id')
  await host.dropContext(id)
  return {}
}
