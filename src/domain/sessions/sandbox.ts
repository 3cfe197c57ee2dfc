import type { languages } from '../../spec/interact.ts'
import type { ActionScrape } from '../pages/actions.ts'

/** A language of code in a session. */
export type Language = (typeof languages)[number]

/**
 * What confines user code: `commands`: our own parser interprets them, no code runs; `os`: a process confined by the
 * kernel; `interpreter`: an interpreter without access to this machine; `trusted`: nothing, by the operator's choice;
 * `off`: no code runs.
 */
export type SandboxLevel = 'commands' | 'os' | 'interpreter' | 'trusted' | 'off'

/**
 * How a language is confined here, and why, in one sentence. `missing`: it is `off` because the language is not installed.
 */
export interface LanguageLevel {
  readonly level: SandboxLevel
  readonly reason: string
  readonly missing: boolean
}

/** The level of every language. */
export type SandboxLevels = { readonly [L in Language]: LanguageLevel }

/** A connection of DevTools messages to a session's browser: whole JSON texts, already confined to that session. */
export interface CdpChannel {
  send(message: string): void
  /**
   * Sets the listener, which receives all messages in order; call it once, right after connecting. Null removes the
   * listener.
   */
  onMessage(listener: ((message: string) => void) | null): void
  /** Resolves when the connection is closed by either side. */
  readonly closed: Promise<void>
  close(): void
}

/** Opens connections to one session's browser. */
export interface CdpSource {
  /** Opens a connection; rejects when the browser has ended. */
  connect(): Promise<CdpChannel>
}

/** A session's browser as user code sees it; `Page` is the driver's own type, opaque here. */
export interface SessionBrowser<Page = unknown> {
  readonly cdp: CdpSource
  /** The session's current page, for commands that we run ourselves. */
  page(): Promise<Page>
  /** The protocol's id of the current page; null when there is none. */
  pageId(): string | null
  /** Makes a page of the session the current one, until another is opened or used. */
  use(page: Page): void
  /** Says whether commands that we run ourselves answer the next dialog, which interpreters would dismiss. */
  answersDialogs(yes: boolean): void
}

/** The result of one run. A crash of user code is reported here, never thrown. */
export interface Run {
  readonly stdout: string
  readonly stderr: string
  /** Value of the last expression: a string unchanged, anything else as JSON; null when there is none. */
  readonly result: string | null
  /** 0: success; null: it ended without an exit code. */
  readonly exitCode: number | null
  /** We ended it because its time was up. */
  readonly killed: boolean
  /** One sentence whenever `exitCode` is not 0. */
  readonly error: string | null
  /** Whether an output was cut at its limit; the cut text says so at its end. */
  readonly truncated: boolean
}

/** Makes markdown of the HTML of a page, as a scrape would. Throws what reading a page throws. */
export type PageReader = (page: ActionScrape, terms: RunTerms) => Promise<string>

/** How long code may run, and a signal that ends it early. */
export interface RunTerms {
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** One language in one session. Variables persist between runs until a run ends the interpreter. */
export interface Interpreter {
  /**
   * Runs code after the runs before it have ended. Rejects with the signal's reason when aborted, or with an error when our
   * side fails (the browser has ended, the interpreter does not start).
   */
  run(code: string, terms: RunTerms): Promise<Run>
  /** Ends everything that runs, with all of its processes. */
  close(): Promise<void>
}

/** Runs user code that can reach a session's browser and nothing else. */
export interface Sandbox<Page = unknown> {
  /** Finds out once what this machine supports; never rejects. */
  levels(): Promise<SandboxLevels>
  /** The result of `levels` once it is known; null before. Costs nothing. */
  known(): SandboxLevels | null
  /**
   * An interpreter for one session, started by its first run. Throws `FEATURE_NOT_CONFIGURED` for a language that is not
   * installed, `BROWSER_NOT_CONFIGURED` if nothing here can confine it.
   */
  open(language: Language, browser: SessionBrowser<Page>): Promise<Interpreter>
  /** Prepares for code to come, if that saves time; never rejects because something is missing. */
  warm(language: Language): Promise<void>
  close(): Promise<void>
}
