import type { Browser } from 'playwright-core'
import { type Asking, asking, type Command, type Message, type Params } from './asking.ts'
import { type Branch, type BranchEnds, branches } from './branches.ts'
import { noServiceWorkers } from '../device/missing-parts.ts'
import { furtherSessions, type Held, note } from './further-sessions.ts'
import { read, readForDriver, type Spoken } from './spoken.ts'
import { type Navigations, navigations } from './navigations.ts'
import { type Openings, openings } from './openings.ts'
import { type PageSession, type Shared, shared } from './page-session.ts'
import type { Pipe, Transport } from './pipe.ts'

/** The commands that set the identity of documents and workers before their first script runs. */
export interface Outfit {
  readonly documents: readonly Command[]
  readonly workers: readonly Command[]
}

/**
 * The connection between the driver and a Chromium. It withholds commands whose effects pages could notice, and makes sure
 * that nothing of a page runs before its identity is set.
 */
export interface Wire {
  readonly transport: Transport
  /**
   * Lets the driver receive console messages of a context's scripts. Pages can detect that; before this call they cannot.
   */
  hear(contextId: string): Promise<void>
  /** Sends a command over the driver's own session of a page, to which alone its emulated screen belongs, or of a frame that runs apart from its page; rejects with what the browser says. */
  command(targetId: string, command: Command): Promise<unknown>
  /** Dresses pages, frames of other sites, popups and workers of the context from now on. Returns whether that page, opened before, was dressed on its way: told twice, a page refuses. */
  dress(contextId: string, outfit: Outfit, targetId?: string): boolean
  /** From now on, windows that the page opens, and those that they open, have no network. */
  isolate(targetId: string): void
  /** The context that the driver created last; null before the first. */
  lastContext(): string | null
  /** The driver's own session of a page, which answers 'Target closed' when there is none. */
  session(targetId: string): PageSession
  /** How many pages the browser has. */
  pages(): number
  /** Takes back what the driver has set in a page by a command, if another session could not set it otherwise. */
  leave(targetId: string, method: string): void
  /** The name of the driver's own script world in a page; null when it has none. */
  driversWorld(targetId: string): string | null
  /** Does work that makes the driver open one page, and tells its target; null when it opened none. */
  opening: Openings['open']
  /** Opens a connection beside the driver's. Rejects when the browser has gone. */
  branch(ends: BranchEnds): Promise<Branch>
}

/** A target that a session is attached to. */
interface Attached {
  /** The target id of a page, or of a frame in a process of its own, in the driver's session; otherwise null. */
  readonly page: string | null
  readonly type: string
  readonly context: string
  /** Whether the driver asked for its script events, and was told that it gets them. */
  muted: boolean
  /** Whether only we know of it. */
  readonly ours: boolean
  /** Whether it is a window without network. */
  readonly isolated: boolean
  /** Whether its identity was set before it ran. */
  dressed: boolean
  /** What the driver has set in it that no other session can set meanwhile. */
  readonly held: Map<string, Held>
  /** The name of the driver's own script world in it. */
  world: string | null
  /** The same session as we use it; null until we do. */
  shared: Shared | null
  /** Why it answers nothing any more; null while it does. */
  lost: string | null
}

/** Commands for every document, whoever opens it. */
const everywhere: readonly Command[] = [{ method: 'Page.addScriptToEvaluateOnNewDocument', params: { source: noServiceWorkers, runImmediately: true } }]

// Nested workers wait as well. The driver only sets this when the first is running already.
const hold: Command = { method: 'Target.setAutoAttach', params: { autoAttach: true, waitForDebuggerOnStart: true, flatten: true } }

const offline: Command = { method: 'Network.emulateNetworkConditions', params: { offline: true, latency: 0, downloadThroughput: -1, uploadThroughput: -1 } }

const documentTypes: ReadonlySet<string> = new Set(['page', 'iframe'])
const workerTypes: ReadonlySet<string> = new Set(['worker', 'shared_worker', 'service_worker'])

/** What is known about a browser's targets and contexts. */
interface Book {
  readonly sessions: Map<string, Attached>
  readonly heard: Set<string>
  readonly outfits: Map<string, Outfit>
  /** Contexts that the driver created: all that do not belong to others. */
  readonly made: Set<string>
  /** Ids of the commands that create them. */
  readonly making: Set<number>
  /** Pages whose windows have no network, including those windows. */
  readonly isolating: Set<string>
  readonly opening: Openings
}

