import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import type { SessionPorts } from '../src/app/interact/ports.ts'
import { type Asker, type SessionService, sessionService } from '../src/app/interact/service.ts'
import type { Call } from '../src/domain/call.ts'
import { ServiceError } from '../src/domain/errors.ts'
import type { LiveBrowser, LiveEnd } from '../src/domain/sessions/live-browser.ts'
import type { Run } from '../src/domain/sessions/sandbox.ts'
import type { Store } from '../src/domain/store.ts'
import { InteractRequest } from '../src/spec/interact.ts'
import { ScrapeRequest } from '../src/spec/scrape.ts'
import { openStore } from '../src/store/index.ts'

export const minute = 60_000
export const start = Date.UTC(2026, 10, 22)
export const scrape = '00000000-0000-4000-8000-000000000001'
export const good: Run = { stdout: 'out', stderr: '', result: null, exitCode: 0, killed: false, error: null, truncated: false }
export const asker: Asker = { team: 'a', base: 'http://trawl.test', forwarded: false, warnings: [] }
export const call: Call = { id: 'c', team: 'a', signal: new AbortController().signal, deadline: 0, retention: 'normal', log: () => undefined }

/** A fake browser that the test can break. */
export function fakeBrowser(): LiveBrowser & { break(why: LiveEnd): void; opened: number; visitors: number } {
  let settle: (why: LiveEnd) => void = () => undefined
  const closed = new Promise<LiveEnd>((resolve) => (settle = resolve))
  const nobody = (): never => {
    throw new Error('this fake must not be reached')
  }
  return { closed, leaving: new Promise(() => undefined), cdp: { connect: nobody }, show: async () => 200, page: async () => ({}), pageId: () => null, use: () => undefined, url: () => '', state: async () => ({ state: { cookies: [], origins: [] }, warnings: [] }), watch: nobody, free: async () => [], news: () => [], visitors: 0, opened: 0, close: async (why = 'closed') => settle(why), break: (why) => settle(why) }
}

/** Sessions, the browsers that they opened and the code that they ran. */
export interface Fake {
  readonly service: SessionService
  readonly browsers: ReturnType<typeof fakeBrowser>[]
  readonly ran: string[]
}

type Running = (code: string, signal: AbortSignal) => Promise<Run>

/** What tests of sessions share: a real store, and a clock that is set by hand. */
export interface SessionDesk {
  readonly store: Store
  clock: number
  ids: number
  /** Stores the scrape that the sessions of the tests belong to. */
  keepScrape(status: number | null, id?: string): Promise<void>
  /** Sessions over the store; `run` executes the code. */
  fake(more?: Partial<SessionPorts>, run?: Running): Fake
  /** What the team has set aside. */
  held(): Promise<number>
}

/** Opens an empty store before each test, with a team and a scrape, and closes it after. */
export function sessionDesk(): SessionDesk {
  let open: { readonly store: Store; readonly folder: string } | undefined
  const desk: SessionDesk = {
    get store() {
      if (open === undefined) throw new Error('The store is open within tests only.')
      return open.store
    },
    clock: start,
    ids: 0,
    async keepScrape(status, id = scrape) {
      const frame = status === null ? null : JSON.stringify({ metadata: { statusCode: status } })
      await desk.store.results.settle({ team: 'a', result: { id, team: 'a', kind: 'scrape', blob: 'b', frame, request: JSON.stringify(ScrapeRequest.parse({ url: 'http://site.test/' })), createdAt: start, expiresAt: start + 60 * minute }, charge: null, cache: null })
    },
    fake: (more = {}, run = async () => good) => fake(desk, more, run),
    held: async () => (await desk.store.ledger.balance('a', desk.clock)).held,
  }
  beforeEach(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'trawl-sessions-'))
    open = { folder, store: await openStore({ kind: 'sqlite', dataDir: folder, writer: 'inline' }) }
    Object.assign(desk, { clock: start, ids: 0 })
    await desk.store.accounts.ensureTeam('a', 100, start)
    await desk.keepScrape(null)
  })
  afterEach(async () => {
    await open?.store.close()
    if (open !== undefined) rmSync(open.folder, { recursive: true, force: true })
  })
  return desk
}

function fake(desk: SessionDesk, more: Partial<SessionPorts>, run: Running): Fake {
  const browsers: ReturnType<typeof fakeBrowser>[] = []
  const ran: string[] = []
  const ports: SessionPorts = {
    sessions: desk.store.sessions,
    ledger: desk.store.ledger,
    results: desk.store.results,
    pageOfJob: async () => null,
    profiles: { load: async () => null, lock: async () => null, remove: async () => true },
    browsers: {
      open: async () => {
        const browser = fakeBrowser()
        browsers.push(browser)
        return browser
      },
    },
    sandbox: {
      levels: () => Promise.reject(new Error('not asked')),
      known: () => null,
      warm: async () => undefined,
      open: async () => ({
        run: (code, { signal }) => {
          // The start of the interpreter.
          if (code === '') return Promise.resolve(good)
          ran.push(code)
          return run(code, signal)
        },
        close: async () => undefined,
      }),
      close: async () => undefined,
    },
    agent: null,
    abilities: { features: new Set(), gates: { zeroRetention: [], ignoreRobots: [], enterpriseSearch: [] } },
    owner: { id: 'me', url: null },
    fleet: false,
    retentionMs: 60 * minute,
    perTeam: 5,
    defaults: { ttlMs: 10 * minute, idleMs: 5 * minute },
    leaseMs: 60 * minute,
    now: () => desk.clock,
    newId: () => `session-${++desk.ids}`,
    newSecret: () => 'secret',
    callFor: ({ signal }) => ({ ...call, signal, end: () => undefined }),
    log: () => undefined,
    ...more,
  }
  return { service: sessionService(ports), browsers, ran }
}

/** Asks for code to be run on the scrape, as the edge does: repeats of a request share its answer. */
export const interact = ({ service }: Fake, body: object = { code: '1' }, on = call): ReturnType<SessionService['interact']> => {
  const request = InteractRequest.parse(body)
  return service.repeats.guard(`interact a ${scrape}`, request, () => service.interact(scrape, request, asker, on))
}

/** The error code of what fails; otherwise what it answers. */
export const codeOf = async (work: Promise<unknown>): Promise<unknown> => work.then((value) => value, (error: unknown) => (error instanceof ServiceError ? error.code : error))
