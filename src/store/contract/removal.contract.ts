import { describe, expect, it } from 'vitest'
import { caching, eachStore, entry, now, result, task } from './fixtures.contract.ts'
import { counts, delivered, hook, pageEnd, start, takeOne } from './jobs-fixtures.contract.ts'
import type { Store } from '../../domain/store.ts'
import type { Subject } from './subject.contract.ts'

/** Gives a team a key, a running job with a delivered page and webhooks, a result, a cached page, a task and charges. */
async function furnish(store: Store, team: string): Promise<void> {
  await start(store, `job-${team}`, { job: { team, webhook: hook }, pages: ['one', 'two'] })
  await store.accounts.addKey({ id: `key-${team}`, hash: `hash-${team}`, team, prefix: 'fc-', name: 'laptop', createdAt: now })
  await store.results.settle({ ...caching(entry(`cached-${team}`, { team })), result: result(`result-${team}`, { team }), charge: { ref: `result-${team}`, kind: 'scrape', credits: 1, at: now } })
  await store.queue.push([task(`task-${team}`, { team })])
  const page = await takeOne(store)
  await store.jobs.settle(pageEnd(page, delivered(page)))
}

const page = { host: 'site', shape: '/p/*', ask: 'q' }
const shared = { profile: 'p', version: 'v', hold: 'r' }

/** Gives a team what another team may have under the same names. */
async function furnishAlike(store: Store, team: string): Promise<void> {
  const { accounts, ledger, lessons, profiles, results, sessions, teams, templates } = store
  await accounts.ensureTeam(team, 99, now)
  await ledger.charge(team, { ref: shared.hold, kind: 'scrape', credits: 2, at: now })
  await ledger.hold({ team }, `${shared.hold} 2`, 5, now + 900, now)
  await lessons.note({ team, ...page }, { score: 1, uses: 1, at: now })
  await templates.note({ team, ...page }, { state: team, version: null, at: now })
  await profiles.lock({ team, name: shared.profile }, 'x', now + 900, now)
  await profiles.save({ team, name: shared.profile }, 'x', { blob: `profile of ${team}`, bytes: 1, savedAt: now }, { profiles: 9, bytes: 9 })
  const version = { team, page: shared.version, number: 1, id: `version of ${team}`, url: 'https://site/', tag: null, at: now, status: 'new', blob: 'b', frame: '{}', head: '{}', body: 'c', bytes: 1, asked: '', read: '', compared: '' } as const // of its type
  const artifact = { token: `file of ${team}`, team, blob: 'd', media: 'image/png', expiresAt: now + 900 }
  await results.settle({ ...caching(entry(`entry of ${team}`, { team })), version, artifacts: [artifact] })
  await teams.addFeedback({ id: `feedback of ${team}`, team, at: now, endpoint: 'search', rating: 'bad', body: '{}' })
  await sessions.claim({ id: `session of ${team}`, team, scrape: null, owner: 'p', ttlMs: 1, idleMs: 1, streams: false, secret: '', createdAt: now }, { limit: 9, hold: null, now })
  await sessions.started(`session of ${team}`, now)
  await sessions.end(`session of ${team}`, { end: 'deleted', at: now, keepMs: 900 })
}

/** What is found of it. */
async function found(store: Store, team: string): Promise<readonly unknown[]> {
  const { cache, ledger, lessons, profiles, results, sessions, teams, templates, versions } = store
  return [
    await ledger.balance(team, now), (await ledger.months(team)).length, await ledger.find(team, shared.hold), await lessons.recall({ team, ...page }), await templates.recall({ team, ...page }), (await profiles.find({ team, name: shared.profile }))?.blob,
    (await versions.latest({ team, page: shared.version }, ''))?.id, (await cache.find({ team, key: 'page' }, 0, now, '', now))?.entry.id, (await results.artifact(`file of ${team}`))?.team, (await sessions.find(`session of ${team}`))?.team,
    (await teams.feedback(9)).filter((one) => one.team === team).length,
  ]
}

const idle = { jobs: [], sessions: [], requests: 0, webhooks: 0 }

