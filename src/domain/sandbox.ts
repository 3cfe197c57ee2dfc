/** The languages in which users may give code to a browser session. */
export const languages = ['node', 'python', 'bash'] as const

/** One of `languages`. */
export type Language = (typeof languages)[number]

/**
 * What stands between user code and this machine: `commands` are read by us and run no code here; `os` walls off a process by means of
 * the kernel; `interpreter` runs it in an interpreter that has nothing of this machine to give; `trusted` is no wall at all, chosen by the operator; `off` runs nothing.
 */
export type SandboxLevel = 'commands' | 'os' | 'interpreter' | 'trusted' | 'off'

/** How far a language is confined here, and a sentence why. `missing` tells an `off` for want of the language itself. */
export interface LanguageLevel {
  readonly level: SandboxLevel
  readonly reason: string
  readonly missing: boolean
}

/** The level of every language. */
export type SandboxLevels = { readonly [L in Language]: LanguageLevel }

/** A line of DevTools messages to a session's browser: whole JSON texts, already confined to that session. */
export interface CdpChannel {
  send(message: string): void
  /** Hears each message in order; one listener, set once, right after the connection. Null takes it back. */
  onMessage(listener: ((message: string) => void) | null): void
  /** Resolves when the line is gone, whoever ended it. */
  readonly closed: Promise<void>
  close(): void
}

/** Where lines to one session's browser come from. */
export interface CdpSource {
  /** A new line; rejects when the browser is gone. */
  connect(): Promise<CdpChannel>
}

/** A session's browser as user code meets it; `Page` is the driver's own type, opaque here. */
export interface SessionBrowser<Page = unknown> {
  readonly cdp: CdpSource
  /** The page that the session is at, for commands that run on our side of the wall. */
  page(): Promise<Page>
}

/** What one run came to. A crash of user code is told here, never thrown. */
export interface Run {
  readonly stdout: string
  readonly stderr: string
  /** Value of the last expression: a text as it is, anything else as JSON; null when there is none. */
  readonly result: string | null
  /** 0: all went well; null: it ended without a number. */
  readonly exitCode: number | null
  /** Ended by us, as its time was up. */
  readonly killed: boolean
  /** One sentence whenever `exitCode` is not 0. */
  readonly error: string | null
  /** Whether an output was cut at its limit; the cut text says so at its end. */
  readonly truncated: boolean
}

/** How long code may run, and a signal that ends it early. */
export interface RunTerms {
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** One language of one session. Variables live from run to run, until a run ends its interpreter. */
export interface Interpreter {
  /** Runs in turn. Rejects with the signal's reason when aborted, or with an error when our side fails (the browser is gone, the interpreter does not start). */
  run(code: string, terms: RunTerms): Promise<Run>
  /** Ends whatever runs, all its processes included. */
  close(): Promise<void>
}

/** Runs user code beside a session's browser, and nowhere else. */
export interface Sandbox<Page = unknown> {
  /** Looks once what this machine allows; never rejects. */
  levels(): Promise<SandboxLevels>
  /** What `levels` found, when it has; null before. Costs nothing. */
  known(): SandboxLevels | null
  /**
   * An interpreter for one session. It starts at its first run. Throws `FEATURE_NOT_CONFIGURED` for a language that is not installed,
   * `BROWSER_NOT_CONFIGURED` where nothing here confines it.
   */
  open(language: Language, browser: SessionBrowser<Page>): Promise<Interpreter>
  /** Gets ready for code that is about to come, where that saves time. Never rejects for want of anything. */
  warm(language: Language): Promise<void>
  close(): Promise<void>
}
