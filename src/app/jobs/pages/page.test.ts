import { describe, expect, it } from 'vitest'
import { parseRobots } from '../../../content/site/robots.ts'
import type { Call } from '../../../domain/call.ts'
import { EndlessRedirects, ServiceError, StoreAway, StoreFault, StoreRefusal, Unreachable } from '../../../domain/errors.ts'
import type { Job } from '../../../domain/jobs/job.ts'
import type { PageEnd, PageTask } from '../../../domain/jobs/pages.ts'
import type { Hold } from '../../../domain/teams/ledger.ts'
import { CrawlRequest } from '../../../spec/crawl.ts'
import { bodyRoom } from '../../body-room.ts'
import type { VisitedHost } from './bounds.ts'
import { jobMemory } from './memory.ts'
import { runPage } from './page.ts'
import type { WorkPorts } from '../ports.ts'

const url = 'http://site.test/hidden'
const task: PageTask = { job: 'j', team: 't', seq: 2, token: 'x', attempt: 1, postponed: 0, url, key: url, host: 'site.test', depth: 1, external: false }
const job = { id: 'j', kind: 'crawl', url: 'http://site.test/', request: JSON.stringify(CrawlRequest.parse({ url: 'http://site.test/' })), start: 'http://site.test/' } as Job // the fields that a page uses

/** Runs a page that robots.txt forbids: nothing is fetched, and its end is stored. */
async function run(more: Partial<PageTask>, { settle, signal = new AbortController().signal, fault, log = () => undefined, host = { hasAnswered: true, isSilent: () => false, nobodyAnswers: () => false, away: () => null } }: { readonly settle?: (end: PageEnd) => Promise<'settled'>; readonly signal?: AbortSignal; readonly fault?: Error; readonly log?: Call['log']; readonly host?: VisitedHost } = {}) {
  const done: string[] = []
  const ports = {
    ledger: {
      hold: async (_payer: unknown, ref: string) => (done.push(`hold ${ref}`), { ref, fence: 'own' }),
      release: async (team: string, { ref, fence }: Hold) => void done.push(`release ${team} ${ref} ${fence}`),
    },
    bodies: bodyRoom({ bytes: 1, largest: 1 }),
    features: new Set(), engines: [],
    jobs: { giveBack: async (_task: PageTask, { runAt, postponed }: { readonly runAt: number; readonly postponed?: boolean }) => void done.push(`again at ${runAt}${postponed === true ? ', postponed' : ''}`), settle: settle ?? (async ({ outcome }: PageEnd) => (done.push(JSON.stringify(outcome)), 'settled')) },
    robots: { of: async () => (signal.throwIfAborted(), fault === undefined ? undefined : await Promise.reject(fault), { robots: parseRobots(Buffer.from('User-agent: *\nDisallow: /hidden'), url), unreachable: null }), peek: () => null },
    newId: () => 'id',
    now: () => 0,
  } as unknown as WorkPorts // the ports that are used before fetching; fetching would fail
  const call: Call & { readonly stopped: AbortSignal } = { id: 'c', team: 't', signal, deadline: 1, retention: 'normal', log, stopped: signal }
  const known = await jobMemory({ find: async () => job }, () => null).of('j')
  if (known === null) throw new Error('no job')
  const ended = await runPage({ task: { ...task, ...more }, known, open: null, queuedMs: 0, host }, ports, call).catch((error: unknown) => String(error))
  return { done, ended }
}