/** Sends what a target must be told before anything of it runs. */
function dressed(sessionId: string, { sessions, outfits, made }: Book, tell: (command: Command, sessionId: string) => void): void {
  const one = sessions.get(sessionId)
  const { type = '', context = '' } = one ?? {}
  // The driver lets a further session of a page go as well, before it leaves it.
  if (type === 'page' && one?.page === null) return
  const outfit = outfits.get(context)
  if (one !== undefined) one.dressed = outfit !== undefined && made.has(context)
  if (one?.isolated === true) tell(offline, sessionId)
  if (documentTypes.has(type) && made.has(context)) for (const command of [...everywhere, ...(outfit?.documents ?? [])]) {
    note(one?.held, command)
    tell(command, sessionId)
  }
  if (workerTypes.has(type)) for (const command of [...(outfit?.workers ?? []), hold]) tell(command, sessionId)
}

/** Records a new session. */
function noteSession({ sessions, isolating }: Book, { sessionId: parent = '', params }: Message): Attached | null {
  const { sessionId, targetInfo } = params ?? {}
  if (sessionId === undefined || targetInfo === undefined) return null
  const { type, targetId, browserContextId, openerId = '' } = targetInfo
  // A frame in such a window is isolated, too.
  const isolated = isolating.has(openerId) || sessions.get(parent)?.isolated === true
  if (isolated && type === 'page') isolating.add(targetId)
  const one: Attached = {
    page: (parent === '' && type === 'page') || type === 'iframe' ? targetId : null,
    type,
    context: browserContextId ?? sessions.get(parent)?.context ?? '',
    muted: false,
    // The driver would detach a shared worker at once.
    ours: type === 'shared_worker' || sessions.get(parent)?.ours === true,
    isolated,
    dressed: false,
    held: new Map(),
    world: null,
    shared: null,
    lost: null,
  }
  sessions.set(sessionId, one)
  return one
}

/** Whether a message is about a session of a page beside the driver's first. */
function isFurther({ sessions }: Book, { sessionId, params }: Message): boolean {
  const one = sessions.get(params?.sessionId ?? '')
  return one === undefined ? sessionId !== undefined && params?.targetInfo?.type === 'page' : one.type === 'page' && one.page === null
}

/** Whether the driver must not see a message of the browser; handles such a message. */
function isOurs(message: Message, book: Book, { ask, isAnswer, lose }: Asking): boolean {
  if (isAnswer(message)) return true
  const { id, method, params, result } = message
  if (id !== undefined && message.sessionId === undefined) book.opening.answered(id, result)
  if (id !== undefined && message.sessionId === undefined && book.making.delete(id)) book.made.add((result as Partial<Params> | undefined)?.browserContextId ?? '') // what `Target.createBrowserContext` answers
  const target = params?.sessionId ?? ''
  if (method === 'Target.attachedToTarget') {
    if (noteSession(book, message)?.ours !== true) return false
    dressed(target, book, ask)
    void ask({ method: 'Runtime.runIfWaitingForDebugger', params: {} }, target)
    return true
  }
  if (method === 'Target.detachedFromTarget') {
    const one = book.sessions.get(target)
    book.sessions.delete(target)
    lose(target, 'Target closed')
    if (one !== undefined) one.lost = 'Target closed'
    if (one !== undefined && ![...book.sessions.values()].some(({ page }) => page === one.page)) book.isolating.delete(one.page ?? '')
    return one?.ours === true
  }
  const one = book.sessions.get(message.sessionId ?? '')
  if (method === 'Inspector.targetCrashed' && one !== undefined) lose(message.sessionId ?? '', (one.lost = 'Target crashed'))
  return one?.ours === true || (method !== undefined && one?.shared?.hear(method, params) === true)
}

/** The driver's end: withholds or passes on what it sends, after what must come first. */
function driversEnd(pipe: Pipe, book: Book, { ask, asked }: Asking & Pick<Navigations, 'asked'>): Transport {
  const transport: Transport = {
    send(message) {
      const { id, sessionId = '', method, params } = message as Message // the driver sends protocol messages
      const one = book.sessions.get(sessionId)
      if (method === 'Runtime.enable' && one !== undefined && !book.heard.has(one.context)) {
        one.muted = true
        return void setImmediate(() => transport.onmessage?.({ id, sessionId, result: {} }))
      }
      // Until then nothing of the target has run; a session processes its commands in order.
      if (method === 'Runtime.runIfWaitingForDebugger') dressed(sessionId, book, ask)
      if (one !== undefined && params?.worldName !== undefined) one.world = params.worldName
      if (method !== undefined) note(one?.held, { method, params: params ?? {} })
      if (id !== undefined) book.opening.asked(id, method)
      if (method === 'Target.createBrowserContext' && id !== undefined) book.making.add(id)
      if (method === 'Target.disposeBrowserContext' && params?.browserContextId !== undefined) {
        book.made.delete(params.browserContextId)
        book.heard.delete(params.browserContextId)
        book.outfits.delete(params.browserContextId)
      }
      asked(message)
      pipe.send(message)
    },
    close: () => pipe.close(),
  }
  return transport
}

