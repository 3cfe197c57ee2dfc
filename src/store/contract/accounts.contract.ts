import { describe, expect, it } from 'vitest'
import { eachStore, now, together } from './fixtures.contract.ts'
import type { Subject } from './subject.contract.ts'

/** Teams and keys. */
export function accountsContract(name: string, subject: Subject): void {
  describe(`accounts on ${name}`, () => {
    const stores = eachStore(subject)
    const key = (id: string, more: object = {}): { id: string; hash: string; team: string; prefix: string; name: string; createdAt: number } => ({
      id, hash: `hash-${id}`, team: 'a', prefix: `tr-${id}`, name: 'laptop', createdAt: now, ...more,
    })

    it('contain no team and no key at first', async () => {
      expect(await stores.first.accounts.team('a')).toBeNull()
      expect(await stores.first.accounts.teams()).toEqual([])
      expect(await stores.first.accounts.keys()).toEqual([])
      expect(await stores.first.accounts.keyByHash('hash-1')).toBeNull()
    })

    it('create a team once and do not change its credits after that', async () => {
      expect(await stores.first.accounts.ensureTeam('a', 500, now)).toEqual({ id: 'a', createdAt: now, creditsGranted: 500 })
      expect(await stores.first.accounts.ensureTeam('a', null, now + 1)).toEqual({ id: 'a', createdAt: now, creditsGranted: 500 })
      expect(await stores.first.accounts.ensureTeam('b', null, now + 2)).toEqual({ id: 'b', createdAt: now + 2, creditsGranted: null })
      expect(await stores.first.accounts.team('a')).toEqual({ id: 'a', createdAt: now, creditsGranted: 500 })
      expect((await stores.first.accounts.teams()).map((team) => team.id)).toEqual(['a', 'b'])
    })

    it('give every caller the same team for concurrent creations', async () => {
      const teams = await together(stores, (store, i) => store.accounts.ensureTeam('a', i, now))
      expect(new Set(teams.map((team) => team.creditsGranted)).size).toBe(1)
      expect(await stores.second.accounts.teams()).toHaveLength(1)
    })

    it('find a key by its hash only', async () => {
      await stores.first.accounts.ensureTeam('a', null, now)
      expect(await stores.first.accounts.addKey(key('1'))).toBe(true)
      expect(await stores.second.accounts.keyByHash('hash-1')).toEqual({
        id: '1', team: 'a', prefix: 'tr-1', name: 'laptop', createdAt: now, lastUsedAt: null, revokedAt: null, terms: { budget: null, rates: null },
      })
      expect(await stores.first.accounts.keyByHash('HASH-1')).toBeNull()
    })

    it('refuse a second key with the same hash and keep the first', async () => {
      await stores.first.accounts.ensureTeam('a', null, now)
      await stores.first.accounts.addKey(key('1'))
      expect(await stores.first.accounts.addKey(key('2', { hash: 'hash-1' }))).toBe(false)
      expect((await stores.first.accounts.keys()).map((k) => k.id)).toEqual(['1'])
    })

    it('reject a key for a team that does not exist', async () => {
      await expect(stores.first.accounts.addKey(key('1'))).rejects.toThrow()
      expect(await stores.first.accounts.keys()).toEqual([])
    })

    it('list keys newest first, of one team or of all', async () => {
      await stores.first.accounts.ensureTeam('a', null, now)
      await stores.first.accounts.ensureTeam('b', null, now)
      await stores.first.accounts.addKey(key('1'))
      await stores.first.accounts.addKey(key('2', { createdAt: now + 5 }))
      await stores.first.accounts.addKey(key('3', { createdAt: now + 3, team: 'b' }))
      expect((await stores.first.accounts.keys()).map((k) => k.id)).toEqual(['2', '3', '1'])
      expect((await stores.first.accounts.keys('a')).map((k) => k.id)).toEqual(['2', '1'])
      expect(await stores.first.accounts.keys('c')).toEqual([])
    })

    it('revoke a key once and still know it', async () => {
      await stores.first.accounts.ensureTeam('a', null, now)
      await stores.first.accounts.addKey(key('1'))
      expect(await stores.first.accounts.revokeKey('1', now + 9)).toBe(true)
      expect(await stores.first.accounts.revokeKey('1', now + 10)).toBe(false)
      expect(await stores.first.accounts.revokeKey('2', now)).toBe(false)
      expect((await stores.first.accounts.keyByHash('hash-1'))?.revokedAt).toBe(now + 9)
    })

    it('remember the last use of a key', async () => {
      await stores.first.accounts.ensureTeam('a', null, now)
      await stores.first.accounts.addKey(key('1'))
      await stores.first.accounts.touchKeys([{ id: '1', at: now + 7 }, { id: 'gone', at: now }, { id: '1', at: now + 3 }])
      await stores.first.accounts.touchKeys([])
      expect((await stores.first.accounts.keyByHash('hash-1'))?.lastUsedAt).toBe(now + 7)
    })

    it('set terms of teams and keys one by one, and list the teams with terms', async () => {
      await stores.first.accounts.ensureTeam('a', null, now)
      await stores.first.accounts.ensureTeam('b', null, now)
      await stores.first.accounts.ensureTeam('c', 5, now)
      await stores.first.accounts.addKey(key('1', { team: 'b' }))
      const none = { budget: null, rates: null, gates: [], webhookSecret: null }
      expect(await stores.first.accounts.terms()).toEqual([{ team: 'c', ...none, limited: true }])
      expect(await stores.first.accounts.setTeam('a', { rates: 'scrape=1/s', gates: ['ignoreRobots', 'zeroRetention'] })).toBe(true)
      expect(await stores.first.accounts.setTeam('a', { webhookSecret: 'hush' })).toBe(true)
      expect(await stores.first.accounts.setKey('1', { budget: 7 })).toBe(true)
      expect(await stores.first.accounts.setKey('1', { rates: 'map=1/h' })).toBe(true)
      expect([await stores.first.accounts.setTeam('gone', { budget: 1 }), await stores.first.accounts.setKey('gone', { budget: 1 })]).toEqual([false, false])
      const a = { team: 'a', budget: null, rates: 'scrape=1/s', gates: ['zeroRetention', 'ignoreRobots'], webhookSecret: 'hush', limited: false }
      expect(await stores.second.accounts.terms()).toEqual([a, { team: 'b', ...none, limited: true }, { team: 'c', ...none, limited: true }])
      expect((await stores.second.accounts.keyByHash('hash-1'))?.terms).toEqual({ budget: 7, rates: 'map=1/h' })
      await stores.first.accounts.setTeam('a', none)
      await stores.first.accounts.setKey('1', { budget: null, rates: null })
      expect(await stores.first.accounts.terms()).toEqual([{ team: 'c', ...none, limited: true }])
    })

    it('grant credits in addition to those granted, or to those used, or without limit', async () => {
      await stores.first.accounts.ensureTeam('a', null, now)
      await stores.first.ledger.charge('a', { ref: 'r', kind: 'scrape', credits: 30, at: now })
      const granted = async (): Promise<number | null | undefined> => (await stores.second.accounts.team('a'))?.creditsGranted
      expect(await stores.first.accounts.grant('a', 100)).toBe(true)
      expect(await granted()).toBe(130)
      await stores.first.accounts.grant('a', 20)
      expect(await granted()).toBe(150)
      await stores.first.accounts.grant('a', null)
      expect(await granted()).toBeNull()
      expect(await stores.first.accounts.grant('gone', 1)).toBe(false)
    })

    it('keep any text unchanged, and refuse what one of the databases cannot store', async () => {
      await stores.first.accounts.ensureTeam('a', null, now)
      const odd = `'"; drop table keys; -- \\ $1 ? %s \u{1F4A9} \uFFFF \n\t`
      await stores.first.accounts.addKey(key('1', { name: odd }))
      expect((await stores.first.accounts.keyByHash('hash-1'))?.name).toBe(odd)
      await expect(stores.first.accounts.addKey(key('2', { name: 'a\0b' }))).rejects.toThrow('Text that contains a NUL character cannot be stored.')
    })
  })
}
