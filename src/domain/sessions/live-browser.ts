import type { Call } from '../call.ts'
import type { Order } from '../pages/capture.ts'
import type { ProxyTier } from '../fetching/proxies.ts'
import type { CdpChannel } from './sandbox.ts'

/** The storage of a browser: cookies, and per origin local storage and IndexedDB. Opaque outside of the driver. */
export interface BrowserState {
  readonly cookies: readonly object[]
  readonly origins: readonly object[]
}

/** How to open a session's browser; device, languages and location are those of a scrape with the same options. */
export interface LiveTerms {
  readonly languages: readonly string[]
  /** The country that the caller named. */
  readonly country?: string | undefined
  readonly mobile?: boolean | undefined
  readonly tier?: ProxyTier | undefined
  readonly skipTlsVerification?: boolean | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The storage to start with. */
  readonly state?: BrowserState | undefined
}

/** Why a session's browser has ended. */
export type LiveEnd = 'closed' | 'client' | 'crashed' | 'memory' | 'shutdown'

/**
 * Opens DevTools connections to a session's browser: each has protocol sessions of its own and is filtered (no files, no
 * other contexts, no way around the egress guard).
 */
export interface CdpDoor {
  /**
   * Opens a connection; rejects when the browser has ended or has too many of them. `backlog` returns how many bytes the
   * client has not read yet: a client too far behind is disconnected.
   */
  connect(backlog?: () => number): Promise<CdpChannel>
}

/** A page of a session, as viewers see it. */
export interface LiveTab {
  readonly id: string
  readonly url: string
  readonly title: string
  readonly active: boolean
}

/** What viewers receive besides frames. */
export type LiveNews =
  | { readonly type: 'tabs'; readonly tabs: readonly LiveTab[] }
  | { readonly type: 'page'; readonly url: string; readonly loading: boolean; readonly back: boolean; readonly forward: boolean }
  /** A dialog of the page waits for an answer; null: no dialog is open any more. */
  | { readonly type: 'dialog'; readonly dialog: { readonly kind: string; readonly message: string; readonly value: string } | null }
  /** An input was refused. */
  | { readonly type: 'refused'; readonly reason: string }

/**
 * A screenshot of the active page. Width and height are those of its window in CSS pixels, the unit of pointer positions.
 */
export interface LiveFrame {
  readonly jpeg: Uint8Array
  readonly width: number
  readonly height: number
}

/** A viewer of a session. */
export interface LiveViewer {
  /** Receives a frame; the next one is sent only after the promise settles, and frames in between are dropped. */
  frame(frame: LiveFrame): Promise<void>
  tell(news: LiveNews): void
  /** The session has ended, or is about to: nothing more comes. */
  ended(): void
}

/** An input of a viewer with control. Modifiers: alt 1, ctrl 2, meta 4, shift 8. */
export type LiveInput =
  | { readonly type: 'mouse'; readonly event: 'move' | 'down' | 'up'; readonly x: number; readonly y: number; readonly button: 'none' | 'left' | 'middle' | 'right'; readonly buttons: number; readonly clicks: number; readonly modifiers: number }
  | { readonly type: 'wheel'; readonly x: number; readonly y: number; readonly dx: number; readonly dy: number; readonly modifiers: number }
  | { readonly type: 'key'; readonly event: 'down' | 'up'; readonly key: string; readonly code: string; readonly keyCode: number; readonly text: string; readonly location: number; readonly repeat: boolean; readonly modifiers: number }
  /** Text that no single key produces: pasted, composed, dictated. */
  | { readonly type: 'text'; readonly text: string }
  /** The URL has passed the checks for scrapes. */
  | { readonly type: 'navigate'; readonly url: string }
  | { readonly type: 'back' | 'forward' | 'reload' | 'stop' | 'new-tab' }
  | { readonly type: 'tab' | 'close-tab'; readonly id: string }
  | { readonly type: 'dialog'; readonly accept: boolean; readonly value: string }

