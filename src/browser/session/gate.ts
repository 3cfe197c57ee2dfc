import { ServiceError } from '../../domain/errors.ts'
import type { CdpChannel } from '../../domain/sandbox.ts'
import type { Branch, Spoken } from '../branches.ts'
import type { Credentials } from '../proxy-auth.ts'
import type { Wire } from '../wire.ts'
import { isTold } from './allowed.ts'
import { type Challenges, challenges } from './challenges.ts'
import { type Pace, paced } from './pace.ts'
import { type Params, type Place, ruling } from './rules.ts'

/** The session as its gate sees it. */
export interface GateKeeper {
  readonly wire: Pick<Wire, 'branch'>
  /** The session's own context. */
  readonly main: string
  /** All contexts of the session. */
  readonly contexts: Iterable<string> & { has(id: string): boolean }
  /** Who the session is at the proxy; null where its browser goes out by itself. */
  readonly credentials: Credentials | null
  /** Makes a context more, on the session's terms; answers its id. */
  newContext(): Promise<string>
  dropContext(id: string): Promise<void>
  /** The pace of the commands of all clients of the session. */
  readonly pace: Pace
  /** A client is at work on a page. */
  used(targetId: string): void
  /** A client ends the session. */
  end(): void
}

/** How much a client may have in hand. */
export interface GateLimits {
  /** Bytes of one message. */
  readonly messageBytes: number
  /** Commands without an answer, and bytes of those. */
  readonly commands: number
  readonly commandBytes: number
  /** Commands and their bytes in a second, of all clients of a session together; those that come faster wait. */
  readonly commandRate: number
  readonly commandByteRate: number
  /** Bytes that the client has not yet taken. */
  readonly backlogBytes: number
  /** Contexts made by one client. */
  readonly contexts: number
}

export const gateLimits: GateLimits = { messageBytes: 32 * 1024 ** 2, commands: 5_000, commandBytes: 64 * 1024 ** 2, commandRate: 1_000, commandByteRate: 32 * 1024 ** 2, backlogBytes: 64 * 1024 ** 2, contexts: 10 }

interface Target {
  readonly targetId: string
  readonly type: string
  readonly browserContextId?: string
}

/** A session of the protocol that a client has. */
interface Attached {
  readonly target: Target | null
  /** Whether it leads to the browser itself. */
  readonly root: boolean
  /** Whether the client answers when a site asks for a name and password. */
  authorises: boolean
}

/** What is on its way for a client. */
interface Asked {
  readonly method: string
  readonly bytes: number
  readonly sessionId: string | undefined
}

/** A client's connection that can also be asked for what a site asks of a page. */
export interface GateLine extends CdpChannel {
  readonly ask: Challenges['ask']
}

/** One connection of a client. */
interface Line {
  readonly keeper: GateKeeper
  readonly limits: GateLimits
  readonly branch: Branch
  readonly sessions: Map<string, Attached>
  /** Targets of the session that the client was told of. */
  readonly targets: Set<string>
  readonly asked: Map<number, Asked>
  readonly contexts: Set<string>
  /** Requests for which the proxy was told who asks. */
  readonly named: Set<string>
  readonly challenges: Challenges
  askedBytes: number
  tell(message: Spoken): void
  isOpen(): boolean
  cut(): void
}

/** Commands that show which page a client is at. */
const atWork = /^(?:Page\.(?:navigate|bringToFront|reload)|Input\.)/

const domainOf = (message: Spoken): Params => message.params ?? {}

function isOwn({ keeper }: Line, target: Target | undefined): target is Target {
  return target?.browserContextId !== undefined && keeper.contexts.has(target.browserContextId)
}

function placeOf(line: Line, session: Attached): Place {
  return {
    root: session.root,
    context: session.target?.browserContextId ?? line.keeper.main,
    isOwnContext: (id) => line.keeper.contexts.has(id),
    isOwnTarget: (id) => line.targets.has(id),
    isOwnSession: (id) => line.sessions.has(id),
  }
}

/** Reads a client's message; null where it is none of the protocol. */
function read(text: string): (Spoken & { readonly id: number; readonly method: string }) | null {
  try {
    const { id, method, params, sessionId } = JSON.parse(text) as Spoken // looked at below
    const whole = Number.isSafeInteger(id) && typeof method === 'string' && (params === undefined || (typeof params === 'object' && params !== null && !Array.isArray(params))) && (sessionId === undefined || typeof sessionId === 'string')
    return whole && id !== undefined && method !== undefined ? { id, method, params: params ?? {}, ...(sessionId === undefined ? {} : { sessionId }) } : null
  } catch {
    return null
  }
}

const rootSession: Attached = { target: null, root: true, authorises: false }

