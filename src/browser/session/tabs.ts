import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { withTimeout } from '../../lib/with-timeout.ts'
import { hear, screen } from '../guards.ts'
import { rememberTarget } from '../open-page.ts'
import type { Challenge, ChallengeAnswer } from '../protocol/proxy-auth.ts'
import { type OpenDialog, pageDialogs } from './dialogs.ts'
import { documentFault } from './faults.ts'
import { isOpenAddress, mostPages } from './rules.ts'
import { type Guarded, stuckPages } from './stuck.ts'
import { underway } from './underway.ts'

/** A page of a session. */
export interface SessionTab {
  readonly id: string
  readonly page: Page
}

/** The pages of a session, whoever opened them. */
export interface Tabs {
  /** Takes over a context with its pages, present and future. */
  adopt(context: BrowserContext): void
  /** The page that was opened or used last; null when there is none. */
  current(): SessionTab | null
  /** Forgets a context that is about to close. */
  leave(context: BrowserContext): void
  /** The current page, once it is guarded; opens one when there is none. */
  page(): Promise<Page>
  /** Settles when a page is guarded. */
  guarded(page: Page): Promise<void>
  /** The same for a page that may not be known yet, by its id, but after a while in any case; null when it is guarded already. */
  guarding(id: string): Promise<void> | null
  list(): readonly SessionTab[]
  /**
   * Stops the scripts of pages that do not answer, and closes those that still do not answer; returns messages about what
   * was done. Where a client is about to connect, pages that wait for their site too long stop waiting.
   */
  free(connecting: boolean): Promise<readonly string[]>
  /** Messages about pages that crashed, or were not let open, since the last call. */
  news(): readonly string[]
  use(id: string): void
  readonly dialog: OpenDialog | null
  /** Registers a callback for changes of the pages, of their order, and of the dialog. */
  onChange(listener: () => void): void
  /** Allows us to open a page, however many there are. */
  reserve(): void
  /** Stops watching; pages can affect nothing any more. */
  release(): void
}

export interface TabsOptions {
  /** Whether pages must not notice that the browser is automated. */
  readonly quiet: boolean
  /** Whether somebody is there to answer a dialog. */
  readonly answered: () => boolean
  /** Opens a page in the session's own context. */
  readonly open: () => Promise<Page>
  /** Answers a site's request for credentials; null when nobody does. */
  readonly signIn: (id: string, challenge: Challenge) => Promise<ChallengeAnswer> | null
}

/** How many messages are told at once. */
const mostNews = 5
/** How many windows over the limit a page may open before it is closed. */
const patience = 100

/** How long a window that a page opens is waited for. */
const windowMs = 1_000

/** How long a client waits for the guard of a page that it has opened. */
const guardMs = 2_000

/** Closes windows over the limit, and every so often the page that opens them. */
function refusal(say: (news: string) => void): (page: Page) => Promise<void> {
  let refused = 0
  return async (page) => {
    say(`A session has no more than ${mostPages} pages: others were closed at once.`)
    const opener = await page.opener().catch(() => null)
    await page.close().catch(() => undefined)
    if (++refused % patience === 0) await opener?.close().catch(() => undefined)
  }
}

/** Closes a page that crashes, since it shows nothing any more, or that goes to an address that sessions may not open. */
function closeWhenLost(page: Page, released: () => boolean, crashed: (page: Page) => void): void {
  const close = (): void => void page.close().catch(() => undefined)
  page.on('crash', () => {
    crashed(page)
    close()
  })
  page.on('framenavigated', (frame) => {
    const url = frame.url()
    if (!released() && url !== '' && !isOpenAddress(url) && !url.startsWith('chrome-error:')) close()
  })
}

/** Messages about pages that crashed, or were not let open. */
function pageNews() {
  const freed = stuckPages()
  const told: string[] = []
  let ignored = 0
  return {
    add(news: string): void {
      if (told.length < mostNews && !told.includes(news)) told.push(news)
    },
    crashed(page: Page): void {
      if (ignored === 0) this.add(`The page ${page.url().slice(0, 200)} crashed or used up its memory, and was closed.`)
    },
    /** Frees pages that are stuck: those that it makes crash are told of in its messages. */
    async free(all: readonly Guarded[], connecting: boolean): Promise<readonly string[]> {
      ignored++
      return freed(all, connecting).finally(() => void ignored--)
    },
    take: (): readonly string[] => told.splice(0),
  }
}

/** Pages in the order of their last use; `changed` is called when the order or a page changes. */
function byLastUse(changed: () => void) {
  const known = new Map<Page, SessionTab>()
  const last = (): SessionTab | null => [...known.values()].at(-1) ?? null
  return {
    last,
    list: (): readonly SessionTab[] => [...known.values()],
    idOf: (page: Page): string => known.get(page)?.id ?? '',
    add(tab: SessionTab): void {
      known.set(tab.page, tab)
      changed()
    },
    use(id: string): void {
      const tab = [...known.values()].find((one) => one.id === id)
      if (tab === undefined || tab === last()) return
      known.delete(tab.page)
      known.set(tab.page, tab)
      changed()
    },
    remove(page: Page): void {
      if (known.delete(page)) changed()
    },
  }
}

