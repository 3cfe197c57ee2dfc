import { describe, expect, it } from 'vitest'
import { eachStore, now, result } from './fixtures.contract.ts'
import { delivered, pageEnd, start, takeOne } from './jobs-fixtures.contract.ts'
import type { Subject } from './subject.contract.ts'

/** The information of teams about themselves. */
export function teamsContract(name: string, subject: Subject): void {
  describe(`teams on ${name}`, () => {
    const stores = eachStore(subject)
    const scraped = async (id: string, team: string, createdAt: number, url: string): Promise<void> => {
      await stores.first.accounts.ensureTeam(team, null, now)
      await stores.first.results.settle({ team, result: result(id, { team, createdAt, expiresAt: createdAt + 90_000_000, request: JSON.stringify({ url }) }), charge: null, cache: null })
    }

    it('have no running, waiting or past work at first', async () => {
      expect(await stores.first.teams.load('a', now)).toEqual({ active: 0, waiting: 0, lastSuccess: null })
      expect(await stores.first.teams.activity('a', { since: 0, limit: 10 })).toEqual([])
    })

    it('count requests and pages of jobs separately', async () => {
      await stores.first.slots.acquire('a', 'x', 1, now + 100, now)
      await stores.first.slots.acquire('a', 'y', 1, now + 100, now)
      await stores.first.slots.acquire('b', 'z', 1, now + 100, now)
      await start(stores.first, 'j', { pages: ['', 'p', 'q'] })
      await takeOne(stores.first)
      expect(await stores.second.teams.load('a', now)).toEqual({ active: 2, waiting: 3, lastSuccess: null })
      expect(await stores.second.teams.load('b', now)).toEqual({ active: 1, waiting: 0, lastSuccess: null })
      expect(await stores.second.teams.load('a', now + 2_000)).toMatchObject({ active: 1, waiting: 2 })
    })

    it('wait for no more pages of a job than its limit allows', async () => {
      await start(stores.first, 'j', { pages: ['', 'p', 'q'], job: { limit: 2 } })
      expect((await stores.first.teams.load('a', now)).waiting).toBe(2)
    })

    it('know the last success of scrapes and of jobs', async () => {
      await scraped('s1', 'a', now - 50, 'https://one.test/')
      await scraped('s2', 'b', now - 10, 'https://two.test/')
      expect((await stores.first.teams.load('a', now)).lastSuccess).toBe(now - 50)
      await start(stores.first, 'j', { pages: [''] })
      const page = await takeOne(stores.first)
      await stores.first.jobs.settle(pageEnd(page, delivered(page), { now: now + 20 }))
      expect((await stores.first.teams.load('a', now)).lastSuccess).toBe(now + 20)
    })

    it('list their activity, newest first, from the end of the previous page', async () => {
      await scraped('s1', 'a', now - 5, 'https://one.test/')
      await scraped('s2', 'a', now, 'https://two.test/')
      await scraped('s3', 'b', now, 'https://other.test/')
      await start(stores.first, 'j1', { job: { createdAt: now, url: 'https://site/' } })
      await start(stores.first, 'j2', { job: { createdAt: now - 7, kind: 'batch', url: null } })
      await start(stores.first, 'j3', { job: { createdAt: now, retention: 'zero' } })
      const all = await stores.second.teams.activity('a', { since: now - 7, limit: 10 })
      expect(all).toEqual([
        { id: 's2', endpoint: 'scrape', at: now, target: 'https://two.test/' },
        { id: 'j1', endpoint: 'crawl', at: now, target: 'https://site/' },
        { id: 's1', endpoint: 'scrape', at: now - 5, target: 'https://one.test/' },
        { id: 'j2', endpoint: 'batch_scrape', at: now - 7, target: null },
      ])
      for (const [i, after] of all.entries()) expect(await stores.first.teams.activity('a', { since: now - 7, limit: 2, after })).toEqual(all.slice(i + 1, i + 3))
      expect(await stores.first.teams.activity('a', { since: now - 7, limit: 10, endpoint: 'scrape' })).toEqual([all[0], all[2]])
      expect(await stores.first.teams.activity('a', { since: now - 6, limit: 10 })).toEqual(all.slice(0, 3))
    })

    it('list their maps by their charges, and their sessions, with the page if one began there', async () => {
      const { ledger, sessions } = stores.first
      await scraped('page', 'a', now - 9, 'https://one.test/')
      await ledger.charge('a', { ref: 'm1', kind: 'map', credits: 1, at: now - 1, target: 'https://mapped.test/' })
      await ledger.charge('a', { ref: 'm2', kind: 'map', credits: 1, at: now - 2 })
      await ledger.charge('a', { ref: 'other', kind: 'scrape', credits: 1, at: now - 2, target: 'https://one.test/' })
      await sessions.beat({ id: 'p', url: null, open: true, until: now + 60_000 }, now)
      const session = { team: 'a', owner: 'p', ttlMs: 60_000, idleMs: 60_000, streams: true, secret: 's' }
      for (const [id, scrape] of [['b', null], ['i', 'page'], ['never', null]] as const) await sessions.claim({ ...session, id, scrape, createdAt: now - 3, secret: id }, { limit: 9, hold: null, now })
      for (const id of ['b', 'i']) await sessions.started(id, now)
      expect(await stores.second.teams.activity('a', { since: now - 8, limit: 10 })).toEqual([
        { id: 'm1', endpoint: 'map', at: now - 1, target: 'https://mapped.test/' },
        { id: 'm2', endpoint: 'map', at: now - 2, target: null },
        { id: 'i', endpoint: 'interact', at: now - 3, target: 'https://one.test/' },
        { id: 'b', endpoint: 'browser', at: now - 3, target: null },
      ])
      expect(await stores.second.teams.activity('b', { since: 0, limit: 10 })).toEqual([])
    })

    it('store their feedback', async () => {
      const said = (id: string, at: number) => ({ id, team: 'a', at, endpoint: 'search', rating: 'bad', body: '{"note":"é"}' })
      await stores.first.teams.addFeedback(said('f1', now))
      await stores.first.teams.addFeedback(said('f2', now + 1))
      expect(await stores.second.teams.feedback(10)).toEqual([said('f2', now + 1), said('f1', now)])
      expect(await stores.second.teams.feedback(1)).toEqual([said('f2', now + 1)])
    })
  })
}