/** Takes one message of a client. */
function fromClient(line: Line, text: string): void {
  const message = read(text)
  if (message === null || text.length > line.limits.messageBytes) return line.cut()
  const { id, method, params = {}, sessionId } = message
  const back = sessionId === undefined ? { id } : { id, sessionId }
  const session = sessionId === undefined ? rootSession : line.sessions.get(sessionId)
  if (session === undefined) return line.tell({ ...back, error: { code: -32001, message: 'Session with given id not found.' } })
  const known = line.asked.has(id)
  if (known || line.asked.size >= line.limits.commands || line.askedBytes + text.length > line.limits.commandBytes) return line.cut()
  const told = ruling(method, params, placeOf(line, session))
  if (told.kind === 'refuse') return line.tell({ ...back, error: { code: -32000, message: told.why } })
  if (told.kind === 'answer') return line.tell({ ...back, result: told.result })
  if (told.kind === 'ours') return void ours(line, told.task, params).then((result) => line.tell({ ...back, result }), (error: unknown) => line.tell({ ...back, error: { code: -32000, message: error instanceof ServiceError || error instanceof Refused ? error.message : 'The session could not do this' } })) // prettier-ignore
  const heard = method === 'Fetch.continueWithAuth' ? line.challenges.take(params, sessionId) : null
  if (heard !== null) return line.tell({ ...back, ...heard })
  if (method === 'Fetch.enable') session.authorises = params['handleAuthRequests'] === true
  if (method === 'Fetch.disable') {
    session.authorises = false
    line.challenges.drop(sessionId ?? '')
  }
  const target = session.target?.type === 'page' ? session.target.targetId : undefined
  if (target !== undefined && atWork.test(method)) line.keeper.used(target)
  if (method === 'Target.activateTarget') line.keeper.used(String(told.params['targetId']))
  line.asked.set(id, { method, bytes: text.length, sessionId })
  line.askedBytes += text.length
  line.branch.send({ ...back, method, params: told.params })
}

class Refused extends Error {}

async function ours({ keeper, contexts, limits, isOpen }: Line, task: 'end' | 'new-context' | 'drop-context', params: Params): Promise<object> {
  if (task === 'end') {
    // The answer goes first.
    setImmediate(keeper.end)
    return {}
  }
  if (task === 'new-context') {
    if (contexts.size >= limits.contexts) throw new Refused(`A client of a session has no more than ${limits.contexts} contexts`)
    const id = await keeper.newContext()
    if (isOpen()) contexts.add(id)
    else await keeper.dropContext(id)
    return { browserContextId: id }
  }
  const id = String(params['browserContextId'])
  if (!contexts.delete(id)) throw new Refused('Failed to find context with given id')
  await keeper.dropContext(id)
  return {}
}

/** What of an answer the client is told. */
function answered(line: Line, method: string, result: unknown): unknown {
  const own = (result ?? {}) as { readonly targetInfos?: readonly Target[]; readonly targetInfo?: Target; readonly targetId?: string } // answers of the commands below
  if (method === 'Target.getTargets') {
    const targetInfos = (own.targetInfos ?? []).filter((target) => isOwn(line, target))
    for (const { targetId } of targetInfos) line.targets.add(targetId)
    return { targetInfos }
  }
  if (method === 'Target.getBrowserContexts') return { browserContextIds: [...line.keeper.contexts].filter((id) => id !== line.keeper.main) }
  if (method === 'Target.createTarget' && own.targetId !== undefined) line.targets.add(own.targetId)
  return result
}

/** Names the session at the proxy; answers for the client where it does not want to answer a site. True when the client is not to know. */
function authorised({ keeper, branch, named }: Line, session: Attached, { params, sessionId }: Spoken): boolean {
  const { requestId, authChallenge } = (params ?? {}) as { readonly requestId: string; readonly authChallenge: { readonly source?: string } } // of that event
  const proxy = authChallenge.source === 'Proxy'
  if (!proxy && session.authorises) return false
  const first = proxy && keeper.credentials !== null && !named.has(requestId)
  named.add(requestId)
  const answer = first ? { response: 'ProvideCredentials', ...keeper.credentials } : { response: proxy ? 'CancelAuth' : 'Default' }
  branch.send({ method: 'Fetch.continueWithAuth', params: { requestId, authChallengeResponse: answer }, ...(sessionId === undefined ? {} : { sessionId }) })
  return true
}