/** Ids of the pages that are guarded, for those who wait for one. */
function guardedIds() {
  const ids = new Set<string>()
  const waiting = new Set<{ readonly id: string; readonly go: () => void }>()
  return {
    add(id: string): void {
      ids.add(id)
      for (const one of waiting) if (one.id === id) one.go()
    },
    remove: (id: string): void => void ids.delete(id),
    waitFor(id: string): Promise<void> | null {
      if (ids.has(id)) return null
      let go = (): void => undefined
      const added = new Promise<void>((resolve) => (go = resolve))
      const one = { id, go }
      waiting.add(one)
      return withTimeout(added, guardMs, () => undefined).finally(() => waiting.delete(one))
    },
  }
}

/** Pages that are still to come: windows that are no pages yet, and pages whose id is not known yet. */
function comingPages() {
  const coming = new Set<Promise<unknown>>()
  const windows = new Set<(noted: Promise<unknown> | null) => void>()

  function add(one: Promise<unknown>): void {
    const settled = one.then(() => undefined, () => undefined).finally(() => coming.delete(settled))
    coming.add(settled)
  }
  return {
    /** A page has opened a window; it is awaited for a while, as it may never become a page. */
    expect(): void {
      if (windows.size >= mostPages) return
      let come: (noted: Promise<unknown> | null) => void = () => undefined
      const opened = new Promise<unknown>((resolve) => (come = resolve))
      windows.add(come)
      add(withTimeout(opened, windowMs, () => undefined).finally(() => windows.delete(come)))
    },
    /** A page has come; `noted` settles when its id is known, null is for one that is refused. */
    came(noted: Promise<unknown> | null): void {
      if (noted !== null) add(noted)
      const [come] = windows
      if (come === undefined) return
      windows.delete(come)
      come(noted)
    },
    settled: async (): Promise<unknown> => Promise.all(coming),
  }
}

/** Tracks a session's pages and guards each of them. */
export function tabs({ quiet, answered, open, signIn }: TabsOptions): Tabs {
  const ready = new Map<Page, Promise<void>>()
  const lines = new Map<Page, Guarded>()
  const coming = comingPages()
  const listeners = new Set<() => void>()
  const news = pageNews()
  const refuse = refusal(news.add)
  let opening: Promise<Page> | null = null
  let released = false
  let places = mostPages

  const changed = (): void => {
    if (!released) for (const listener of listeners) listener()
  }
  const dialogs = pageDialogs(answered, changed)
  const known = byLastUse(changed)
  const guards = guardedIds()

  async function note(page: Page, context: BrowserContext): Promise<CDPSession> {
    const line = context.newCDPSession(page)
    lines.set(page, { page, line, underway: underway(page) })
    const cdp = await line
    const { targetInfo } = await cdp.send('Target.getTargetInfo')
    if (page.isClosed()) return cdp
    rememberTarget(page, targetInfo.targetId)
    known.add({ id: targetInfo.targetId, page })
    return cdp
  }

  async function begin(page: Page, context: BrowserContext): Promise<void> {
    const noted = note(page, context)
    coming.came(noted)
    const cdp = await noted
    if (page.isClosed()) return
    cdp.on('Page.windowOpen', () => coming.expect())
    // Clients answer dialogs, too, and the driver does not tell.
    cdp.on('Page.javascriptDialogClosed', () => dialogs.forget(page))
    await Promise.all([screen(cdp, context, { site: (challenge) => signIn(known.idOf(page), challenge), fault: (answer) => documentFault(context, answer) }), cdp.send('Page.enable'), quiet ? null : hear(cdp, context)])
  }

  function gone(page: Page): void {
    ready.delete(page)
    lines.delete(page)
    dialogs.forget(page)
    guards.remove(known.idOf(page))
    known.remove(page)
  }

  function take(page: Page, context: BrowserContext): void {
    if (ready.has(page)) return
    if (ready.size >= places) return void (coming.came(null), refuse(page))
    page.on('close', () => gone(page))
    page.on('dialog', (one) => dialogs.show(one, page))
    closeWhenLost(page, () => released, (lost) => news.crashed(lost))
    const guard = begin(page, context)
    guard.then(() => guards.add(known.idOf(page)), () => undefined)
    ready.set(page, guard)
  }

  return {
    adopt(context) {
      context.on('page', (page) => take(page, context))
      for (const page of context.pages()) take(page, context)
    },
    leave(context) {
      for (const page of context.pages()) gone(page)
    },
    current: known.last,
    async page() {
      // A page that was just opened becomes the current one.
      await coming.settled()
      const page = known.last()?.page ?? (await (opening ??= open().finally(() => (opening = null))))
      await ready.get(page)
      return page
    },
    guarded: async (page) => ready.get(page),
    guarding: (id) => guards.waitFor(id),
    list: known.list,
    free: (connecting) => news.free([...lines.values()].filter(({ page }) => !dialogs.isBlocking(page)), connecting),
    news: news.take,
    use: known.use,
    get dialog() {
      return dialogs.open
    },
    reserve: () => void (places = mostPages + 1),
    onChange: (listener) => void listeners.add(listener),
    release: () => void (released = true),
  }
}
