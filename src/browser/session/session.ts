import type { BrowserContext, Page } from 'playwright-core'
import type { Call } from '../../domain/call.ts'
import type { Order } from '../../domain/pages/capture.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { BrowserState, LiveBrowser, LiveEnd, LiveTerms } from '../../domain/sessions/live-browser.ts'
import { type Grant, tunnelGreeting } from '../../net/index.ts'
import { outfitFor } from '../device/dress.ts'
import { type ContextTerms, contextTerms } from '../device/terms.ts'
import type { Launched } from '../chromium/launch.ts'
import { openPage } from '../open-page.ts'
import { visit, type VisitOptions } from '../page/visit.ts'
import { originsIn, putState, takeState } from '../profile/state.ts'
import { rememberCredentials } from '../protocol/proxy-auth.ts'
import type { ContextTunnel } from '../pool/rooms.ts'
import { within } from '../within.ts'
import { type Wire, wireOf } from '../protocol/wire.ts'
import { pace } from './pace.ts'
import { type ClientConnection, clientConnection } from './client-connection.ts'
import { type ConnectionLimits, connectionLimits, type SessionHost } from './connection-state.ts'
import { mostPages } from './rules.ts'
import { type Eyes, eyes } from './screencast.ts'
import { type Tabs, tabs, type TabsOptions } from './tabs.ts'
import { type Views, views } from './view.ts'

/** A session's browser with the driver's pages. */
export type SessionBrowser = LiveBrowser<Page>

/** The parts of a session's browser. */
export interface SessionParts {
  readonly launched: Launched
  readonly tunnel: ContextTunnel
  readonly grant: Grant | null
  readonly visiting: VisitOptions
  readonly limits?: Partial<ConnectionLimits> | undefined
}

const closeMs = 1_000
const greetMs = 5_000
const maxLines = 20
/** How long the owner of the session has to end it when a client wants that. */
const leaveMs = 10_000

/** How long putting a profile into the browser may take. */
const putMs = 15_000

/** The terms of a visit by a scrape with the same options. */
function termsOf(terms: LiveTerms): ContextTerms {
  return contextTerms({ url: 'about:blank', headers: terms.headers ?? {}, languages: terms.languages, skipTlsVerification: terms.skipTlsVerification ?? true, mobile: terms.mobile ?? false, ...(terms.country === undefined ? {} : { country: terms.country }) })
}

/** Creates contexts of a browser one after the other, because the wire only reports the last one. */
function contextMaker({ launched, tunnel, grant }: SessionParts, terms: ContextTerms, line: Wire) {
  let before: Promise<unknown> = Promise.resolve()
  const proxy = tunnel === null ? {} : { proxy: { server: `http://${tunnel.host}:${tunnel.port}` } }

  async function make(sized: boolean): Promise<{ readonly context: BrowserContext; readonly id: string }> {
    const { viewport: _, screen: __, deviceScaleFactor: ___, isMobile: ____, ...unsized } = terms.context
    const context = await launched.browser.newContext({ ...(sized ? terms.context : { ...unsized, viewport: null }), ...proxy, acceptDownloads: false })
    rememberCredentials(context, grant)
    const id = line.lastContext() ?? ''
    const { documents, workers } = outfitFor(terms, launched.browser.version())
    line.dress(id, { documents, workers })
    return { context, id }
  }

  return (sized: boolean): ReturnType<typeof make> => {
    const made = before.then(() => make(sized))
    before = made.catch(() => undefined)
    return made
  }
}

/**
 * Sends the context's credentials to the proxy, so that no page of it is asked later: clients could open one faster than it
 * is guarded.
 */
async function greet(page: Page): Promise<void> {
  await page.goto(tunnelGreeting, { timeout: greetMs }).catch(() => undefined)
}

/** Whether an address is the one that greets the proxy, which nobody has asked for. */
export const isGreeting = (url: string): boolean => url === tunnelGreeting