/** The driver's session of a page, or of a frame that runs apart from its page. */
const driversOf = ({ sessions }: Book, targetId: string): readonly [sessionId: string, one: Attached] | undefined => [...sessions].find(([, { page }]) => page === targetId)

/** What the browser answers to a command over such a session. */
async function answered({ ask }: Asking, drivers: ReturnType<typeof driversOf>, command: Command): Promise<unknown> {
  const [sessionId, one] = drivers ?? []
  const lost = one === undefined ? 'Target closed' : one.lost
  const { result, error } = lost === null ? await ask(command, sessionId ?? '') : { result: null, error: { message: lost } }
  if (error !== undefined) throw new Error(error.message)
  return result
}

const known = new WeakMap<Browser, Wire>()

/** Stores the wire over which a browser is driven. */
export function rememberWire(browser: Browser, line: Wire): void {
  known.set(browser, line)
}

/** The wire over which a browser is driven. */
export function wireOf(browser: Browser | null): Wire {
  const line = browser === null ? undefined : known.get(browser)
  if (line === undefined) throw new Error('The browser is driven over a line that is not ours.')
  return line
}

/** Creates the wire over a pipe. */
export function wire(pipe: Pipe): Wire {
  const book: Book = { sessions: new Map(), heard: new Set(), outfits: new Map(), made: new Set(), making: new Set(), isolating: new Set(), opening: openings() }
  const own = asking(pipe)
  const beside = branches(pipe)
  const moves = navigations()
  const transport = driversEnd(pipe, book, { ...own, asked: moves.asked })
  const tell = (message: object): void => moves.heard(message).forEach((one) => transport.onmessage?.(one))
  const further = furtherSessions({
    documentsOf: (context) => book.outfits.get(context)?.documents ?? [],
    pages: () => [...book.sessions].filter(([, one]) => one.page !== null && one.dressed).map(([sessionId, { context, held }]) => [sessionId, context, held.values()]),
    tell: own.ask,
  })
  const hear = (message: Message): void => {
    if (message.method?.startsWith('Target.') === true && isFurther(book, message)) further.heard(message)
    if (!isOurs(message, book, own)) tell(message)
  }
  pipe.listen(
    (message) => {
      const spoken = message as Spoken // the browser sends protocol messages
      if (beside.take(spoken)) further.heard(spoken as Message) // of which it reads the parameters of two events
      else hear((own.isAsked(spoken.id) ? read(spoken) : readForDriver(spoken)) as Message) // a protocol message, too
    },
    () => {
      own.end()
      beside.end()
      transport.onclose?.()
    },
    own.most,
  )
  return {
    transport,
    dress(context, outfit, page) {
      book.outfits.set(context, outfit)
      return page !== undefined && [...book.sessions.values()].some((one) => one.page === page && one.dressed)
    },
    isolate: (targetId) => void book.isolating.add(targetId),
    lastContext: () => [...book.made].at(-1) ?? null,
    async branch(ends) {
      const branch = await beside.open(ends)
      return {
        ...branch,
        close() {
          branch.close()
          further.left()
        },
      }
    },
    command: async (targetId, command) => answered(own, driversOf(book, targetId), command),
    session(targetId) {
      const drivers = driversOf(book, targetId)
      const one = drivers?.[1]
      const made = one?.shared ?? shared({ targetId, contextId: one?.context ?? '' }, (command) => answered(own, drivers, command))
      if (one !== undefined) one.shared = made
      return made.session
    },
    pages: () => [...book.sessions.values()].filter(({ page, type }) => page !== null && type === 'page').length,
    leave(targetId, method) {
      const [sessionId = '', one] = driversOf(book, targetId) ?? []
      const held = one?.held.get(method)
      if (held !== undefined) further.leave(held, sessionId)
    },
    driversWorld: (targetId) => driversOf(book, targetId)?.[1].world ?? null,
    opening: book.opening.open,
    async hear(context) {
      book.heard.add(context)
      const muted = [...book.sessions].filter(([, one]) => one.context === context && one.muted)
      for (const [, one] of muted) one.muted = false
      await Promise.all(muted.map(([sessionId]) => own.ask({ method: 'Runtime.enable', params: {} }, sessionId)))
    },
  }
}
