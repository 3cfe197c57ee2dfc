import { describe, expect, it } from 'vitest'
import { asker, call, codeOf, fakeBrowser, interact, minute, scrape, sessionDesk } from '../../../test/session-desk.ts'
import { ServiceError, StoreAway } from '../../domain/errors.ts'
import type { LiveEnd } from '../../domain/sessions/live-browser.ts'
import type { Store } from '../../domain/store.ts'
import { InteractRequest } from '../../spec/interact.ts'

const desk = sessionDesk()

describe('a session', () => {
  it('whose browser does not start is forgotten and releases its credits; a repeat is refused for five seconds', async () => {
    let tries = 0
    const session = desk.fake({ browsers: { open: async () => Promise.reject(new ServiceError('SCRAPE_ALL_ENGINES_FAILED', `try ${++tries}`)) } })
    expect([await codeOf(interact(session)), await codeOf(interact(session)), tries]).toEqual(['BROWSER_FAILURE', 'BROWSER_FAILURE', 1])
    expect(await codeOf(interact(session, { code: '2' }))).toBe('BROWSER_FAILURE')
    desk.clock += 5_001
    expect([await codeOf(interact(session)), tries]).toEqual(['BROWSER_FAILURE', 3])
    expect([await desk.store.sessions.ofScrape(scrape), await desk.held()]).toEqual([null, 0])
  })

  it('whose page cannot be restored can be requested again', async () => {
    let shown = 0
    const session = desk.fake({
      browsers: { open: async () => ({ ...fakeBrowser(), show: async () => (++shown === 1 ? Promise.reject(new ServiceError('SCRAPE_SITE_ERROR', 'The site is down.')) : 200) }) },
    })
    expect(await codeOf(interact(session))).toBe('REPLAY_UNAVAILABLE')
    expect(await interact(session)).toMatchObject({ success: true })
  })

  it('is not opened for the charge of something else, nor for a scrape that was not kept, or not any more', async () => {
    const { service } = desk.fake()
    const ask = (id: string): Promise<unknown> => codeOf(service.interact(id, InteractRequest.parse({ code: '1' }), asker, call))
    const charged = async (ref: string, kind: string): Promise<unknown> => {
      await desk.store.ledger.charge('a', { ref, kind, credits: 1, at: desk.clock })
      return ask(ref)
    }
    expect([await charged('of-map', 'map'), await charged('of-session', 'browser'), await charged('of-scrape', 'scrape'), await charged('of-failure', 'scrape-failure')]).toEqual(['NOT_FOUND', 'NOT_FOUND', 'REPLAY_UNAVAILABLE', 'REPLAY_UNAVAILABLE'])
    desk.clock += 60 * minute
    expect([await ask('of-map'), await ask('of-scrape')]).toEqual(['NOT_FOUND', 'JOB_EXPIRED'])
  })

  it('is not opened if the site now answers with an error but did not for the scrape', async () => {
    const wasError = '00000000-0000-4000-8000-000000000002'
    const good = '00000000-0000-4000-8000-000000000003'
    await desk.keepScrape(404, wasError)
    await desk.keepScrape(200, good)
    let status = 503
    const ended: LiveEnd[] = []
    const session = desk.fake({
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
    expect([session.ran, ended, await desk.store.sessions.ofScrape(good), await desk.held()]).toEqual([[], ['closed'], null, 0])
    // If the scrape itself got an error, that page is the right one.
    expect(await ask(wasError)).toMatchObject({ success: true })
    status = 200
    expect(await ask(good)).toMatchObject({ success: true })
  })

  it('that is stopped while it opens was never usable, and costs nothing', async () => {
    let opened: () => void = () => undefined
    const session = desk.fake({ browsers: { open: async (_terms, { signal }) => new Promise((_, reject) => { opened(); signal.addEventListener('abort', () => reject(signal.reason)) }) } })
    const begun = new Promise<void>((resolve) => (opened = resolve))
    const waiting = codeOf(interact(session))
    await begun
    expect(await session.service.stopOfScrape(scrape, asker)).toEqual({ success: true, status: 'stopped', sessionDurationMs: 0, creditsBilled: 0 })
    expect(await waiting).toBe('SESSION_DESTROYED')
    expect([await codeOf(interact(session)), await desk.held()]).toEqual(['SESSION_DESTROYED', 0])
  })

  it('continues to open when its caller leaves, for the next call', async () => {
    let go: () => void = () => undefined
    const ready = new Promise<void>((resolve) => (go = resolve))
    const session = desk.fake({ browsers: { open: async () => ready.then(fakeBrowser) } })
    const leaving = new AbortController()
    const left = interact(session, { code: '1' }, { ...call, signal: leaving.signal })
    await expect.poll(() => desk.store.sessions.ofScrape(scrape)).not.toBeNull()
    leaving.abort(new ServiceError('SCRAPE_TIMEOUT'))
    expect(await codeOf(left)).toBe('SCRAPE_TIMEOUT')
    const second = interact(session, { code: '2' })
    go()
    expect([await second, session.ran]).toMatchObject([{ success: true, sessionId: 'session-1' }, ['2']])
  })

  it('that could not open as the store was away is opened by a repeat once it is back', async () => {
    let away = true
    const unlessAway = <A extends readonly unknown[], R>(work: (...args: A) => Promise<R>) => (...args: A): Promise<R> => (away ? Promise.reject(new StoreAway(new Error('away'))) : work(...args))
    const { started, forget } = desk.store.sessions
    const session = desk.fake({ owner: { id: 'me', url: 'http://me.test' }, sessions: { ...desk.store.sessions, started: unlessAway(started), forget: unlessAway(forget) } })
    await expect(interact(session)).rejects.toThrow('away')
    away = false
    desk.clock += 25 * minute
    await session.service.keeper.tick()
    expect([await desk.store.sessions.ofScrape(scrape), await desk.held()]).toEqual([null, 0])
    expect(await interact(session)).toMatchObject({ success: true, sessionId: 'session-2' })
  })

  it('that is stopped in the moment in which it opens closes its browser and saves its profile', async () => {
    let [reach, go] = [(): void => undefined, (): void => undefined]
    const reached = new Promise<void>((resolve) => (reach = resolve))
    const stopping = new Promise<void>((resolve) => (go = resolve))
    const saved: string[] = []
    const lease = { state: null, lost: new AbortController().signal, save: async () => (saved.push('p'), 'saved' as const), release: async () => undefined }
    const sessions: Store['sessions'] = {
      ...desk.store.sessions,
      started: async (...args) => {
        const row = await desk.store.sessions.started(...args)
        reach()
        await stopping
        return row
      },
      end: async (...args) => desk.store.sessions.end(...args).finally(go),
    }
    const session = desk.fake({ sessions, profiles: { load: async () => null, lock: async () => lease, remove: async () => true } })
    const creating = codeOf(session.service.create({ streamWebView: true, recordSession: false, profile: { name: 'p', saveChanges: true } }, 'one', asker))
    await reached
    expect(await session.service.stop('one', asker)).toMatchObject({ status: 'stopped' })
    await creating
    expect([await Promise.race([session.browsers[0]?.closed, null]), saved, (await desk.store.sessions.find('one'))?.end]).toEqual(['closed', ['p'], 'deleted'])
  })
})