interface Inside {
  readonly parts: SessionParts
  readonly quiet: boolean
  readonly device: ContextTerms
  readonly line: Wire
  readonly make: ReturnType<typeof contextMaker>
  readonly main: { readonly context: BrowserContext; readonly id: string }
  readonly book: Tabs
  readonly look: Eyes
  readonly show: Views
  /** Settles when the proxy knows the session. */
  readonly greeted: Promise<void>
  readonly contexts: Map<string, BrowserContext>
  readonly lines: Set<ClientConnection>
}

/** A browser that is prepared for a session on the given terms. */
export type Prepared = Inside

/** Prepares a browser that was just started for a session. Rejects when it breaks down meanwhile. */
export async function prepared(parts: SessionParts, terms: LiveTerms): Promise<Prepared> {
  const line = wireOf(parts.launched.browser)
  const device = termsOf(terms)
  const quiet = terms.tier === 'enhanced'
  const make = contextMaker(parts, device, line)
  const [main, look] = await Promise.all([make(true), eyes((ends) => line.branch(ends))])
  const lines = new Set<ClientConnection>()
  const open = (): Promise<Page> => openPage(main.context)
  const signIn: TabsOptions['signIn'] = (id, challenge) => {
    for (const client of lines) {
      const answer = client.ask(id, challenge)
      if (answer !== null) return answer
    }
    return null
  }
  const book: Tabs = tabs({ quiet, answered: () => lines.size > 0 || show.controlling, open, signIn })
  const show: Views = views({ eyes: look, tabs: book, open })
  book.adopt(main.context)
  const located = device.located ? look.ask('Browser.setPermission', { permission: { name: 'geolocation' }, setting: 'granted', browserContextId: main.id }) : null
  const [first] = await Promise.all([book.page(), located])
  const greeted = parts.grant === null ? Promise.resolve() : greet(first)
  return { parts, quiet, device, line, make, main, book, look, show, greeted, contexts: new Map([[main.id, main.context]]), lines }
}

/** Discards what was prepared, when no session on those terms came; the browser stays. */
export async function unprepared({ parts, look, book, main }: Prepared): Promise<void> {
  book.release()
  look.close()
  await main.context.close()
  parts.grant?.revoke()
}

function hostOf(all: Inside, end: () => void): Omit<SessionHost, 'pace'> {
  const dropContext = async (id: string): Promise<void> => {
    const context = all.contexts.get(id)
    if (context === undefined) return
    all.contexts.delete(id)
    all.book.leave(context)
    await context.close()
  }
  const greetFrom = async (context: BrowserContext): Promise<void> => {
    const page = await openPage(context)
    await all.book.guarded(page)
    await greet(page)
    await page.close()
  }
  return {
    wire: all.line,
    main: all.main.id,
    contexts: { has: (id: string) => all.contexts.has(id), [Symbol.iterator]: () => all.contexts.keys() },
    credentials: all.parts.grant,
    guarding: (id) => all.book.guarding(id),
    isFull: (coming) => all.line.pages() + coming >= mostPages,
    used: (id) => all.book.use(id),
    end,
    async newContext() {
      const { context, id } = await all.make(false)
      all.contexts.set(id, context)
      context.once('close', () => all.contexts.delete(id))
      all.book.adopt(context)
      try {
        await greetFrom(context)
      } catch (error) {
        // Nobody was told of it, so nobody would drop it.
        await dropContext(id).catch(() => undefined)
        throw error
      }
      return id
    },
    dropContext,
  }
}

/** A function that returns the milliseconds left of a limit that starts now. */
function lasting(ms: number): () => number {
  const end = performance.now() + ms
  return () => end - performance.now()
}

const gone = (): ServiceError => new ServiceError('BROWSER_FAILURE', 'The browser of the session is gone.')

