import { describe, expect, it } from 'vitest'
import { ServiceError, Unreachable } from '../../../domain/errors.ts'
import type { Collected } from '../../scrape/ports.ts'
import type { PageVisit, VisitedHost } from './bounds.ts'
import { waitAfter, waitAfterAnswer } from './wait.ts'

interface Answer {
  readonly status?: number
  readonly verdict?: string
  readonly found?: object | null
}
/** A page as far as it is looked at here. */
const answered = ({ status = 200, verdict = 'ok', found = null }: Answer): Collected => ({ acquired: { capture: { status, engine: 'http' }, found }, page: { facts: { verdict, scriptDemand: null } } }) as unknown as Collected

describe('a page whose site says "not now"', () => {
  const wait = (answer: Answer, postponed = 0, holdMs = 0): unknown => waitAfterAnswer(answered(answer), { postponed }, holdMs)

  it('is asked for again after one, two and four seconds; what comes after that is the page', () => {
    expect([0, 1, 2, 3].map((postponed) => wait({ status: 503 }, postponed))).toEqual([...[1_000, 2_000, 4_000].map((againInMs) => ({ againInMs, why: 'status 503' })), null])
  })

  it('is asked for again when the site wants that, within ten minutes', () => {
    expect([7_000, 600_000, 86_400_000].map((holdMs) => wait({ status: 429 }, 2, holdMs))).toEqual([7_000, 600_000, 600_000].map((againInMs) => ({ againInMs, why: 'status 429' })))
    expect(wait({ status: 429 }, 3, 7_000)).toBeNull()
  })

  it('is asked for twice more if it is empty', () => {
    expect([0, 1, 2].map((postponed) => wait({ verdict: 'empty' }, postponed))).toEqual([{ againInMs: 1_000, why: 'overwhelmed' }, { againInMs: 2_000, why: 'overwhelmed' }, null])
  })

  it('is taken as it is from the cache', () => {
    expect([wait({ status: 503, found: {} }), wait({ verdict: 'empty', found: {} })]).toEqual([null, null])
  })

  it('is not waited for if it says anything else', () => {
    expect([{}, { status: 404 }, { status: 500 }, { status: 403, verdict: 'challenge' }].map((answer) => wait(answer, 0, 5_000))).toEqual([null, null, null, null])
  })
})

describe('a page that failed', () => {
  interface Visit {
    readonly seq?: number
    readonly postponed?: number
    readonly crawl?: object | null
    readonly host?: Partial<VisitedHost>
  }
  const told: string[] = []
  /** How long it waits, and what its host was reported for. */
  const waits = (error: unknown, { seq = 2, postponed = 0, crawl = {}, host = {} }: Visit = {}): unknown => {
    const visited: VisitedHost = { hasAnswered: true, isSilent: () => true, nobodyAnswers: () => false, away: (kind) => (told.push(kind), 15_000), ...host }
    const visit = { task: { url: 'http://site.test/a', seq, postponed }, known: { crawl }, host: visited } as unknown as PageVisit // what is looked at here
    return [waitAfter(error, visit), ...told.splice(0)]
  }
  const timeout = new ServiceError('SCRAPE_TIMEOUT')
  const gone = new ServiceError('SCRAPE_SITE_ERROR', undefined, { cause: new Unreachable('refused', { host: 'site.test' }) })
  const cutOff = new ServiceError('SCRAPE_SITE_ERROR', undefined, { cause: new Unreachable('no route', { cutOff: true }) })

  it('waits with its host, which is said to be away or mute', () => {
    expect([waits(gone), waits(gone, { postponed: 11 }), waits(gone, { postponed: 12 })]).toEqual([[15_000, 'away'], [15_000, 'away'], [null]])
    expect([waits(timeout), waits(timeout, { postponed: 1 })]).toEqual([[15_000, 'mute'], [null]])
    expect(waits(gone, { host: { away: () => null } })).toEqual([null])
  })

  it('does not wait for a host that never answered, that answers others, or for any other error', () => {
    expect([waits(gone, { host: { hasAnswered: false } }), waits(timeout, { host: { isSilent: () => false } })]).toEqual([[null], [null]])
    const others = (['FORBIDDEN', 'SCRAPE_ACTION_ERROR', 'SCRAPE_SSL_ERROR', 'SCRAPE_UNSUPPORTED_FILE_ERROR'] as const).map((code) => waits(new ServiceError(code)))
    expect([...others, waits(new Error('own fault'))]).toEqual(Array.from({ length: 5 }, () => [null]))
  })

  it('waits for our own network, but the first page of a crawl fails at once', () => {
    const unanswered = { hasAnswered: false, nobodyAnswers: () => true }
    expect([waits(cutOff, { host: { hasAnswered: false } }), waits(cutOff, { host: { hasAnswered: false }, postponed: 3 })]).toEqual([[1_000], [null]])
    expect([waits(cutOff, { host: unanswered, postponed: 3 }), waits(cutOff, { host: unanswered, postponed: 11 }), waits(cutOff, { host: unanswered, postponed: 12 })]).toEqual([[8_000], [30_000], [null]])
    expect([waits(cutOff, { host: unanswered, seq: 1 }), waits(cutOff, { host: unanswered, seq: 1, crawl: null })]).toEqual([[null], [1_000]])
  })

  it('waits for memory, for the profile and for a proxy', () => {
    for (const code of ['OVERLOADED', 'PROFILE_LOCKED', 'SCRAPE_PROXY_SELECTION_ERROR'] as const) expect([waits(new ServiceError(code)), waits(new ServiceError(code), { postponed: 2 })]).toEqual([[5_000], [20_000]])
    expect([waits(new ServiceError('OVERLOADED'), { postponed: 11 }), waits(new ServiceError('PROFILE_LOCKED'), { postponed: 3 })]).toEqual([[30_000], [null]])
  })
})