describe('a page of a job', () => {
  it('is skipped without a hold if robots.txt forbids it', async () => {
    expect(await run({})).toEqual({ done: ['{"kind":"skipped","reason":"robots"}'], ended: { againInMs: null, answer: null, delivered: null } })
  })

  it('releases its own hold if it cannot be fetched', async () => {
    const { done } = await run({ url: 'http://site.test/open' })
    expect([done[0], JSON.parse(done[1] ?? ''), done[2]]).toEqual(['hold j/2', expect.objectContaining({ kind: 'failed' }), 'release t j/2 own'])
  })

  it('hands its hold to the transaction that writes its end', async () => {
    const ends: PageEnd[] = []
    const settle = async (end: PageEnd): Promise<'settled'> => (ends.push(end), 'settled')
    await run({ url: 'http://site.test/open' }, { settle })
    await run({}, { settle })
    expect(ends.map(({ outcome, held }) => [outcome.kind, held])).toEqual([['failed', { ref: 'j/2', fence: 'own' }], ['skipped', null]])
  })

  it('fails without another attempt after its end could not be written twelve times', async () => {
    const { done, ended } = await run({ attempt: 13 })
    expect([JSON.parse(done[0] ?? ''), ended]).toEqual([{ kind: 'failed', scrapeId: 'id', code: 'SCRAPE_RETRY_LIMIT', message: 'What became of the page could not be written 12 times.', charge: null }, { againInMs: null, answer: null, delivered: null }])
  })

  it('does not fail if the store is unavailable at its end: the error of the store is thrown', async () => {
    const { done, ended } = await run({}, { settle: async () => Promise.reject(new StoreAway(new Error('the store is away'))) })
    expect([done, ended]).toEqual([[], 'StoreAway: the store is away'])
  })

  it('is tried once more if the store can never hold its end, then fails with the reason', async () => {
    const twice = async (first: Error): Promise<readonly [unknown, unknown]> => {
      const written: PageEnd[] = []
      const settle = async (end: PageEnd): Promise<'settled'> => (end.outcome.kind === 'failed' ? (written.push(end), 'settled') : Promise.reject(first))
      const ended = [await run({}, { settle }), await run({ attempt: 2 }, { settle })].map((each) => each.ended)
      return [ended, written.map(({ outcome }) => outcome)]
    }
    const over = { againInMs: null, answer: null, delivered: null }
    const failed = { kind: 'failed', scrapeId: 'id', code: 'UNKNOWN_ERROR', message: 'The store cannot hold what became of the page.', charge: null }
    expect(await twice(new StoreRefusal(new Error('too big')))).toEqual([['StoreRefusal: too big', over], [failed]])
    expect(await twice(new StoreFault(new Error('disk full')))).toEqual([['Error: disk full', 'Error: disk full'], []])
  })

  it('does not fail by a store error before its end, but by an internal error', async () => {
    const [ofStore, ofOurs] = [await run({}, { fault: new StoreFault(new Error('too many clients')) }), await run({}, { fault: new Error('a fault of ours') })]
    expect([ofStore.done, ofStore.ended]).toEqual([[], 'Error: too many clients'])
    expect(JSON.parse(ofOurs.done[0] ?? '')).toMatchObject({ kind: 'failed', code: 'UNKNOWN_ERROR' })
  })

  it('is tried again after five, ten and twenty seconds while no proxy works, and only then fails', async () => {
    const fault = new ServiceError('SCRAPE_PROXY_SELECTION_ERROR')
    const waits = await Promise.all([0, 1, 2].map((postponed) => run({ postponed }, { fault })))
    expect(waits).toEqual([5_000, 10_000, 20_000].map((ms) => ({ done: [`again at ${ms}, postponed`], ended: { againInMs: ms, answer: null, delivered: null } })))
    const last = await run({ postponed: 3 }, { fault })
    expect(JSON.parse(last.done[0] ?? '')).toMatchObject({ kind: 'failed', code: 'SCRAPE_PROXY_SELECTION_ERROR' })
  })

  it('is tried again after five seconds and longer while our machine has no memory for it, for minutes', async () => {
    const fault = new ServiceError('OVERLOADED', 'no memory for another browser')
    const waits = await Promise.all([0, 1, 2, 3, 11].map(async (postponed) => (await run({ postponed }, { fault })).ended))
    expect(waits).toEqual([5_000, 10_000, 20_000, 30_000, 30_000].map((ms) => ({ againInMs: ms, answer: null, delivered: null })))
    const last = await run({ postponed: 12 }, { fault })
    expect(JSON.parse(last.done[0] ?? '')).toMatchObject({ kind: 'failed', code: 'OVERLOADED' })
  })

  describe('whose host answered before', () => {
    const away = (hold: number | null): VisitedHost => ({ hasAnswered: true, isSilent: () => false, nobodyAnswers: () => false, away: () => hold })
    const failed = (code: string): unknown => [expect.stringContaining(`"kind":"failed","scrapeId":"id","code":"${code}"`)]
    const refused = new ServiceError('SCRAPE_SITE_ERROR', 'no connection', { cause: new Unreachable('ECONNREFUSED', { host: 'Site.test.' }) })
    const broken = new ServiceError('SCRAPE_SITE_ERROR', 'broken off', { cause: new Error('ECONNRESET') })

    it('waits as long as the host does while that cannot be reached', async () => {
      for (const fault of [refused, new ServiceError('SCRAPE_DNS_RESOLUTION_ERROR', undefined, { cause: new Unreachable('ENOTFOUND', { host: 'site.test' }) })]) {
        expect(await run({ postponed: 11 }, { fault, host: away(16_000) })).toEqual({ done: ['again at 16000, postponed'], ended: { againInMs: 16_000, answer: null, delivered: null } })
        expect((await run({ postponed: 12 }, { fault, host: away(16_000) })).done).toEqual(failed(fault.code))
        expect((await run({}, { fault, host: away(null) })).done).toEqual(failed(fault.code))
      }
    })

    it('is tried three more times if its connection broke, a second later at first', async () => {
      const waits = await Promise.all([0, 1, 2, 3].map(async (postponed) => (await run({ postponed }, { fault: broken, host: away(1_000) })).done))
      expect(waits).toEqual([['again at 1000, postponed'], ['again at 2000, postponed'], ['again at 4000, postponed'], failed('SCRAPE_SITE_ERROR')])
      expect((await run({}, { fault: broken, host: away(8_000) })).done).toEqual(['again at 8000, postponed'])
    })

    it('is tried once more if that sent nobody anything within its timeout', async () => {
      const fault = new ServiceError('SCRAPE_TIMEOUT')
      const silent = { ...away(1_000), isSilent: () => true }
      expect((await run({}, { fault, host: silent })).done).toEqual(['again at 1000, postponed'])
      expect((await run({ postponed: 1 }, { fault, host: silent })).done).toEqual(failed('SCRAPE_TIMEOUT'))
      expect((await run({}, { fault, host: away(1_000) })).done).toEqual(failed('SCRAPE_TIMEOUT'))
    })

    it.each([
      ['the host never answered', refused, { ...away(1_000), hasAnswered: false }],
      ['it leads to another host that cannot be reached', new ServiceError('SCRAPE_SITE_ERROR', undefined, { cause: new Unreachable('ECONNREFUSED', { host: 'other.test' }) }), away(1_000)],
      ['its redirects do not end', new ServiceError('SCRAPE_SITE_ERROR', undefined, { cause: new EndlessRedirects() }), away(1_000)],
      ['it is we who refuse what was answered', new ServiceError('SCRAPE_SITE_ERROR'), away(1_000)],
    ] as const)('fails at once if %s', async (_, fault, host) => {
      expect((await run({}, { fault, host })).done).toEqual(failed(fault.code))
    })
  })

  it('waits for our own network, longer if nobody else is answered either', async () => {
    const fault = new ServiceError('SCRAPE_DNS_RESOLUTION_ERROR', undefined, { cause: new Unreachable('EAI_AGAIN', { host: 'site.test', cutOff: true }) })
    const host = { hasAnswered: false, isSilent: () => true, nobodyAnswers: () => true, away: () => null }
    const waits = await Promise.all([0, 1, 4, 5, 11, 12].map(async (postponed) => (await run({ postponed }, { fault, host })).done[0]?.slice(0, 16)))
    expect(waits).toEqual(['again at 1000, p', 'again at 2000, p', 'again at 16000, ', 'again at 30000, ', 'again at 30000, ', '{"kind":"failed"'])
    const amongOthers = await Promise.all([2, 3].map(async (postponed) => (await run({ postponed }, { fault, host: { ...host, nobodyAnswers: () => false } })).done[0]?.slice(0, 16)))
    expect(amongOthers).toEqual(['again at 4000, p', '{"kind":"failed"'])
    expect((await run({ seq: 1 }, { fault, host })).done).toEqual([expect.stringContaining('"code":"SCRAPE_DNS_RESOLUTION_ERROR"')])
  })

  it('says in the log why it waits', async () => {
    const lines: unknown[] = []
    await run({ postponed: 1 }, { fault: new ServiceError('SCRAPE_PROXY_SELECTION_ERROR'), log: (...line) => void lines.push(line) })
    expect(lines).toEqual([['page-postponed', { page: 2, why: 'SCRAPE_PROXY_SELECTION_ERROR', ms: 10_000 }]])
  })

  it('writes nothing if it is aborted', async () => {
    const { done, ended } = await run({}, { signal: AbortSignal.abort(new Error('worker stops')) })
    expect([done, ended]).toEqual([[], 'Error: worker stops'])
  })
})