/** Makes a session's browser from a prepared one. Rejects when it breaks down meanwhile. */
export async function sessionBrowser(all: Prepared, state: BrowserState | undefined): Promise<SessionBrowser> {
  const { book, show, lines, look, main, greeted, parts } = all
  const { launched } = parts
  const before = state ?? { cookies: [], origins: [] }
  if (state !== undefined) await greeted
  const failed = state === undefined ? new Set<string>() : await putState(main.context, before, lasting(putMs))
  const seen = originsIn(main.context)
  let settle: (why: LiveEnd) => void = () => undefined
  const closed = new Promise<LiveEnd>((resolve) => (settle = resolve))
  let leave = (): void => undefined
  const leaving = new Promise<void>((resolve) => (leave = resolve))
  const limits = { ...connectionLimits, ...parts.limits }
  const beat = pace({ messages: limits.commandRate, bytes: limits.commandByteRate }, () => performance.now())
  let [connecting, ending]: [number, Promise<void> | null] = [0, null]

  async function end(): Promise<void> {
    book.release()
    show.close()
    for (const line of lines) line.close()
    look.close()
    await within(main.context.close(), closeMs)
    await launched.close()
    parts.grant?.revoke()
  }
  const close = (reason: LiveEnd = 'closed'): Promise<void> => (ending ??= end().catch(() => launched.kill()).then(() => settle(reason)))
  launched.browser.once('disconnected', () => void close('crashed'))
  // It may have died while the state was put into it.
  if (!launched.browser.isConnected()) throw gone()
  void leaving.then(() => setTimeout(() => void close('client'), leaveMs).unref())
  const alive = (): void => {
    if (ending !== null) throw gone()
  }

  return {
    closed,
    leaving,
    close,
    async page() {
      alive()
      const page = await book.page()
      // Whoever asks for it uses the driver's scripts, which get no results in quiet contexts.
      if (all.quiet) await all.line.hear(main.id)
      return page
    },
    pageId: () => book.current()?.id ?? null,
    use: (page) => book.use(book.list().find((tab) => tab.page === page)?.id ?? ''),
    free: (connecting = false) => (ending === null ? book.free(connecting) : Promise.resolve([])),
    news: book.news,
    url: () => book.current()?.page.url() ?? 'about:blank',
    async state(limitMs) {
      alive()
      // Clients that intercept requests must not prevent saving the profile.
      for (const line of lines) line.close()
      book.reserve()
      const origins = seen.all().filter((origin) => origin !== new URL(tunnelGreeting).origin)
      return takeState(main.context, { before, origins, failed }, lasting(limitMs))
    },
    async show(order, call) {
      alive()
      const page = await book.page()
      const status = await showPage(all, page, order, call)
      // Windows that the page or the actions opened are no part of what the scrape saw, and the last of them would be active.
      await Promise.allSettled(main.context.pages().map((one) => (one === page ? null : one.close())))
      return status
    },
    cdp: {
      async connect(backlog) {
        alive()
        if (lines.size + connecting >= maxLines) throw new ServiceError('RATE_LIMITED', 'The session has as many connections as it may have.')
        connecting++
        const line = await greeted.then(() => clientConnection({ ...hostOf(all, leave), pace: beat }, limits, backlog)).finally(() => connecting--)
        lines.add(line)
        void line.closed.then(() => lines.delete(line))
        return line
      },
    },
    watch(viewer, access) {
      alive()
      return show.join(viewer, access)
    },
    get visitors() {
      return lines.size + show.size
    },
  }
}

async function showPage({ parts, device, greeted }: Inside, page: Page, order: Order, call: Call): Promise<number> {
  // One navigation at a time.
  await greeted
  const visited = await visit(page, { order, terms: device, stays: true }, parts.visiting, call)
  if (visited.kind === 'file') throw new ServiceError('SCRAPE_SITE_ERROR', 'The address leads to a file, which a session does not show.')
  return visited.capture.status
}
