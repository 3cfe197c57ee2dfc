import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Call } from '../../domain/call.ts'
import { ServiceError, StoreAway } from '../../domain/errors.ts'
import type { LiveBrowser, LiveEnd } from '../../domain/sessions/live-browser.ts'
import type { Run } from '../../domain/sessions/sandbox.ts'
import type { Store } from '../../domain/store.ts'
import { ExecuteRequest, InteractRequest } from '../../spec/interact.ts'
import { ScrapeRequest } from '../../spec/scrape.ts'
import { openStore } from '../../store/index.ts'
import type { SessionPorts } from './ports.ts'
import { type Asker, type SessionService, sessionService } from './service.ts'

const minute = 60_000
const start = Date.UTC(2026, 10, 22)
const scrape = '00000000-0000-4000-8000-000000000001'
const good: Run = { stdout: 'out', stderr: '', result: null, exitCode: 0, killed: false, error: null, truncated: false }
const asker: Asker = { team: 'a', base: 'http://trawl.test', forwarded: false, warnings: [] }
const call: Call = { id: 'c', team: 'a', signal: new AbortController().signal, deadline: 0, retention: 'normal', log: () => undefined }

let store: Store
let folder: string
let clock: number
let ids: number

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'trawl-sessions-'))
  store = await openStore({ kind: 'sqlite', dataDir: folder, writer: 'inline' })
  clock = start
  ids = 0
  await store.accounts.ensureTeam('a', 100, start)
  await keepScrape(null)
})
/** Stores the scrape that the sessions of the tests belong to. */
async function keepScrape(status: number | null, id = scrape): Promise<void> {
  const frame = status === null ? null : JSON.stringify({ metadata: { statusCode: status } })
  await store.results.settle({ team: 'a', result: { id, team: 'a', kind: 'scrape', blob: 'b', frame, request: JSON.stringify(ScrapeRequest.parse({ url: 'http://site.test/' })), createdAt: start, expiresAt: start + 60 * minute }, charge: null, cache: null })
}
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A fake browser that the test can break. */
function fakeBrowser(): LiveBrowser & { break(why: LiveEnd): void; opened: number; visitors: number } {
  let settle: (why: LiveEnd) => void = () => undefined
  const closed = new Promise<LiveEnd>((resolve) => (settle = resolve))
  const nobody = (): never => {
    throw new Error('this fake must not be reached')
  }
  return { closed, leaving: new Promise(() => undefined), cdp: { connect: nobody }, show: async () => 200, page: async () => ({}), pageId: () => null, use: () => undefined, url: () => '', state: async () => ({ state: { cookies: [], origins: [] }, warnings: [] }), watch: nobody, free: async () => [], news: () => [], visitors: 0, opened: 0, close: async (why = 'closed') => settle(why), break: (why) => settle(why) }
}

interface Fake {
  readonly service: SessionService
  readonly browsers: ReturnType<typeof fakeBrowser>[]
  readonly ran: string[]
}

/** Sessions over a real store; `run` executes the code. */
function fake(more: Partial<SessionPorts> = {}, run: (code: string, signal: AbortSignal) => Promise<Run> = async () => good): Fake {
  const browsers: ReturnType<typeof fakeBrowser>[] = []
  const ran: string[] = []
  const ports: SessionPorts = {
    sessions: store.sessions,
    ledger: store.ledger,
    results: store.results,
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
    now: () => clock,
    newId: () => `session-${++ids}`,
    newSecret: () => 'secret',
    callFor: ({ signal }) => ({ ...call, signal, end: () => undefined }),
    log: () => undefined,
    ...more,
  }
  return { service: sessionService(ports), browsers, ran }
}

const interact = ({ service }: Fake, body: object = { code: '1' }, on = call): ReturnType<SessionService['interact']> => {
  const request = InteractRequest.parse(body)
  return service.repeats.guard(`interact a ${scrape}`, request, () => service.interact(scrape, request, asker, on))
}
const codeOf = async (work: Promise<unknown>): Promise<unknown> => work.then((value) => value, (error: unknown) => (error instanceof ServiceError ? error.code : error))
const held = async (): Promise<number> => (await store.ledger.balance('a', clock)).held