/** A viewer's connection to a session. */
export interface LiveView {
  /** Carries out the viewer's input. Does nothing for a viewer without control. */
  input(input: LiveInput): void
  close(): void
}

/**
 * A browser that lives as long as a session, isolated from other sessions. `Page` is the driver's own type, opaque here.
 */
export interface LiveBrowser<Page = unknown> {
  /** Resolves when the browser has ended and all of its processes and folders are gone. */
  readonly closed: Promise<LiveEnd>
  /** Resolves when a client asks for the end of the session (`Browser.close`): its owner must close it. */
  readonly leaving: Promise<void>
  readonly cdp: CdpDoor
  /**
   * Loads the page of an order in the active tab, runs its actions, and leaves it open as the only one; returns the HTTP
   * status of the document. Throws what a scrape in the browser throws.
   */
  show(order: Order, call: Call): Promise<number>
  /** The session's current page; opens one when none is left. */
  page(): Promise<Page>
  /** The protocol's id of the current page; null when there is none. */
  pageId(): string | null
  /** Makes a page of the session the current one, until another is opened or used. */
  use(page: Page): void
  /**
   * Frees pages that do not respond: stops their scripts, or else closes them. One that waits for its site is left alone;
   * where a client is `connecting`, which would wait for it too, it stops waiting after five seconds. Returns a message about
   * each; never rejects, and takes at most three seconds, or nine.
   */
  free(connecting?: boolean): Promise<readonly string[]>
  /** Messages about pages that crashed, or were not let open, since the last call. */
  news(): readonly string[]
  /** URL of the active page. */
  url(): string
  /**
   * The browser's storage at the session's end, read within `limitMs` after its connections are cut; null when it is larger
   * than the limit. `warnings`: what could not be read.
   */
  state(limitMs: number): Promise<{ readonly state: BrowserState | null; readonly warnings: readonly string[] }>
  watch(viewer: LiveViewer, access: 'view' | 'control'): LiveView
  /** Current connections and viewers: with any, the session is in use. */
  readonly visitors: number
  /** Ends the browser; resolves when nothing of it is left. */
  close(reason?: LiveEnd): Promise<void>
}

/** Opens browsers for sessions. */
export interface LiveBrowsers<Page = unknown> {
  /**
   * Throws `OVERLOADED` (no memory or no place in this process), `BROWSER_NOT_CONFIGURED`, `SCRAPE_ALL_ENGINES_FAILED` (it
   * does not start), `SHUTTING_DOWN`; rejects with the reason of the call's signal.
   */
  open(terms: LiveTerms, call: Call): Promise<LiveBrowser<Page>>
  readonly size: number
  /** Ends all of them. */
  stop(): Promise<void>
}

/** What a session's token gives access to. */
export type LiveAccess = 'cdp' | 'view' | 'control'

/** A session, for requests that bring a token. */
export interface LiveDoor {
  readonly browser: LiveBrowser
  /** Unguessable; one for each kind of access. */
  readonly tokens: Readonly<Record<LiveAccess, string>>
  /** Records a use: the session is not idle. */
  touch(): void
}

/** Finds the live sessions of this process. */
export interface LiveSessions {
  /** Null: no session with that id lives here. */
  find(id: string): LiveDoor | null | Promise<LiveDoor | null>
  /** The tokens of a session of any process; without this method only those of this process are known. */
  tokens?(id: string): Promise<LiveDoor['tokens'] | null>
}

/** The URLs of a session for clients; `base` is the public URL of the service. */
export function liveUrls(base: string, id: string, tokens: LiveDoor['tokens']): { readonly cdpUrl: string; readonly liveViewUrl: string; readonly interactiveLiveViewUrl: string } {
  const at = `/v2/browser/${encodeURIComponent(id)}`
  return {
    cdpUrl: `${base.replace(/^http/, 'ws')}${at}/cdp?token=${tokens.cdp}`,
    liveViewUrl: `${base}${at}/view?token=${tokens.view}`,
    interactiveLiveViewUrl: `${base}${at}/view?token=${tokens.control}`,
  }
}
