import { readResult, type Spoken } from '../protocol/spoken.ts'
import { isTold } from './allowed.ts'
import { type Attached, type ConnectionState, isOwn, rootSession, type Target } from './connection-state.ts'

const readByUs: ReadonlySet<string> = new Set(['Target.getTargets', 'Target.getBrowserContexts', 'Target.createTarget'])

/** The part of an answer that the client receives. */
function answered(connection: ConnectionState, method: string, result: unknown): unknown {
  if (!readByUs.has(method)) return result
  const own = (readResult(result) ?? {}) as { readonly targetInfos?: readonly Target[]; readonly targetInfo?: Target; readonly targetId?: string } // answers of the commands below
  if (method === 'Target.getTargets') {
    const targetInfos = (own.targetInfos ?? []).filter((target) => isOwn(connection, target))
    for (const { targetId } of targetInfos) connection.targets.add(targetId)
    return { targetInfos }
  }
  if (method === 'Target.getBrowserContexts') return { browserContextIds: [...connection.host.contexts].filter((id) => id !== connection.host.main) }
  if (method === 'Target.createTarget' && own.targetId !== undefined) connection.targets.add(own.targetId)
  return result
}

/**
 * Handles a request for credentials: gives the session's to the proxy, and declines a site's when the client does not want
 * to answer it. True when the client must not see it.
 */
function authorised({ host, branch, named }: ConnectionState, session: Attached, { params, sessionId }: Spoken): boolean {
  const { requestId, authChallenge } = (params ?? {}) as { readonly requestId: string; readonly authChallenge: { readonly source?: string } } // the parameters of that event
  const proxy = authChallenge.source === 'Proxy'
  if (!proxy && session.authorises) return false
  const first = proxy && host.credentials !== null && !named.has(requestId)
  named.add(requestId)
  const answer = first ? { response: 'ProvideCredentials', ...host.credentials } : { response: proxy ? 'CancelAuth' : 'Default' }
  branch.send({ method: 'Fetch.continueWithAuth', params: { requestId, authChallengeResponse: answer }, ...(sessionId === undefined ? {} : { sessionId }) })
  return true
}

/** Handles a new target. One of another session is detached without telling the client. */
function attached(connection: ConnectionState, { params }: Spoken): boolean {
  const { sessionId = '', targetInfo } = (params ?? {}) as { readonly sessionId?: string; readonly targetInfo?: Target } // the parameters of that event
  if (targetInfo?.type === 'browser') {
    connection.sessions.set(sessionId, { target: targetInfo, root: true, authorises: false })
    return true
  }
  if (!isOwn(connection, targetInfo)) {
    connection.branch.send({ method: 'Runtime.runIfWaitingForDebugger', params: {}, sessionId })
    connection.branch.send({ method: 'Target.detachFromTarget', params: { sessionId } })
    return false
  }
  connection.targets.add(targetInfo.targetId)
  connection.sessions.set(sessionId, { target: targetInfo, root: false, authorises: false })
  return true
}

const proxyHeader = /^proxy-auth/i

/** Removes headers for the proxy, which are only between the session and the proxy. */
function withoutProxy(message: Spoken): Spoken {
  const headers = (message.params?.['headers'] ?? {}) as Readonly<Record<string, string>> // the headers of that event
  if (!Object.keys(headers).some((name) => proxyHeader.test(name))) return message
  return { ...message, params: { ...message.params, headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !proxyHeader.test(name))) } }
}

/** An event as the client receives it; null when it does not. */
function event(connection: ConnectionState, message: Spoken, method: string): Spoken | null {
  const { sessionId, params = {} } = message
  const session = sessionId === undefined ? rootSession : connection.sessions.get(sessionId)
  if (session === undefined || !isTold(method)) return null
  if (method === 'Target.attachedToTarget') return attached(connection, message) ? message : null
  if (method === 'Target.detachedFromTarget') {
    connection.challenges.drop(String(params['sessionId']))
    return connection.sessions.delete(String(params['sessionId'])) ? message : null
  }
  if (method === 'Target.targetCreated' || method === 'Target.targetInfoChanged') {
    const target = params['targetInfo'] as Target // the parameter of those events
    if (!isOwn(connection, target)) return null
    connection.targets.add(target.targetId)
    return message
  }
  if (method === 'Target.targetDestroyed' || method === 'Target.targetCrashed') return connection.targets.has(String(params['targetId'])) ? message : null
  if (method.startsWith('Target.')) return null
  if (method.startsWith('Browser.download')) return null
  if (method === 'Fetch.authRequired') return authorised(connection, session, message) ? null : message
  return method.endsWith('ExtraInfo') ? withoutProxy(message) : message
}

/**
 * Handles a message of the browser: passes on what concerns the client's session, without anything between the session and
 * the proxy.
 */
export function handleBrowserMessage(connection: ConnectionState, message: Spoken): void {
  if (message.method !== undefined) {
    const told = event(connection, message, message.method)
    if (told !== null) connection.tell(told)
    return
  }
  const asked = connection.asked.get(message.id ?? -1)
  // Answers to our own commands have no recorded id.
  if (asked === undefined || message.id === undefined) return
  connection.asked.delete(message.id)
  connection.askedBytes -= asked.bytes
  // The client knows that its session has ended.
  if (message.sessionId !== undefined && !connection.sessions.has(message.sessionId)) return
  connection.tell(message.error === undefined ? { ...message, result: answered(connection, asked.method, message.result) } : message)
}