describe('a session', () => {
  it('whose browser does not start is forgotten and releases its credits; a repeat is refused for five seconds', async () => {
    let tries = 0
    const session = fake({ browsers: { open: async () => Promise.reject(new ServiceError('SCRAPE_ALL_ENGINES_FAILED', `try ${++tries}`)) } })
    expect([await codeOf(interact(session)), await codeOf(interact(session)), tries]).toEqual(['BROWSER_FAILURE', 'BROWSER_FAILURE', 1])
    expect(await codeOf(interact(session, { code: '2' }))).toBe('BROWSER_FAILURE')
    clock += 5_001
    expect([await codeOf(interact(session)), tries]).toEqual(['BROWSER_FAILURE', 3])
    expect([await store.sessions.ofScrape(scrape), await held()]).toEqual([null, 0])
  })

  it('whose page cannot be restored can be requested again', async () => {
    let shown = 0
    const session = fake({
      browsers: { open: async () => ({ ...fakeBrowser(), show: async () => (++shown === 1 ? Promise.reject(new ServiceError('SCRAPE_SITE_ERROR', 'The site is down.')) : 200) }) },
    })
    expect(await codeOf(interact(session))).toBe('REPLAY_UNAVAILABLE')
    expect(await interact(session)).toMatchObject({ success: true })
  })

  it('is not opened for the charge of something else, nor for a scrape that was not kept, or not any more', async () => {
    const { service } = fake()
    const ask = (id: string): Promise<unknown> => codeOf(service.interact(id, InteractRequest.parse({ code: '1' }), asker, call))
    const charged = async (ref: string, kind: string): Promise<unknown> => {
      await store.ledger.charge('a', { ref, kind, credits: 1, at: clock })
      return ask(ref)
    }
    expect([await charged('of-map', 'map'), await charged('of-session', 'browser'), await charged('of-scrape', 'scrape'), await charged('of-failure', 'scrape-failure')]).toEqual(['NOT_FOUND', 'NOT_FOUND', 'REPLAY_UNAVAILABLE', 'REPLAY_UNAVAILABLE'])
    clock += 60 * minute
    expect([await ask('of-map'), await ask('of-scrape')]).toEqual(['NOT_FOUND', 'JOB_EXPIRED'])
  })

  it('is not opened if the site now answers with an error but did not for the scrape', async () => {
    const wasError = '00000000-0000-4000-8000-000000000002'
    const good = '00000000-0000-4000-8000-000000000003'
    await keepScrape(404, wasError)
    await keepScrape(200, good)
    let status = 503
    const ended: LiveEnd[] = []
    const session = fake({
      browsers: {
        async open() {
          const browser = fakeBrowser()
          void browser.closed.then((why) => ended.push(why))
          return { ...browser, show: async () => status }
        },
      },
    })
    const ask = (id: string): Promise<unknown> => session.service.interact(id, InteractRequest.parse({ code: '1' }), asker, call)
    await expect(ask(good)).rejects.toMatchObject({ code: 'REPLAY_UNAVAILABLE', message: expect.stringContaining('status 503') })
    expect([session.ran, ended, await store.sessions.ofScrape(good), await held()]).toEqual([[], ['closed'], null, 0])
    // If the scrape itself got an error, that page is the right one.
    expect(await ask(wasError)).toMatchObject({ success: true })
    status = 200
    expect(await ask(good)).toMatchObject({ success: true })
  })

  it('whose browser crashes fails the running call once, however often it is repeated, and is gone after that', async () => {
    const session: Fake = fake({}, async () => {
      session.browsers[0]?.break('crashed')
      return new Promise(() => undefined)
    })
    expect(await codeOf(interact(session))).toBe('BROWSER_FAILURE')
    expect([await codeOf(interact(session)), session.ran]).toEqual(['BROWSER_FAILURE', ['1']])
    expect(await codeOf(interact(session, { code: '2' }))).toBe('SESSION_DESTROYED')
    await expect.poll(async () => (await store.sessions.ofScrape(scrape))?.end).toBe('broken')
  })

  it('that is stopped while it opens was never usable, and costs nothing', async () => {
    let opened: () => void = () => undefined
    const session = fake({ browsers: { open: async (_terms, { signal }) => new Promise((_, reject) => { opened(); signal.addEventListener('abort', () => reject(signal.reason)) }) } })
    const begun = new Promise<void>((resolve) => (opened = resolve))
    const waiting = codeOf(interact(session))
    await begun
    expect(await session.service.stopOfScrape(scrape, asker)).toEqual({ success: true, status: 'stopped', sessionDurationMs: 0, creditsBilled: 0 })
    expect(await waiting).toBe('SESSION_DESTROYED')
    expect([await codeOf(interact(session)), await held()]).toEqual(['SESSION_DESTROYED', 0])
  })

  it('continues to open when its caller leaves, for the next call', async () => {
    let go: () => void = () => undefined
    const ready = new Promise<void>((resolve) => (go = resolve))
    const session = fake({ browsers: { open: async () => ready.then(fakeBrowser) } })
    const leaving = new AbortController()
    const left = interact(session, { code: '1' }, { ...call, signal: leaving.signal })
    await expect.poll(() => store.sessions.ofScrape(scrape)).not.toBeNull()
    leaving.abort(new ServiceError('SCRAPE_TIMEOUT'))
    expect(await codeOf(left)).toBe('SCRAPE_TIMEOUT')
    const second = interact(session, { code: '2' })
    go()
    expect([await second, session.ran]).toMatchObject([{ success: true, sessionId: 'session-1' }, ['2']])
  })

  it('runs one call at a time; a call that cannot wait any longer is told so', async () => {
    const session = fake({}, (code, signal) => (code === 'long' ? new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))) : Promise.resolve(good)))
    await interact(session)
    const leaving = new AbortController()
    const long = codeOf(interact(session, { code: 'long' }, { ...call, signal: leaving.signal }))
    await expect.poll(() => session.ran).toContain('long')
    expect(await codeOf(interact(session, { code: 'short', timeout: 1 }))).toBe('CONCURRENCY_LIMITED')
    const waiting = interact(session, { code: 'after' })
    leaving.abort(new ServiceError('SCRAPE_TIMEOUT'))
    expect([await long, await waiting, session.ran]).toMatchObject(['SCRAPE_TIMEOUT', { success: true, stdout: 'out' }, ['1', 'long', 'after']])
  })

  it('ends at its time limit, when it is idle, and when credits run out; activity extends the idle time', async () => {
    await store.accounts.ensureTeam('poor', 5, clock)
    const session = fake()
    const create = async (team = 'a'): Promise<string> => {
      const made = await session.service.create({ streamWebView: true, recordSession: false }, `browser-${++ids}`, { ...asker, team })
      return 'id' in made ? made.id : ''
    }
    const endOf = async (id: string): Promise<unknown> => (await store.sessions.find(id))?.end
    const [used, idle, poor] = [await create(), await create(), await create('poor')]
    const run = ExecuteRequest.parse({ code: '1' })
    const [, watched] = session.browsers
    for (let at = 0; at < 48; at++) {
      clock += minute / 4
      if (watched !== undefined) watched.visitors = at < 8 ? 1 : 0
      if (at < 32) await session.service.execute(used, run, asker, call)
      await session.service.keeper.tick()
    }
    await expect.poll(() => endOf(used)).toBe('expired')
    await expect.poll(() => endOf(idle)).toBe('idle')
    await expect.poll(() => endOf(poor)).toBe('credits')
    const rows = await Promise.all([used, idle, poor].map((id) => store.sessions.find(id)))
    expect(rows.map((row) => ((row?.endedAt ?? 0) - start) / minute)).toEqual([10, 7, 2.5])
    expect(rows.map((row) => row?.credits)).toEqual([20, 14, 5])
    expect(await held()).toBe(0)
  })

  it('refuses calls only when lists have it no more and its profile is saved', async () => {
    let save = (): void => undefined
    const saving = new Promise<void>((resolve) => (save = resolve))
    const browsers = { open: async () => ({ ...fakeBrowser(), state: async () => saving.then(() => ({ state: { cookies: [], origins: [] }, warnings: [] })) }) }
    const saved: string[] = []
    const lease = { state: null, lost: new AbortController().signal, save: async () => (saved.push('p'), 'saved' as const), release: async () => undefined }
    const { service, ran } = fake({ browsers, profiles: { load: async () => null, lock: async () => lease, remove: async () => true } }, (code, signal) => (code === 'long' ? new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))) : Promise.resolve(good)))
    await service.create({ streamWebView: true, recordSession: false, profile: { name: 'p', saveChanges: true } }, 'one', asker)
    const seen = async (code: string): Promise<unknown> => [await codeOf(service.execute('one', ExecuteRequest.parse({ code }), asker, call)), (await service.status('one', asker)).status, saved]
    const running = seen('long')
    await expect.poll(() => ran).toEqual(['long'])
    clock += 10 * minute
    await service.keeper.tick()
    const late = seen('late')
    expect((await service.list({ status: 'active' }, asker)).map(({ id }) => id)).toEqual(['one'])
    save()
    expect([await running, await late]).toEqual(Array.from({ length: 2 }, () => ['SESSION_DESTROYED', 'destroyed', ['p']]))
    expect(ran).toEqual(['long'])
  })

  it('replaces unresponsive pages after a run that was killed or given up, and says so', async () => {
    let freed = 0
    const browsers = { open: async () => ({ ...fakeBrowser(), free: async () => [`Page ${++freed} was closed.`] }) }
    const session = fake({ browsers }, async (code) => (code === 'hang' ? new Promise(() => undefined) : { ...good, killed: code === 'late', exitCode: code === 'late' ? 137 : 0, error: code === 'vain' ? 'TimeoutError: Timeout 4000ms exceeded.' : null }))
    expect(await interact(session)).not.toHaveProperty('warning')
    expect(await interact(session, { code: 'late' })).toMatchObject({ killed: true, warning: 'Page 1 was closed.' })
    expect(await interact(session, { code: 'hang', timeout: 1 })).toMatchObject({ killed: true, error: expect.not.stringContaining('repeat') })
    expect(await interact(session)).toMatchObject({ success: true, warning: 'Page 2 was closed.' })
    expect(await interact(session, { code: 'vain' })).toMatchObject({ killed: false, warning: 'Page 3 was closed.' })
    expect([freed, await interact(session)]).toEqual([3, expect.not.objectContaining({ warning: expect.anything() })])
  })

  it('says that a page crashed, once', async () => {
    const crashes = ['Page 1 crashed.']
    const session = fake({ browsers: { open: async () => ({ ...fakeBrowser(), news: () => crashes.splice(0) }) } })
    expect([await interact(session), await interact(session)]).toEqual([expect.objectContaining({ success: true, warning: 'Page 1 crashed.' }), expect.not.objectContaining({ warning: expect.anything() })])
  })

  it('says so when a call asks for a lifetime other than that of the open session', async () => {
    const session = fake()
    const warned = async (request: Partial<InteractRequest>): Promise<unknown> => Reflect.get(await interact(session, { code: '1', ...request }), 'warning')
    expect(await warned({ ttl: 90, activityTtl: 20 })).toBeUndefined()
    expect(await warned({ ttl: 90 })).toBeUndefined()
    expect(await warned({ ttl: 91, activityTtl: 20 })).toBe('Ignored, as the session is open already: ttl.')
  })

  it('that ends while the store is away keeps its reason, and is charged up to then', async () => {
    let away = false
    const end: Store['sessions']['end'] = (...args) => (away ? Promise.reject(new StoreAway(new Error('away'))) : store.sessions.end(...args))
    const session = fake({ sessions: { ...store.sessions, end } })
    await interact(session)
    const { id } = (await store.sessions.ofScrape(scrape)) ?? { id: '' }
    clock += minute
    away = true
    await expect(session.service.stopOfScrape(scrape, asker)).rejects.toThrow('away')
    away = false
    clock += 25 * minute
    await session.service.keeper.tick()
    expect(await store.sessions.find(id)).toMatchObject({ state: 'destroyed', end: 'deleted', endedAt: start + minute })
  })

  it('that could not open as the store was away is opened by a repeat once it is back', async () => {
    let away = true
    const unlessAway = <A extends readonly unknown[], R>(work: (...args: A) => Promise<R>) => (...args: A): Promise<R> => (away ? Promise.reject(new StoreAway(new Error('away'))) : work(...args))
    const { started, forget } = store.sessions
    const session = fake({ owner: { id: 'me', url: 'http://me.test' }, sessions: { ...store.sessions, started: unlessAway(started), forget: unlessAway(forget) } })
    await expect(interact(session)).rejects.toThrow('away')
    away = false
    clock += 25 * minute
    await session.service.keeper.tick()
    expect([await store.sessions.ofScrape(scrape), await held()]).toEqual([null, 0])
    expect(await interact(session)).toMatchObject({ success: true, sessionId: 'session-2' })
  })

  it('that is stopped in the moment in which it opens closes its browser and saves its profile', async () => {
    let [reach, go] = [(): void => undefined, (): void => undefined]
    const reached = new Promise<void>((resolve) => (reach = resolve))
    const stopping = new Promise<void>((resolve) => (go = resolve))
    const saved: string[] = []
    const lease = { state: null, lost: new AbortController().signal, save: async () => (saved.push('p'), 'saved' as const), release: async () => undefined }
    const sessions: Store['sessions'] = {
      ...store.sessions,
      started: async (...args) => {
        const row = await store.sessions.started(...args)
        reach()
        await stopping
        return row
      },
      end: async (...args) => store.sessions.end(...args).finally(go),
    }
    const session = fake({ sessions, profiles: { load: async () => null, lock: async () => lease, remove: async () => true } })
    const creating = codeOf(session.service.create({ streamWebView: true, recordSession: false, profile: { name: 'p', saveChanges: true } }, 'one', asker))
    await reached
    expect(await session.service.stop('one', asker)).toMatchObject({ status: 'stopped' })
    await creating
    expect([await Promise.race([session.browsers[0]?.closed, null]), saved, (await store.sessions.find('one'))?.end]).toEqual(['closed', ['p'], 'deleted'])
  })

  it('reports its last activity, one second later and after its end', async () => {
    const session = fake()
    await interact(session)
    const seen = async (): Promise<number> => ((await store.sessions.ofScrape(scrape))?.lastActivityAt ?? 0) - start
    clock += 5_000
    await interact(session, { code: '2' })
    clock += 1_000
    await session.service.keeper.tick()
    expect(await seen()).toBe(5_000)
    clock += 3_000
    await interact(session, { code: '3' })
    await session.service.stopOfScrape(scrape, asker)
    expect(await seen()).toBe(9_000)
  })

  it('is listed with the addresses that clients demand of every entry, empty where there are none', async () => {
    const { service } = fake()
    const ids = ['watched', 'unwatched', 'over']
    for (const id of ids) await service.create({ streamWebView: id !== 'unwatched', recordSession: false }, id, asker)
    await service.stop('over', asker)
    const entries = new Map((await service.list({}, asker)).map(({ id, cdpUrl, liveViewUrl }) => [id, [cdpUrl !== '', liveViewUrl !== '']]))
    expect(ids.map((id) => entries.get(id))).toEqual([[true, true], [true, false], [false, false]])
    expect(await service.status('over', asker)).not.toHaveProperty('cdpUrl')
  })

  it('runs prompts if there is an agent, and costs more from its first prompt', async () => {
    const none = fake()
    expect(await codeOf(interact(none, { prompt: 'go' }))).toBe('FEATURE_NOT_CONFIGURED')
    expect(none.browsers).toEqual([])
    const session = fake({ agent: { run: async (prompt) => ({ output: `did ${prompt}`, snapshot: 'page', actions: [{ type: 'scroll' }], error: null, timedOut: false, truncated: prompt === 'much' }) } })
    expect(await interact(session, { prompt: 'go' })).toEqual({ success: true, sessionId: 'session-2', cdpUrl: expect.any(String), liveViewUrl: expect.any(String), interactiveLiveViewUrl: expect.any(String), output: 'did go', actions: [{ type: 'scroll' }], stdout: null, result: 'page', stderr: null, exitCode: 0, killed: false })
    expect(await interact(session, { prompt: 'much' })).toMatchObject({ output: 'did much', truncated: true })
    expect(await held()).toBe(7)
    expect(await session.service.stopOfScrape(scrape, asker)).toMatchObject({ creditsBilled: 7 })
  })

  it('ends with its process, whatever is running, and cannot be opened there again', async () => {
    const session = fake({}, (_code, signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))))
    const running = codeOf(interact(session))
    await expect.poll(() => session.ran).toEqual(['1'])
    await session.service.keeper.stop(10)
    expect([await running, await codeOf(interact(session, { code: '2' }))]).toEqual(['SHUTTING_DOWN', 'SESSION_DESTROYED'])
    expect(await codeOf(session.service.create({ streamWebView: true, recordSession: false }, 'x', asker))).toBe('SHUTTING_DOWN')
  })
})
