import { beforeEach, describe, expect, it } from 'vitest'
import type { NewSession, Session, SessionClaim } from '../../domain/sessions/sessions.ts'
import type { Store } from '../../domain/store.ts'
import { eachStore, now, together } from './fixtures.contract.ts'
import type { Subject } from './subject.contract.ts'

const minute = 60_000
const keepMs = 1_000_000

/** A sample session. */
const session = (id: string, more: Partial<NewSession> = {}): NewSession => ({ id, team: 'a', scrape: null, owner: 'p', ttlMs: 10 * minute, idleMs: 5 * minute, streams: true, secret: `secret-${id}`, createdAt: now, ...more })

/** The same session once its browser is open. */
const live = (id: string, more: Partial<Session> = {}): Session => ({ ...session(id), state: 'live', startedAt: now, lastActivityAt: now, prompted: false, endedAt: null, end: null, credits: null, ...more })

/** Live browser sessions. */
export function sessionsContract(name: string, subject: Subject): void {
  describe(`sessions on ${name}`, () => {
    const stores = eachStore(subject)
    const beat = (id: string, more: { url?: string | null; open?: boolean; until?: number } = {}, at = now): Promise<readonly string[]> =>
      stores.first.sessions.beat({ id, url: more.url ?? null, open: more.open ?? true, until: more.until ?? at + minute }, at)
    const claim = (id: string, more: Partial<NewSession> = {}, limit = 5, store: Store = stores.first): Promise<SessionClaim> => store.sessions.claim(session(id, more), { limit, hold: null, now })
    const begin = async (id: string, more: Partial<NewSession> = {}): Promise<void> => {
      await claim(id, more)
      await stores.first.sessions.started(id, now)
    }

    beforeEach(async () => {
      await stores.first.accounts.ensureTeam('a', 10, now)
      await stores.first.accounts.ensureTeam('b', null, now)
      await beat('p')
    })

    it('are opening, then live, then destroyed for good', async () => {
      const { first, second } = stores
      expect(await claim('s')).toEqual({ kind: 'claimed' })
      expect(await second.sessions.find('s')).toEqual(live('s', { state: 'opening', startedAt: null }))
      expect(await first.sessions.started('s', now + 5)).toEqual(live('s', { startedAt: now + 5, lastActivityAt: now + 5 }))
      expect(await first.sessions.started('s', now + 6)).toBeNull()
      await first.sessions.used('s', now + 7, false)
      const ended = live('s', { state: 'destroyed', startedAt: now + 5, lastActivityAt: now + 7, secret: '', endedAt: now + 90_005, end: 'deleted', credits: 3 })
      expect(await first.sessions.end('s', { end: 'deleted', at: now + 90_005, keepMs })).toEqual(ended)
      expect(await second.sessions.end('s', { end: 'idle', at: now + 900_000, keepMs })).toEqual(ended)
      await first.sessions.used('s', now + 95_000, true)
      expect(await second.sessions.find('s')).toEqual(ended)
      expect(await first.sessions.find('unknown')).toBeNull()
      expect(await first.sessions.end('unknown', { end: 'idle', at: now, keepMs })).toBeNull()
    })

    it('know their last activity at their end, however late it was reported', async () => {
      const { first, second } = stores
      for (const id of ['s1', 's2', 's3']) await begin(id)
      await first.sessions.used('s2', now + 9, false)
      const ends = [{ usedAt: now + 7 }, { usedAt: now + 7 }, {}]
      for (const [i, more] of ends.entries()) await first.sessions.end(`s${i + 1}`, { end: 'deleted', at: now + 20, keepMs, ...more })
      expect(await Promise.all(['s1', 's2', 's3'].map(async (id) => (await second.sessions.find(id))?.lastActivityAt))).toEqual([now + 7, now + 9, now])
    })

    it('are unique per scrape, for concurrent calls and even after their end', async () => {
      const answers = await together(stores, (store, i) => store.sessions.claim(session(`s${i}`, { scrape: 'scrape' }), { limit: 50, hold: null, now }))
      expect(answers.filter(({ kind }) => kind === 'claimed')).toHaveLength(1)
      const winner = await stores.second.sessions.ofScrape('scrape')
      expect(answers.filter(({ kind }) => kind !== 'claimed')).toEqual(Array.from({ length: 19 }, () => ({ kind: 'taken', session: winner })))
      await stores.first.sessions.started(winner?.id ?? '', now)
      await stores.first.sessions.end(winner?.id ?? '', { end: 'deleted', at: now, keepMs })
      expect(await claim('late', { scrape: 'scrape' })).toMatchObject({ kind: 'taken', session: { state: 'destroyed', end: 'deleted' } })
      expect(await stores.first.sessions.ofScrape('other')).toBeNull()
    })

    it('are forgotten with their credits if they did not open', async () => {
      await stores.first.sessions.claim(session('s', { scrape: 'scrape' }), { limit: 5, hold: { credits: 4, until: now + minute }, now })
      expect((await stores.first.ledger.balance('a', now)).held).toBe(4)
      await stores.first.sessions.forget('s')
      expect((await stores.first.ledger.balance('a', now)).held).toBe(0)
      expect(await stores.first.sessions.ofScrape('scrape')).toBeNull()
      expect(await claim('again', { scrape: 'scrape' })).toEqual({ kind: 'claimed' })
      await stores.first.sessions.started('again', now)
      await stores.first.sessions.forget('again')
      expect(await stores.first.sessions.find('again')).toMatchObject({ state: 'live' })
    })

    it('are limited per team, with the time when one may be free', async () => {
      const answers = await together(stores, (store, i) => store.sessions.claim(session(`s${i}`), { limit: 3, hold: null, now }))
      expect(answers.filter(({ kind }) => kind === 'claimed')).toHaveLength(3)
      expect(answers.find(({ kind }) => kind === 'full')).toEqual({ kind: 'full', freeAt: now + 5 * minute })
      expect(await claim('other', { team: 'b' }, 1)).toEqual({ kind: 'claimed' })
    })

    it('do not count after their end, or after their process is gone', async () => {
      await begin('s1')
      await beat('dead', { until: now + 1 })
      await begin('s2', { owner: 'dead' })
      expect(await claim('s3', {}, 2)).toMatchObject({ kind: 'full' })
      await stores.first.sessions.end('s1', { end: 'deleted', at: now, keepMs })
      expect(await claim('s3', {}, 2)).toEqual({ kind: 'claimed' })
      expect(await stores.second.sessions.claim(session('s4'), { limit: 2, hold: null, now: now + 1 })).toEqual({ kind: 'claimed' })
    })

    it('reserve credits or are refused, and are charged once, by their duration', async () => {
      const hold = { credits: 6, until: now + minute }
      expect(await stores.first.sessions.claim(session('s1'), { limit: 5, hold, now })).toEqual({ kind: 'claimed' })
      expect(await stores.first.sessions.claim(session('s2'), { limit: 5, hold, now })).toEqual({ kind: 'poor' })
      expect(await stores.first.sessions.find('s2')).toBeNull()
      await stores.first.sessions.started('s1', now)
      await stores.first.sessions.used('s1', now, true)
      await stores.first.sessions.used('s1', now, false)
      await together(stores, (store, i) => store.sessions.end('s1', { end: 'deleted', at: now + 1_000 + i, keepMs }))
      expect(await stores.first.ledger.balance('a', now)).toEqual({ granted: 10, used: 7, held: 0 })
      expect(await stores.first.ledger.find('a', 's1')).toMatchObject({ ref: 's1', kind: 'browser', credits: 7 })
      expect(await stores.first.ledger.find('b', 's1')).toBeNull()
    })

    it('are not charged if they end before they opened', async () => {
      await stores.first.sessions.claim(session('s'), { limit: 5, hold: { credits: 6, until: now + minute }, now })
      expect(await stores.first.sessions.end('s', { end: 'deleted', at: now + 5, keepMs })).toMatchObject({ state: 'destroyed', startedAt: null, credits: 0 })
      expect(await stores.first.sessions.started('s', now + 6)).toBeNull()
      expect(await stores.first.ledger.balance('a', now)).toEqual({ granted: 10, used: 0, held: 0 })
    })

    it('are listed by team, newest first, for a while after their end', async () => {
      await begin('s1')
      await begin('s2', { createdAt: now + 1 })
      await begin('s3', { createdAt: now + 2, team: 'b' })
      await claim('s4', { createdAt: now + 3 })
      await stores.first.sessions.end('s1', { end: 'idle', at: now + 10, keepMs })
      expect((await stores.second.sessions.list('a', now + 9)).map(({ id }) => id)).toEqual(['s2', 's1'])
      expect((await stores.second.sessions.list('a', now + 10)).map(({ id }) => id)).toEqual(['s2'])
    })

    it('end with a process that is gone, charged until its last heartbeat', async () => {
      await beat('dead', { until: now + 5 * minute })
      await begin('s1', { owner: 'dead', scrape: 'one' })
      await claim('s2', { owner: 'dead', scrape: 'two' })
      await begin('s3')
      await beat('p', { until: now + 60 * minute })
      expect(await beat('dead', { until: now + 5 * minute }, now + 3 * minute)).toEqual(['s1', 's2'])
      expect(await stores.first.sessions.reap(now + 5 * minute - 1, keepMs)).toEqual([])
      expect(await stores.second.sessions.reap(now + 5 * minute, keepMs)).toEqual(['s1'])
      expect(await stores.first.sessions.reap(now + 5 * minute, keepMs)).toEqual([])
      expect(await stores.first.sessions.find('s1')).toMatchObject({ state: 'destroyed', end: 'lost', endedAt: now + 3 * minute, credits: 6 })
      expect(await stores.first.ledger.balance('a', now)).toEqual({ granted: 10, used: 6, held: 0 })
      expect(await stores.first.sessions.find('s2')).toBeNull()
      expect(await stores.first.sessions.find('s3')).toMatchObject({ state: 'live' })
      expect([await stores.first.sessions.owner('dead'), await stores.first.sessions.owner('p')]).toMatchObject([null, { id: 'p', sessions: 1 }])
      // A process that wakes up after that has no sessions left.
      expect(await beat('dead', {}, now + 6 * minute)).toEqual([])
    })

    it('end when another process has the same address, or when their process leaves', async () => {
      await beat('old', { url: 'http://peer' })
      await begin('s1', { owner: 'old' })
      await beat('new', { url: 'http://peer' })
      await begin('s2', { owner: 'new' })
      expect(await stores.first.sessions.reap(now, keepMs)).toEqual(['s1'])
      // The heartbeats of the old process while it stops only concern itself.
      await beat('old', { url: 'http://peer', open: false })
      expect(await stores.first.sessions.reap(now, keepMs)).toEqual([])
      await stores.first.sessions.leave('new')
      expect(await stores.first.sessions.reap(now, keepMs)).toEqual(['s2'])
    })

    it('stay with a process that is ending them, even if another process has its address', async () => {
      await beat('old', { url: 'http://peer' })
      await begin('s', { owner: 'old' })
      await beat('old', { url: 'http://peer', open: false })
      await beat('new', { url: 'http://peer' })
      expect(await stores.second.sessions.reap(now, keepMs)).toEqual([])
      expect(await stores.second.sessions.hosts(now)).toMatchObject([{ id: 'new' }])
      expect(await stores.first.sessions.end('s', { end: 'stopped', at: now, keepMs })).toMatchObject({ end: 'stopped' })
      // If it dies meanwhile, it loses them when its heartbeat is overdue.
      await begin('t', { owner: 'old' })
      expect(await stores.second.sessions.reap(now + minute, keepMs)).toEqual(['t'])
    })

    it('can be opened by reachable processes that accept sessions, the least busy first', async () => {
      await beat('x', { url: 'http://x' })
      await beat('y', { url: 'http://y' })
      await beat('closed', { url: 'http://z', open: false })
      await beat('late', { url: 'http://late', until: now })
      await begin('s', { owner: 'x' })
      expect(await stores.second.sessions.hosts(now)).toEqual([
        { id: 'y', url: 'http://y', open: true, seenAt: now, until: now + minute, sessions: 0 },
        { id: 'x', url: 'http://x', open: true, seenAt: now, until: now + minute, sessions: 1 },
      ])
    })

    it('are swept when they need not be known any more', async () => {
      await begin('s1')
      await stores.first.sessions.end('s1', { end: 'deleted', at: now, keepMs })
      await stores.first.sweep(now + keepMs - 1)
      expect(await stores.first.sessions.find('s1')).not.toBeNull()
      await stores.first.sweep(now + keepMs)
      expect(await stores.first.sessions.find('s1')).toBeNull()
    })
  })
}
