import { describe, expect, it } from 'vitest'
import type { PageTask } from '../../domain/jobs/pages.ts'
import { type Charge, extraOf, type Hold } from '../../domain/teams/ledger.ts'
import { eachStore, now, together } from './fixtures.contract.ts'
import { delivered, failed, pageEnd, start, take } from './jobs-fixtures.contract.ts'
import type { Subject } from './subject.contract.ts'

const charge = (ref: string, credits: number, at = now): Charge => ({ ref, kind: 'scrape', credits, at })
const nothing: Hold = { ref: 'unknown', fence: 'unknown' }

/** Credits. */
export function ledgerContract(name: string, subject: Subject): void {
  describe(`ledger on ${name}`, () => {
    const stores = eachStore(subject)

    it('returns an empty balance for a team without charges, and for one that does not exist', async () => {
      await stores.first.accounts.ensureTeam('a', 10, now)
      expect(await stores.first.ledger.balance('a', now)).toEqual({ granted: 10, used: 0, held: 0 })
      expect(await stores.first.ledger.balance('nobody', now)).toEqual({ granted: null, used: 0, held: 0 })
      expect(await stores.first.ledger.months('nobody')).toEqual([])
    })

    it('charges once per reference, within each team', async () => {
      await stores.first.accounts.ensureTeam('a', 10, now)
      await stores.first.accounts.ensureTeam('b', 10, now)
      expect(await stores.first.ledger.charge('a', charge('r', 3))).toBe(true)
      expect(await stores.first.ledger.charge('a', charge('r', 5))).toBe(false)
      expect(await stores.first.ledger.charge('b', charge('r', 1))).toBe(true)
      expect(await stores.second.ledger.balance('a', now)).toEqual({ granted: 10, used: 3, held: 0 })
      expect(await stores.second.ledger.balance('b', now)).toEqual({ granted: 10, used: 1, held: 0 })
    })

    it('rejects a charge to a team that does not exist', async () => {
      await expect(stores.first.ledger.charge('nobody', charge('r', 1))).rejects.toThrow()
    })

    it('rejects fractions of a credit', async () => {
      await stores.first.accounts.ensureTeam('a', 10, now)
      await expect(stores.first.ledger.charge('a', charge('r', 0.5))).rejects.toThrow()
      expect(await stores.first.ledger.balance('a', now)).toEqual({ granted: 10, used: 0, held: 0 })
    })

    it('reserves what is covered and refuses what is not', async () => {
      await stores.first.accounts.ensureTeam('a', 10, now)
      expect(await stores.first.ledger.hold({ team: 'a' }, 'x', 6, now + 100, now)).not.toBeNull()
      expect(await stores.first.ledger.hold({ team: 'a' }, 'y', 5, now + 100, now)).toBeNull()
      expect(await stores.first.ledger.hold({ team: 'a' }, 'y', 4, now + 100, now)).not.toBeNull()
      expect(await stores.first.ledger.balance('a', now)).toEqual({ granted: 10, used: 0, held: 10 })
    })

    it('replaces a hold with the same reference', async () => {
      await stores.first.accounts.ensureTeam('a', 10, now)
      await stores.first.ledger.hold({ team: 'a' }, 'x', 6, now + 100, now)
      expect(await stores.first.ledger.hold({ team: 'a' }, 'x', 9, now + 200, now)).not.toBeNull()
      expect(await stores.first.ledger.balance('a', now + 150)).toEqual({ granted: 10, used: 0, held: 9 })
      expect(await stores.first.ledger.hold({ team: 'a' }, 'x', 11, now + 200, now)).toBeNull()
      expect(await stores.first.ledger.balance('a', now + 150)).toEqual({ granted: 10, used: 0, held: 9 })
    })

    it('removes a hold when it expires, when it is released, and when its charge is written', async () => {
      await stores.first.accounts.ensureTeam('a', 10, now)
      await stores.first.ledger.hold({ team: 'a' }, 'lapses', 1, now + 100, now)
      const released = await stores.first.ledger.hold({ team: 'a' }, 'released', 2, now + 900, now)
      await stores.first.ledger.hold({ team: 'a' }, 'charged', 3, now + 900, now)
      await stores.second.ledger.release('a', released ?? nothing)
      await stores.first.ledger.release('a', nothing)
      await stores.first.ledger.charge('a', charge('charged', 2))
      expect(await stores.first.ledger.balance('a', now + 99)).toEqual({ granted: 10, used: 2, held: 1 })
      expect(await stores.first.ledger.balance('a', now + 100)).toEqual({ granted: 10, used: 2, held: 0 })
    })

    it('removes a hold under another reference when its charge is written', async () => {
      await stores.first.accounts.ensureTeam('a', 10, now)
      await stores.first.ledger.hold({ team: 'a' }, 'page 1', 10, now + 900, now)
      // The next attempt at the same page takes over the hold of the previous one.
      expect(await stores.first.ledger.hold({ team: 'a' }, 'page 1', 10, now + 900, now)).not.toBeNull()
      await stores.first.ledger.charge('a', { ...charge('scrape', 2), heldAs: 'page 1' })
      expect(await stores.first.ledger.balance('a', now)).toEqual({ granted: 10, used: 2, held: 0 })
    })

    it('removes what is held beyond a hold when its charge is written, and nothing else', async () => {
      await stores.first.accounts.ensureTeam('a', 99, now)
      for (const [at, ref] of ['page 1', extraOf('page 1'), 'page 1/other', extraOf('page 2')].entries()) await stores.first.ledger.hold({ team: 'a' }, ref, 10 ** (at % 2), now + 900, now)
      expect((await stores.first.ledger.balance('a', now)).held).toBe(22)
      await stores.first.ledger.charge('a', { ...charge('scrape', 2), heldAs: 'page 1' })
      expect((await stores.first.ledger.balance('a', now)).held).toBe(11)
    })

    it('keeps the hold that has replaced another when the old one is released late', async () => {
      await stores.first.accounts.ensureTeam('a', 10, now)
      const late = await stores.first.ledger.hold({ team: 'a' }, 'page 1', 6, now + 100, now)
      const next = await stores.second.ledger.hold({ team: 'a' }, 'page 1', 7, now + 200, now)
      await stores.first.ledger.release('a', late ?? nothing)
      expect(await stores.first.ledger.balance('a', now)).toEqual({ granted: 10, used: 0, held: 7 })
      await stores.second.ledger.release('a', next ?? nothing)
      expect(await stores.first.ledger.balance('a', now)).toEqual({ granted: 10, used: 0, held: 0 })
    })

    it('removes what a page of a job held with its end, charged or not, but no hold that has replaced it', async () => {
      const { accounts, jobs, ledger } = stores.first
      await accounts.ensureTeam('a', 99, now)
      await start(stores.first, 'j', { pages: ['failed', 'skipped', 'duplicate', 'delivered', 'replaced', 'dropped'] })
      const tasks = new Map((await take(stores.first, 9)).map((task) => [task.key, task]))
      const end = async (key: string, outcome: (task: PageTask) => ReturnType<typeof failed>, ref = key): Promise<unknown> => {
        const task = tasks.get(key)
        if (task === undefined) throw new Error('a page')
        const held = await ledger.hold({ team: 'a' }, ref, 5, now + 900, now)
        if (key === 'replaced') await ledger.hold({ team: 'a' }, ref, 7, now + 900, now)
        if (key === 'dropped') await jobs.cancel('j', 'end', now)
        return [await jobs.settle(pageEnd(task, outcome(task), { held })), (await stores.second.ledger.balance('a', now)).held]
      }
      expect(await end('failed', failed)).toEqual(['settled', 0])
      expect(await end('skipped', () => ({ kind: 'skipped', reason: 'robots' }))).toEqual(['settled', 0])
      expect(await end('delivered', delivered, 'j/delivered')).toEqual(['settled', 0])
      expect(await end('duplicate', (task) => delivered(task, { finalKey: 'delivered' }))).toEqual(['duplicate', 0])
      expect(await end('replaced', failed)).toEqual(['settled', 7])
      expect(await end('dropped', failed)).toEqual(['lost', 7])
    })

    it('removes the hold of a charge that was written before', async () => {
      await stores.first.accounts.ensureTeam('a', 10, now)
      await stores.first.ledger.charge('a', charge('r', 2))
      await stores.first.ledger.hold({ team: 'a' }, 'r', 3, now + 900, now)
      expect(await stores.first.ledger.charge('a', charge('r', 2))).toBe(false)
      expect(await stores.first.ledger.balance('a', now)).toEqual({ granted: 10, used: 2, held: 0 })
    })

    it('never refuses a hold without granted credits, and rejects one for a team that does not exist', async () => {
      await stores.first.accounts.ensureTeam('free', null, now)
      expect(await stores.first.ledger.hold({ team: 'free' }, 'x', 1_000_000, now + 100, now)).not.toBeNull()
      await expect(stores.first.ledger.hold({ team: 'nobody' }, 'x', 1, now + 100, now)).rejects.toThrow('Credits were to be held for a team that does not exist.')
    })

    it('never reserves more than is granted, for concurrent holds', async () => {
      await stores.first.accounts.ensureTeam('a', 50, now)
      const answers = await together(stores, (store, i) => store.ledger.hold({ team: 'a' }, `r${i}`, 7, now + 100, now))
      expect(answers.filter(Boolean)).toHaveLength(7)
      expect(await stores.first.ledger.balance('a', now)).toEqual({ granted: 50, used: 0, held: 49 })
    })

    it('writes one row for concurrent charges under one reference', async () => {
      await stores.first.accounts.ensureTeam('a', 50, now)
      const answers = await together(stores, (store) => store.ledger.charge('a', charge('same', 3)))
      expect(answers.filter(Boolean)).toHaveLength(1)
      expect((await stores.first.ledger.balance('a', now)).used).toBe(3)
    })

    it('loses no charge when many are written at once', async () => {
      await stores.first.accounts.ensureTeam('a', 50, now)
      await together(stores, (store, i) => store.ledger.charge('a', charge(`r${i}`, 2)))
      expect((await stores.first.ledger.balance('a', now)).used).toBe(40)
    })

    it('sums per calendar month, newest first, and per key', async () => {
      await stores.first.accounts.ensureTeam('a', null, now)
      await stores.first.accounts.addKey({ id: 'k', hash: 'h', team: 'a', prefix: 'fc-', name: 'laptop', createdAt: now })
      await stores.first.ledger.charge('a', charge('1', 1, Date.UTC(2026, 9, 31, 23, 59, 59, 999)))
      await stores.first.ledger.charge('a', { ...charge('2', 2, Date.UTC(2026, 10, 1)), key: 'k' })
      await stores.first.ledger.charge('a', { ...charge('3', 4, Date.UTC(2026, 10, 30, 23)), key: 'k' })
      await stores.first.ledger.charge('a', charge('4', 8, Date.UTC(2026, 10, 30, 23)))
      await stores.first.ledger.addTokens({ team: 'a', key: 'k' }, 700, Date.UTC(2026, 10, 2))
      await stores.first.ledger.addTokens({ team: 'a', key: 'k' }, 77, Date.UTC(2026, 10, 3))
      await stores.first.ledger.addTokens({ team: 'a' }, 5, Date.UTC(2026, 11, 1))
      const laptop = { id: 'k', name: 'laptop' }
      const months = await stores.second.ledger.months('a')
      expect(months.map(({ start }) => start)).toEqual([11, 10, 10, 9].map((month) => Date.UTC(2026, month, 1)))
      expect(new Set(months)).toEqual(new Set([
        { start: Date.UTC(2026, 11, 1), key: null, credits: 0, tokens: 5 },
        { start: Date.UTC(2026, 10, 1), key: laptop, credits: 6, tokens: 777 },
        { start: Date.UTC(2026, 10, 1), key: null, credits: 8, tokens: 0 },
        { start: Date.UTC(2026, 9, 1), key: null, credits: 1, tokens: 0 },
      ]))
    })

    it('returns the tightest limit of team and key, total or monthly', async () => {
      const { accounts, ledger } = stores.first
      await accounts.ensureTeam('a', null, now)
      await accounts.addKey({ id: 'k', hash: 'h', team: 'a', prefix: 'fc-', name: 'laptop', createdAt: now })
      const before = now - 40 * 86_400_000
      const month = Date.UTC(new Date(now).getUTCFullYear(), new Date(now).getUTCMonth())
      await ledger.charge('a', { ...charge('old', 50, before), key: 'k' })
      await ledger.charge('a', { ...charge('r', 3), key: 'k' })
      const [team, key] = [{ team: 'a' }, { team: 'a', key: 'k' }]
      expect([await ledger.allowance(team, now), await ledger.allowance(key, now), await ledger.allowance({ team: 'nobody' }, now)]).toEqual([null, null, null])
      await accounts.grant('a', 20)
      expect(await ledger.allowance(team, now)).toEqual({ plan: 73, left: 20, month: null })
      await accounts.setTeam('a', { budget: 10 })
      expect(await ledger.allowance(team, now)).toEqual({ plan: 10, left: 7, month })
      await accounts.setKey('k', { budget: 5 })
      expect([await ledger.allowance(team, now), await ledger.allowance(key, now)]).toEqual([{ plan: 10, left: 7, month }, { plan: 5, left: 2, month, byKey: true }])
      expect(await ledger.hold(key, 'x', 3, now + 100, now)).toBeNull()
      expect(await ledger.hold(key, 'x', 2, now + 100, now)).not.toBeNull()
      expect(await ledger.hold(team, 'y', 6, now + 100, now)).toBeNull()
      expect(await ledger.hold(team, 'y', 5, now + 100, now)).not.toBeNull()
      expect([await ledger.allowance(team, now), await ledger.allowance(key, now)]).toEqual([{ plan: 10, left: 0, month }, { plan: 10, left: 0, month }])
      const next = month + 32 * 86_400_000
      expect(await ledger.allowance(key, next)).toEqual({ plan: 5, left: 5, month: Date.UTC(new Date(next).getUTCFullYear(), new Date(next).getUTCMonth()), byKey: true })
    })
  })
}