/** The end of a team. */
export function removalContract(name: string, subject: Subject): void {
  describe(`the removal of teams on ${name}`, () => {
    const stores = eachStore(subject)

    it('says what is under way', async () => {
      await stores.first.accounts.ensureTeam('b', null, now)
      await furnish(stores.first, 'a')
      expect(await stores.second.removal.work('a', now)).toEqual({ jobs: ['job-a'], sessions: [], requests: 1, webhooks: 2 })
      expect(await stores.second.removal.work('b', now)).toEqual(idle)
    })

    it('deletes all that is the team’s own, and nothing of another', async () => {
      for (const team of ['a', 'b']) await furnish(stores.first, team)
      const before = await counts(stores.first, 'job-b')
      await stores.second.removal.remove('a')
      expect((await stores.first.accounts.teams()).map(({ id }) => id)).toEqual(['b'])
      expect([await stores.first.accounts.keyByHash('hash-a'), await stores.first.jobs.find('job-a'), await stores.first.results.find('result-a'), await stores.first.jobs.former('job-a')]).toEqual([null, null, null, null])
      expect(await stores.first.blobsInUse(['blob-result-a', 'body-cached-a', 'blob-job-a/one', 'blob-result-b', 'body-cached-b'])).toEqual(new Set(['blob-result-b', 'body-cached-b']))
      expect([await stores.first.removal.work('a', now), await stores.first.removal.work('b', now)]).toEqual([idle, { jobs: ['job-b'], sessions: [], requests: 1, webhooks: 2 }])
      expect([await counts(stores.first, 'job-b'), (await stores.first.accounts.keyByHash('hash-b'))?.id]).toEqual([before, 'key-b'])
    })

    it('leaves what another team has under the same names, and counts no session that has ended as under way', async () => {
      for (const team of ['a', 'b']) await furnishAlike(stores.first, team)
      const theirs = await found(stores.second, 'b')
      expect(theirs).toEqual([{ granted: 99, used: 4, held: 5 }, 1, { ref: 'r', kind: 'scrape', credits: 2, at: now }, { score: 1, uses: 1, at: now }, { state: 'b', version: 1 }, 'profile of b', 'version of b', 'entry of b', 'b', 'b', 1])
      expect(await stores.second.removal.work('a', now)).toEqual(idle)
      await stores.second.removal.remove('a')
      expect(await found(stores.first, 'a')).toEqual([{ granted: null, used: 0, held: 0 }, 0, null, null, null, undefined, undefined, undefined, undefined, undefined, 0])
      expect(await found(stores.first, 'b')).toEqual(theirs)
    })

    it('takes the keys first, and tells a page that is still read that its job is gone', async () => {
      await start(stores.first, 'job-a')
      await stores.first.accounts.addKey({ id: '1', hash: 'h', team: 'a', prefix: 'fc-', name: 'laptop', createdAt: now })
      const page = await takeOne(stores.first)
      await stores.second.removal.close('a')
      expect([await stores.first.accounts.keyByHash('h'), (await stores.first.accounts.team('a'))?.id]).toEqual([null, 'a'])
      await stores.second.removal.remove('a')
      expect([await stores.first.jobs.settle(pageEnd(page, delivered(page))), await stores.first.results.find('job-a/')]).toEqual(['lost', null])
    })

    it('deletes more rows than one transaction does', async () => {
      await start(stores.first, 'job-a', { job: { limit: 2_000 }, pages: Array.from({ length: 1_200 }, (_, i) => `p${i}`) })
      await stores.first.queue.push(Array.from({ length: 1_100 }, (_, i) => task(`t${i}`)))
      await stores.first.removal.remove('a')
      expect([await stores.first.accounts.teams(), await stores.first.jobs.skipped('job-a', { after: 0, limit: 10 })]).toEqual([[], []])
      expect(await stores.first.removal.work('a', now)).toEqual(idle)
    })

    it('finds nothing to do for a team that is not there', async () => {
      await stores.first.removal.remove('nobody')
      expect(await stores.first.accounts.teams()).toEqual([])
    })
  })
}
