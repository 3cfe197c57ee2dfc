import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Settlement } from '../../domain/pages/results.ts'
import type { Version } from '../../domain/pages/versions.ts'
import { eachStore, entry, now, result, together } from './fixtures.contract.ts'
import { counts, delivered, pageEnd, start, take, takeOne } from './jobs-fixtures.contract.ts'
import type { Subject } from './subject.contract.ts'

const key = { team: 'a', page: 'p' }

/** A sample version. */
function version(id: string, number: number, more: Partial<Version> = {}): Version {
  return {
    ...key, id, number, url: 'https://site/p', tag: null, at: now + number, status: number === 1 ? 'new' : 'changed', blob: `page-${id}`, frame: `{"id":"${id}"}`,
    head: '{"status":200}', body: `body-${id}`, bytes: 9, asked: 'asked', read: 'read', compared: 'compared', ...more,
  }
}

const settling = (one: Version, more: Partial<Settlement> = {}): Settlement => ({ team: one.team, result: null, charge: null, cache: null, version: one, ...more })

/** Versions of tracked pages. */
export function versionsContract(name: string, subject: Subject): void {
  describe(`versions on ${name}`, () => {
    const stores = eachStore(subject)
    const ids = async (): Promise<readonly string[]> => (await stores.second.versions.list(key, { skip: 0, limit: 99 })).map(({ id }) => id)

    it('are stored with the settlement of their scrape and found by page, id and time', async () => {
      const [one, two] = [version('v1', 1, { tag: 'hourly' }), version('v2', 2)]
      expect(await stores.first.results.settle(settling(one))).toBe('settled')
      expect(await stores.first.results.settle(settling(two))).toBe('settled')
      expect(await stores.second.versions.latest(key, 'v9')).toEqual(two)
      expect(await stores.second.versions.latest(key, 'v2')).toEqual(one)
      expect(await stores.second.versions.find('v1')).toEqual(one)
      expect(await stores.second.versions.find('v9')).toBeNull()
      expect(await stores.second.versions.at(key, now + 1)).toEqual(one)
      expect(await stores.second.versions.at(key, now + 99)).toEqual(two)
      expect(await stores.second.versions.at(key, now)).toBeNull()
      expect(await stores.second.versions.list(key, { skip: 0, limit: 9 })).toEqual([{ id: 'v2', at: now + 2, status: 'changed' }, { id: 'v1', at: now + 1, status: 'new' }])
      expect(await stores.second.versions.list(key, { skip: 1, limit: 1 })).toEqual([{ id: 'v1', at: now + 1, status: 'new' }])
    })

    it('belong to one team and one page', async () => {
      await stores.first.results.settle(settling(version('v1', 1)))
      await stores.first.results.settle(settling(version('v2', 1, { team: 'b' })))
      await stores.first.results.settle(settling(version('v3', 1, { page: 'q' })))
      expect(await ids()).toEqual(['v1'])
      expect((await stores.first.versions.latest({ team: 'b', page: 'p' }, ''))?.id).toBe('v2')
      expect(await stores.first.versions.latest({ team: 'b', page: 'q' }, '')).toBeNull()
      const at = async (team: string, page: string): Promise<unknown> => (await stores.first.versions.at({ team, page }, now + 9))?.id
      expect([await at('a', 'p'), await at('b', 'p'), await at('a', 'q'), await at('b', 'q')]).toEqual(['v1', 'v2', 'v3', undefined])
      expect(await stores.first.versions.removeSome({ team: 'b', page: 'p' }, 9)).toEqual({ count: 1, blobs: ['page-v2', 'body-v2'] })
      expect([await at('a', 'p'), await at('b', 'p'), await at('a', 'q')]).toEqual(['v1', undefined, 'v3'])
    })

    it('whose number is taken store nothing of their scrape', async () => {
      await stores.first.accounts.ensureTeam('a', null, now)
      await stores.first.results.settle(settling(version('v1', 1)))
      const late = settling(version('v2', 1), { result: result('v2'), charge: { ref: 'v2', kind: 'scrape', credits: 1, at: now }, cache: { ...entry('e'), memo: null } })
      expect(await stores.first.results.settle(late)).toBe('outdated')
      expect(await stores.first.results.find('v2')).toBeNull()
      expect((await stores.first.ledger.balance('a', now)).used).toBe(0)
      expect(await stores.first.cache.find({ team: 'a', key: 'page' }, 0, now, '', now)).toBeNull()
      expect(await ids()).toEqual(['v1'])
    })

    it('are stored once per scrape, however often it is settled', async () => {
      await stores.first.results.settle(settling(version('v1', 1)))
      expect(await stores.second.results.settle(settling(version('v1', 1, { status: 'same' }), { result: result('v1') }))).toBe('settled')
      expect(await stores.second.results.settle(settling(version('v1', 2)))).toBe('settled')
      expect(await stores.first.versions.list(key, { skip: 0, limit: 9 })).toEqual([{ id: 'v1', at: now + 1, status: 'new' }])
      expect(await stores.first.results.find('v1')).not.toBeNull()
    })

    it('of concurrent scrapes get one number each', async () => {
      const outcomes = await together(stores, (store, i) => store.results.settle(settling(version(`v${i}`, 1), { result: result(`v${i}`) })))
      expect(outcomes.filter((outcome) => outcome === 'settled')).toHaveLength(1)
      const kept = await Promise.all(outcomes.map(async (_, i) => (await stores.second.results.find(`v${i}`)) !== null))
      expect(kept).toEqual(outcomes.map((outcome) => outcome === 'settled'))
      expect(await ids()).toHaveLength(1)
    })

    it('are stored with the end of their page in a job, or the page has not ended', async () => {
      await stores.first.results.settle(settling(version('v0', 1)))
      await start(stores.first, 'j', { pages: ['a'] })
      const a = await takeOne(stores.first)
      const end = (number: number): Parameters<typeof stores.first.jobs.settle>[0] => pageEnd(a, delivered(a, { settlement: { version: version('j/a', number) } }))
      expect(await stores.first.jobs.settle(end(1))).toBe('outdated')
      expect(await counts(stores.first, 'j')).toMatchObject({ state: 'scraping', total: 1, completed: 0, lastEvent: 1 })
      expect(await stores.second.jobs.settle(end(2))).toBe('settled')
      expect(await stores.second.jobs.settle(end(2))).toBe('lost')
      expect(await counts(stores.first, 'j')).toMatchObject({ state: 'completed', total: 1, completed: 1 })
      expect(await ids()).toEqual(['j/a', 'v0'])
    })

    it('are not stored with duplicate pages, nor with an old token', async () => {
      await start(stores.first, 'j', { pages: ['a', 'b'] })
      const [a, b] = await take(stores.first, 2)
      if (!a || !b) throw new Error('two pages')
      const tracked = (id: string): { readonly settlement: { readonly version: Version } } => ({ settlement: { version: version(id, 1) } })
      expect(await stores.first.jobs.settle(pageEnd({ ...a, token: 'old' }, delivered(a, tracked('j/a'))))).toBe('lost')
      await stores.first.jobs.settle(pageEnd(a))
      expect(await stores.first.jobs.settle(pageEnd(b, delivered(b, { finalKey: 'a', ...tracked('j/b') })))).toBe('duplicate')
      expect(await ids()).toEqual([])
    })

    it('are not stored with a page that another delivered meanwhile: nobody was told of its changes', async () => {
      await stores.first.results.settle(settling(version('v1', 1)))
      await start(stores.first, 'j', { pages: ['a', 'b'] })
      const [a, b] = await take(stores.first, 2)
      if (!a || !b) throw new Error('two pages')
      await stores.first.jobs.settle(pageEnd(b, delivered(b, { finalKey: 'a' })))
      expect(await stores.second.jobs.settle(pageEnd(a, delivered(a, { settlement: { version: version('j/a', 2) } })))).toBe('duplicate')
      expect(await ids()).toEqual(['v1'])
    })

    it('list the pages of a site that are tracked under a tag and existed last', async () => {
      const at = (page: string, url: string, more: Partial<Version> = {}) => stores.first.results.settle(settling(version(`${page}-${more.number ?? 1}`, 1, { page, url, ...more })))
      await at('b', 'https://site/b')
      await at('a', 'https://site/a')
      await at('a', 'https://site/a', { number: 2, status: 'same' })
      await at('gone', 'https://site/gone')
      await at('gone', 'https://site/gone', { number: 2, status: 'removed' })
      await at('tagged', 'https://site/tagged', { tag: 't' })
      await at('other', 'https://site.test/other')
      await at('theirs', 'https://site/theirs', { team: 'b' })
      const which = { team: 'a', tag: null, prefix: 'https://site/', after: '', limit: 9 }
      expect(await stores.second.versions.tracked(which)).toEqual(['https://site/a', 'https://site/b'])
      expect(await stores.second.versions.tracked({ ...which, limit: 1 })).toEqual(['https://site/a'])
      expect(await stores.second.versions.tracked({ ...which, after: 'https://site/a' })).toEqual(['https://site/b'])
      expect(await stores.second.versions.tracked({ ...which, tag: 't' })).toEqual(['https://site/tagged'])
    })

    it('list a page once, by the URL of its newest version, however long', async () => {
      const put = (page: string, number: number, url: string) => stores.first.results.settle(settling(version(`${page}-${number}`, number, { page, url })))
      // So long that no index of Postgres holds it: random, since it compresses what it can.
      const long = (n: number): string => `https://site/${'l'.repeat(300)}${n}${randomBytes(3_000).toString('hex')}`
      const urls = ['https://site/a#!x', 'https://site/b', ...[1, 2, 3].map(long)]
      await put('a', 1, 'https://site/a')
      await put('a', 2, 'https://site/a#!y')
      await put('a', 3, 'https://site/a#!x')
      await put('b', 1, 'https://site/b')
      for (const [n, url] of urls.slice(2).entries()) for (const number of [1, 2]) await put(`long-${n}`, number, url)
      const listed: string[] = []
      for (let after = ''; ; ) {
        const [url, ...more] = await stores.second.versions.tracked({ team: 'a', tag: null, prefix: 'https://site/', after, limit: 1 })
        expect(more).toEqual([])
        if (url === undefined) break
        listed.push((after = url))
      }
      expect([listed.slice(0, 2), listed.toSorted()]).toEqual([urls.slice(0, 2), urls])
      expect(await stores.second.versions.tracked({ team: 'a', tag: null, prefix: 'https://site/', after: '', limit: 9 })).toEqual(listed)
    })

    it('are deleted one by one or per page, for their team only', async () => {
      const { versions } = stores.first
      for (const n of [1, 2, 3]) await stores.first.results.settle(settling(version(`v${n}`, n)))
      await stores.first.results.settle(settling(version('other', 1, { team: 'b' })))
      expect([await versions.remove('v2', 'b'), await versions.remove('none', 'a'), await ids()]).toEqual([null, null, ['v3', 'v2', 'v1']])
      expect([await versions.remove('v3', 'a'), await versions.remove('v3', 'a'), await ids()]).toEqual([['page-v3', 'body-v3'], null, ['v2', 'v1']])
      // The next version gets the number of the deleted one.
      expect(await stores.first.results.settle(settling(version('v4', 3)))).toBe('settled')
      expect(await versions.removeSome(key, 2)).toEqual({ count: 2, blobs: ['page-v1', 'body-v1', 'page-v2', 'body-v2'] })
      expect([await ids(), (await versions.removeSome(key, 9)).count, await ids(), (await versions.find('other'))?.id]).toEqual([['v4'], 1, [], 'other'])
    })

    it('keep their blobs over every sweep', async () => {
      await stores.first.results.settle(settling(version('v1', 1), { result: result('v1', { expiresAt: now }) }))
      await stores.first.sweep(now + 1e12)
      expect([...(await stores.second.blobsInUse(['page-v1', 'body-v1', 'blob-v1']))].sort()).toEqual(['body-v1', 'page-v1'])
      expect(await stores.first.versions.latest(key, '')).toEqual(version('v1', 1))
    })
  })
}