/** A target more. One of somebody else's is let go, unseen. */
function attached(line: Line, { params }: Spoken): boolean {
  const { sessionId = '', targetInfo } = domainOf({ params: params ?? {} }) as { readonly sessionId?: string; readonly targetInfo?: Target } // of that event
  if (targetInfo?.type === 'browser') {
    line.sessions.set(sessionId, { target: targetInfo, root: true, authorises: false })
    return true
  }
  if (!isOwn(line, targetInfo)) {
    line.branch.send({ method: 'Runtime.runIfWaitingForDebugger', params: {}, sessionId })
    line.branch.send({ method: 'Target.detachFromTarget', params: { sessionId } })
    return false
  }
  line.targets.add(targetInfo.targetId)
  line.sessions.set(sessionId, { target: targetInfo, root: false, authorises: false })
  return true
}

const proxyHeader = /^proxy-auth/i

/** Headers for the proxy are between the session and the proxy. */
function withoutProxy(message: Spoken): Spoken {
  const headers = (message.params?.['headers'] ?? {}) as Readonly<Record<string, string>> // of that event
  if (!Object.keys(headers).some((name) => proxyHeader.test(name))) return message
  return { ...message, params: { ...message.params, headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !proxyHeader.test(name))) } }
}

/** An event as the client is told of it; null where it is not. */
function event(line: Line, message: Spoken, method: string): Spoken | null {
  const { sessionId, params = {} } = message
  const session = sessionId === undefined ? rootSession : line.sessions.get(sessionId)
  if (session === undefined || !isTold(method)) return null
  if (method === 'Target.attachedToTarget') return attached(line, message) ? message : null
  if (method === 'Target.detachedFromTarget') {
    line.challenges.drop(String(params['sessionId']))
    return line.sessions.delete(String(params['sessionId'])) ? message : null
  }
  if (method === 'Target.targetCreated' || method === 'Target.targetInfoChanged') {
    const target = params['targetInfo'] as Target // of those events
    if (!isOwn(line, target)) return null
    line.targets.add(target.targetId)
    return message
  }
  if (method === 'Target.targetDestroyed' || method === 'Target.targetCrashed') return line.targets.has(String(params['targetId'])) ? message : null
  if (method.startsWith('Target.')) return null
  if (method.startsWith('Browser.download')) return null
  if (method === 'Fetch.authRequired') return authorised(line, session, message) ? null : message
  return method.endsWith('ExtraInfo') ? withoutProxy(message) : message
}

/** Takes one message of the browser. */
function fromBrowser(line: Line, message: Spoken): void {
  if (message.method !== undefined) {
    const told = event(line, message, message.method)
    if (told !== null) line.tell(told)
    return
  }
  const asked = line.asked.get(message.id ?? -1)
  // Answers to what we sent for ourselves carry no number.
  if (asked === undefined || message.id === undefined) return
  line.asked.delete(message.id)
  line.askedBytes -= asked.bytes
  line.tell(message.error === undefined ? { ...message, result: answered(line, asked.method, message.result) } : message)
}

/**
 * Opens a connection for a client: one of its own beside ours, with an allow-list between. What it opened and made ends with it. Rejects
 * when the browser is gone.
 */
export async function gateLine(keeper: GateKeeper, limits: GateLimits = gateLimits, backlog: () => number = () => 0): Promise<GateLine> {
  let listener: ((message: string) => void) | null = null
  let ended = (): void => undefined
  let open = true
  const closed = new Promise<void>((resolve) => (ended = resolve))
  const early: string[] = []
  const close = (): void => {
    if (!open) return
    open = false
    listener = null
    inbox.end()
    line.challenges.drop()
    branch.close()
    for (const id of contexts) void keeper.dropContext(id).catch(() => undefined)
    ended()
  }
  const contexts = new Set<string>()
  const tell = (message: Spoken): void => {
    if (!open) return
    if (backlog() > limits.backlogBytes) return close()
    const text = JSON.stringify(message)
    if (listener === null) early.push(text)
    else listener(text)
  }
  const branch = await keeper.wire.branch({ message: (message) => open && fromBrowser(line, message), closed: close })
  const sessions = new Map<string, Attached>()
  const sessionAt = (targetId: string): string | null => [...sessions].find(([, { target, authorises }]) => authorises && target?.targetId === targetId)?.[0] ?? null
  const line: Line = { keeper, limits, branch, sessions, challenges: challenges({ sessionAt, tell }), targets: new Set(), asked: new Map(), contexts, named: new Set(), askedBytes: 0, tell, isOpen: () => open, cut: close }
  const inbox = paced({ pace: keeper.pace, limits, underWay: () => line.asked.size }, (text) => fromClient(line, text), close)
  return {
    closed,
    close,
    ask: line.challenges.ask,
    send: (text) => void (open && inbox.send(text)),
    onMessage(next) {
      listener = next
      if (next !== null) for (const text of early.splice(0)) next(text)
    },
  }
}
