import { describe, expect, it } from 'vitest'
import { asker, call, codeOf, type Fake, fakeBrowser, good, interact, minute, scrape, sessionDesk, start } from '../../../test/session-desk.ts'
import { StoreAway } from '../../domain/errors.ts'
import type { Store } from '../../domain/store.ts'
import { ExecuteRequest } from '../../spec/interact.ts'

const desk = sessionDesk()

describe('a session', () => {
  it('whose browser crashes fails the running call once, however often it is repeated, and is gone after that', async () => {
    const session: Fake = desk.fake({}, async () => {
      session.browsers[0]?.break('crashed')
      return new Promise(() => undefined)
    })
    expect(await codeOf(interact(session))).toBe('BROWSER_FAILURE')
    expect([await codeOf(interact(session)), session.ran]).toEqual(['BROWSER_FAILURE', ['1']])
    expect(await codeOf(interact(session, { code: '2' }))).toBe('SESSION_DESTROYED')
    await expect.poll(async () => (await desk.store.sessions.ofScrape(scrape))?.end).toBe('broken')
  })

  it('ends at its time limit, when it is idle, and when credits run out; activity extends the idle time', async () => {
    await desk.store.accounts.ensureTeam('poor', 5, desk.clock)
    const session = desk.fake()
    const create = async (team = 'a'): Promise<string> => {
      const made = await session.service.create({ streamWebView: true, recordSession: false }, `browser-${++desk.ids}`, { ...asker, team })
      return 'id' in made ? made.id : ''
    }
    const endOf = async (id: string): Promise<unknown> => (await desk.store.sessions.find(id))?.end
    const [used, idle, poor] = [await create(), await create(), await create('poor')]
    const run = ExecuteRequest.parse({ code: '1' })
    const [, watched] = session.browsers
    for (let at = 0; at < 48; at++) {
      desk.clock += minute / 4
      if (watched !== undefined) watched.visitors = at < 8 ? 1 : 0
      if (at < 32) await session.service.execute(used, run, asker, call)
      await session.service.keeper.tick()
    }
    await expect.poll(() => endOf(used)).toBe('expired')
    await expect.poll(() => endOf(idle)).toBe('idle')
    await expect.poll(() => endOf(poor)).toBe('credits')
    const rows = await Promise.all([used, idle, poor].map((id) => desk.store.sessions.find(id)))
    expect(rows.map((row) => ((row?.endedAt ?? 0) - start) / minute)).toEqual([10, 7, 2.5])
    expect(rows.map((row) => row?.credits)).toEqual([20, 14, 5])
    expect(await desk.held()).toBe(0)
  })

  it('refuses calls only when lists have it no more and its profile is saved', async () => {
    let save = (): void => undefined
    const saving = new Promise<void>((resolve) => (save = resolve))
    const browsers = { open: async () => ({ ...fakeBrowser(), state: async () => saving.then(() => ({ state: { cookies: [], origins: [] }, warnings: [] })) }) }
    const saved: string[] = []
    const lease = { state: null, lost: new AbortController().signal, save: async () => (saved.push('p'), 'saved' as const), release: async () => undefined }
    const { service, ran } = desk.fake({ browsers, profiles: { load: async () => null, lock: async () => lease, remove: async () => true } }, (code, signal) => (code === 'long' ? new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))) : Promise.resolve(good)))
    await service.create({ streamWebView: true, recordSession: false, profile: { name: 'p', saveChanges: true } }, 'one', asker)
    const seen = async (code: string): Promise<unknown> => [await codeOf(service.execute('one', ExecuteRequest.parse({ code }), asker, call)), (await service.status('one', asker)).status, saved]
    const running = seen('long')
    await expect.poll(() => ran).toEqual(['long'])
    desk.clock += 10 * minute
    await service.keeper.tick()
    const late = seen('late')
    expect((await service.list({ status: 'active' }, asker)).map(({ id }) => id)).toEqual(['one'])
    save()
    expect([await running, await late]).toEqual(Array.from({ length: 2 }, () => ['SESSION_DESTROYED', 'destroyed', ['p']]))
    expect(ran).toEqual(['long'])
  })

  it('that ends while the store is away keeps its reason, and is charged up to then', async () => {
    let away = false
    const end: Store['sessions']['end'] = (...args) => (away ? Promise.reject(new StoreAway(new Error('away'))) : desk.store.sessions.end(...args))
    const session = desk.fake({ sessions: { ...desk.store.sessions, end } })
    await interact(session)
    const { id } = (await desk.store.sessions.ofScrape(scrape)) ?? { id: '' }
    desk.clock += minute
    away = true
    await expect(session.service.stopOfScrape(scrape, asker)).rejects.toThrow('away')
    away = false
    desk.clock += 25 * minute
    await session.service.keeper.tick()
    expect(await desk.store.sessions.find(id)).toMatchObject({ state: 'destroyed', end: 'deleted', endedAt: start + minute })
  })

  it('reports its last activity, one second later and after its end', async () => {
    const session = desk.fake()
    await interact(session)
    const seen = async (): Promise<number> => ((await desk.store.sessions.ofScrape(scrape))?.lastActivityAt ?? 0) - start
    desk.clock += 5_000
    await interact(session, { code: '2' })
    desk.clock += 1_000
    await session.service.keeper.tick()
    expect(await seen()).toBe(5_000)
    desk.clock += 3_000
    await interact(session, { code: '3' })
    await session.service.stopOfScrape(scrape, asker)
    expect(await seen()).toBe(9_000)
  })

  it('ends with its process, whatever is running, and cannot be opened there again', async () => {
    const session = desk.fake({}, (_code, signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))))
    const running = codeOf(interact(session))
    await expect.poll(() => session.ran).toEqual(['1'])
    await session.service.keeper.stop(10)
    expect([await running, await codeOf(interact(session, { code: '2' }))]).toEqual(['SHUTTING_DOWN', 'SESSION_DESTROYED'])
    expect(await codeOf(session.service.create({ streamWebView: true, recordSession: false }, 'x', asker))).toBe('SHUTTING_DOWN')
  })
})
