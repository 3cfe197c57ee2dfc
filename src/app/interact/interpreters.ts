import type { LiveBrowser } from '../../domain/live-browser.ts'
import type { Interpreter, Language, Sandbox, SessionBrowser } from '../../domain/sandbox.ts'

/** The interpreters of a session, opened when they are first needed. */
export interface Interpreters {
  of(language: Language): Promise<Interpreter>
  /** Starts one for code that is about to come; says nothing where that fails, as the code will. */
  begin(language: Language): void
  /** Lines into the browser that they hold: it is not in use by those. */
  readonly lines: number
  /** Ends whatever runs in them. */
  close(): Promise<void>
}

const startMs = 60_000

/** The interpreters for a session's browser. */
export function interpreters(browser: LiveBrowser, sandbox: Pick<Sandbox, 'open'>): Interpreters {
  const open = new Map<Language, Promise<Interpreter>>()
  const over = new AbortController()
  let lines = 0

  const inside: SessionBrowser = {
    page: () => browser.page(),
    cdp: {
      async connect() {
        const line = await browser.cdp.connect()
        lines += 1
        void line.closed.then(() => (lines -= 1))
        return line
      },
    },
  }

  function of(language: Language): Promise<Interpreter> {
    const known = open.get(language)
    if (known !== undefined) return known
    const opening = sandbox.open(language, inside)
    open.set(language, opening)
    // The next run may find what this one missed.
    opening.catch(() => open.delete(language))
    return opening
  }

  async function started(language: Language): Promise<void> {
    await (await of(language)).run('', { timeoutMs: startMs, signal: over.signal })
  }

  return {
    of,
    begin: (language) => void started(language).catch(() => undefined),
    get lines() {
      return lines
    },
    async close() {
      over.abort(new Error('The session is over.'))
      await Promise.allSettled([...open.values()].map(async (one) => (await one).close()))
    },
  }
}
