import type { LiveBrowser } from '../../domain/sessions/live-browser.ts'
import type { Interpreter, Language, Sandbox, SessionBrowser } from '../../domain/sessions/sandbox.ts'
import { dialogs } from './dialogs.ts'

/** The interpreters of a session, started on first use. */
export interface Interpreters {
  of(language: Language): Promise<Interpreter>
  /** Starts one ahead for code about to come. Silent on failure: the code will report it. */
  begin(language: Language): void
  /** Frees pages that do not respond, since a starting interpreter would wait for them. Never rejects. */
  free(): Promise<void>
  /** What was done to such pages, and which crashed, as far as no run has reported it yet. */
  news(): readonly string[]
  /** Connections to the browser that they hold; these do not count as use. */
  readonly lines: number
  /** Stops whatever runs in them. */
  close(): Promise<void>
}

const startMs = 60_000

/** The interpreters for a session's browser. */
export function interpreters(browser: LiveBrowser, sandbox: Pick<Sandbox, 'open'>): Interpreters {
  const open = new Map<Language, Promise<Interpreter>>()
  const over = new AbortController()
  const told: string[] = []
  let lines = 0
  let freeing: Promise<void> | null = null
  let early = false

  const free = (connecting = false): Promise<void> =>
    (freeing ??= browser.free(connecting).then((news) => void told.push(...news)).finally(() => {
      freeing = null
    }))

  const shared = dialogs()
  const insideOf = (language: Language): SessionBrowser => ({
    page: () => browser.page(),
    pageId: () => browser.pageId(),
    use: (page) => browser.use(page),
    answersDialogs: (yes) => shared.leave(yes),
    cdp: {
      async connect() {
        // A page that is still loading may well be busy.
        if (!early) await free(true)
        const line = await browser.cdp.connect()
        lines += 1
        void line.closed.then(() => (lines -= 1))
        return shared.line(language, line)
      },
    },
  })

  async function opened(language: Language): Promise<Interpreter> {
    const one = await sandbox.open(language, insideOf(language))
    return { run: (code, terms) => shared.during(language, () => one.run(code, terms)), close: () => one.close() }
  }

  function of(language: Language): Promise<Interpreter> {
    const known = open.get(language)
    if (known !== undefined) return known
    const opening = opened(language)
    open.set(language, opening)
    // The next run tries again.
    opening.catch(() => open.delete(language))
    return opening
  }

  async function started(language: Language): Promise<void> {
    await (await of(language)).run('', { timeoutMs: startMs, signal: over.signal })
  }

  return {
    of,
    begin(language) {
      early = true
      started(language).catch(() => undefined).finally(() => (early = false))
    },
    free: () => free(),
    news: () => [...told.splice(0), ...browser.news()],
    get lines() {
      return lines
    },
    async close() {
      over.abort(new Error('The session is over.'))
      await Promise.allSettled([...open.values()].map(async (one) => (await one).close()))
    },
  }
}
