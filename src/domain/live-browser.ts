import type { Call } from './call.ts'
import type { Order } from './capture.ts'
import type { ProxyTier } from './proxies.ts'
import type { CdpChannel } from './sandbox.ts'

/** What a visitor's browser remembers: cookies, and per origin local storage and IndexedDB. The form is the driver's; nobody else looks inside. */
export interface BrowserState {
  readonly cookies: readonly object[]
  readonly origins: readonly object[]
}

/** On what terms a session's browser is opened; the device, languages and place are those of a scrape with the same wishes. */
export interface LiveTerms {
  readonly languages: readonly string[]
  /** The country that the caller named. */
  readonly country?: string | undefined
  readonly mobile?: boolean | undefined
  readonly tier?: ProxyTier | undefined
  readonly skipTlsVerification?: boolean | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** What the browser remembers from the start. */
  readonly state?: BrowserState | undefined
}

/** Why a session's browser is gone. */
export type LiveEnd = 'closed' | 'client' | 'crashed' | 'memory' | 'shutdown'

/** Where lines into a session's browser come from: each has protocol sessions of its own, all filtered (no files, no other contexts, no way past the egress guard). */
export interface CdpDoor {
  /** A new line; rejects when the browser is gone or has enough of them. `backlog` says how many bytes its client has not yet taken: one that lets too many gather is cut off. */
  connect(backlog?: () => number): Promise<CdpChannel>
}

/** A page of a session as viewers see it. */
export interface LiveTab {
  readonly id: string
  readonly url: string
  readonly title: string
  readonly active: boolean
}

/** What viewers are told beside the pictures. */
export type LiveNews =
  | { readonly type: 'tabs'; readonly tabs: readonly LiveTab[] }
  | { readonly type: 'page'; readonly url: string; readonly loading: boolean; readonly back: boolean; readonly forward: boolean }
  /** A dialog of the page waits for an answer; null: none does any more. */
  | { readonly type: 'dialog'; readonly dialog: { readonly kind: string; readonly message: string; readonly value: string } | null }
  /** A wish could not be met. */
  | { readonly type: 'refused'; readonly reason: string }

/** A picture of the active page. Width and height are those of its window, in its own pixels: the measure of pointer positions. */
export interface LiveFrame {
  readonly jpeg: Uint8Array
  readonly width: number
  readonly height: number
}

/** Somebody who looks at a session. */
export interface LiveViewer {
  /** Takes a picture; the next one is not given before the promise settles, and those between are left out. */
  frame(frame: LiveFrame): Promise<void>
  tell(news: LiveNews): void
}

/** What a viewer who may control a session does. Modifiers: alt 1, ctrl 2, meta 4, shift 8. */
export type LiveInput =
  | { readonly type: 'mouse'; readonly event: 'move' | 'down' | 'up'; readonly x: number; readonly y: number; readonly button: 'none' | 'left' | 'middle' | 'right'; readonly buttons: number; readonly clicks: number; readonly modifiers: number }
  | { readonly type: 'wheel'; readonly x: number; readonly y: number; readonly dx: number; readonly dy: number; readonly modifiers: number }
  | { readonly type: 'key'; readonly event: 'down' | 'up'; readonly key: string; readonly code: string; readonly keyCode: number; readonly text: string; readonly location: number; readonly repeat: boolean; readonly modifiers: number }
  /** Text that no single key gives: pasted, composed, dictated. */
  | { readonly type: 'text'; readonly text: string }
  /** The address has been checked as that of a scrape. */
  | { readonly type: 'navigate'; readonly url: string }
  | { readonly type: 'back' | 'forward' | 'reload' | 'stop' | 'new-tab' }
  | { readonly type: 'tab' | 'close-tab'; readonly id: string }
  | { readonly type: 'dialog'; readonly accept: boolean; readonly value: string }

/** A look at a session. */
export interface LiveView {
  /** Does what the viewer wishes; one wish after the other. Does nothing for a viewer who may only look. */
  input(input: LiveInput): void
  close(): void
}

/** A browser that lives as long as a session. Nothing of it is visible to another one. `Page` is the driver's own type, opaque here. */
export interface LiveBrowser<Page = unknown> {
  /** Resolves when it is gone, all its processes and folders with it. */
  readonly closed: Promise<LiveEnd>
  /** Resolves when a client asks for the end of the session (`Browser.close`): whoever owns it is to close it. */
  readonly leaving: Promise<void>
  readonly cdp: CdpDoor
  /** Shows the page of an order in the active tab, actions done, and leaves it open; answers the status of its document. Throws what a scrape in the browser throws. */
  show(order: Order, call: Call): Promise<number>
  /** The page that the session is at; opens one where none is left. */
  page(): Promise<Page>
  /** Frees pages that do not answer: stops their scripts, else closes them. Says of each what was done; never rejects, and takes three seconds at most. */
  free(): Promise<readonly string[]>
  /** Address of the active page. */
  url(): string
  /** What it remembers at its end, for which its connections are cut; taken within so many milliseconds; null where that is more than is kept. `warnings`: what of it could not be taken. */
  state(limitMs: number): Promise<{ readonly state: BrowserState | null; readonly warnings: readonly string[] }>
  watch(viewer: LiveViewer, access: 'view' | 'control'): LiveView
  /** Connections and viewers at the moment: a session with any is in use. */
  readonly visitors: number
  /** Ends it; resolves when nothing of it is left. */
  close(reason?: LiveEnd): Promise<void>
}

/** Opens browsers for sessions. */
export interface LiveBrowsers<Page = unknown> {
  /** Throws `OVERLOADED` (no memory or no place in this process), `BROWSER_NOT_CONFIGURED`, `SCRAPE_ALL_ENGINES_FAILED` (it does not start), `SHUTTING_DOWN`; rejects with the call's reason. */
  open(terms: LiveTerms, call: Call): Promise<LiveBrowser<Page>>
  readonly size: number
  /** Ends all of them. */
  stop(): Promise<void>
}

/** What a token of a session opens. */
export type LiveAccess = 'cdp' | 'view' | 'control'

/** A session as those find it who come with a token. */
export interface LiveDoor {
  readonly browser: LiveBrowser
  /** Unguessable, one for each kind of access. */
  readonly tokens: Readonly<Record<LiveAccess, string>>
  /** Somebody did something: the session is not idle. */
  touch(): void
}

/** Finds the live sessions of this process. */
export interface LiveSessions {
  /** Null: none of that id lives here. */
  find(id: string): LiveDoor | null | Promise<LiveDoor | null>
  /** The tokens of a session wherever it lives; without this only those of this process are known. */
  tokens?(id: string): Promise<LiveDoor['tokens'] | null>
}

/** The addresses of a session that are handed out; `base` is that of the service as clients reach it. */
export function liveUrls(base: string, id: string, tokens: LiveDoor['tokens']): { readonly cdpUrl: string; readonly liveViewUrl: string; readonly interactiveLiveViewUrl: string } {
  const at = `/v2/browser/${encodeURIComponent(id)}`
  return {
    cdpUrl: `${base.replace(/^http/, 'ws')}${at}/cdp?token=${tokens.cdp}`,
    liveViewUrl: `${base}${at}/view?token=${tokens.view}`,
    interactiveLiveViewUrl: `${base}${at}/view?token=${tokens.control}`,
  }
}
