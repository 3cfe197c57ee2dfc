import { afterEach, describe, expect, it, vi } from 'vitest'
import { memoryBlobs } from '../../../test/fakes.ts'
import { eventOf, jobTo } from '../../../test/fake-outbox.ts'
import type { JobEvent } from '../../domain/jobs/events.ts'
import type { Job } from '../../domain/jobs/job.ts'
import type { Attempted, Delivery } from '../../domain/jobs/outbox.ts'
import type { Receipt, WebhookMessage } from '../../domain/webhooks.ts'
import { bodyRoom } from '../body-room.ts'
import { deliver, type DeliverPorts } from './deliver.ts'

const job = jobTo('http://r.test/hook', { headers: { 'X-Mine': '1' } })
const delivery = (attempt: number, event: JobEvent = eventOf(job, 1, 'started')): Delivery => ({ id: event.id, team: 'team', job, event, attempt, token: 't' })
const never = new AbortController().signal

function portsWith(receipt: Receipt, sent: WebhookMessage[] = []): DeliverPorts {
  const post = async (message: WebhookMessage): Promise<Receipt> => {
    sent.push(message)
    return receipt
  }
  return { client: { post }, blobs: memoryBlobs(), bodies: bodyRoom({ bytes: 1_000_000, largest: 0 }), signing: { secret: 'hush', headers: ['X-Service-Signature'], standard: false }, secretOf: () => null, schedule: [10, 50, 150], now: () => 1_000 }
}
/** The same, where the store of blobs never answers. */
const silent = (): DeliverPorts => ({ ...portsWith(answer(200)), blobs: { ...memoryBlobs(), get: () => new Promise(() => undefined) } })
const pageEvent: JobEvent = { ...eventOf(job, 2, 'page'), failure: null, page: { seq: 1, scrapeId: 's', url: 'u', blob: 'b', frame: '{}', bytes: 1, at: 1_000 } }
const answer = (status: number, retryAfter?: string): Receipt => ({ kind: 'answer', status, ...(retryAfter === undefined ? {} : { retryAfter }) })

describe('an attempt at a delivery', () => {
  afterEach(() => void vi.useRealTimers())

  it.each<[string, Receipt, Attempted]>([
    ['delivered with 200', answer(200), { kind: 'delivered', status: 200 }],
    ['delivered with any other 2xx', answer(299), { kind: 'delivered', status: 299 }],
    ['the last of its job with 410', answer(410), { kind: 'stopped', reason: 'The receiver answered with status 410: it wants no more of this job.' }],
    ['repeated with 404', answer(404), { kind: 'again', runAt: 1_010, reason: 'The receiver answered with status 404.' }],
    ['repeated with 500', answer(500), { kind: 'again', runAt: 1_010, reason: 'The receiver answered with status 500.' }],
    ['repeated with the least status of redirects', answer(300), { kind: 'again', runAt: 1_010, reason: 'The receiver answered with status 300, and redirects are not followed.' }],
    ['repeated with the least status beyond them', answer(400), { kind: 'again', runAt: 1_010, reason: 'The receiver answered with status 400.' }],
    ['repeated with a redirect', answer(302), { kind: 'again', runAt: 1_010, reason: 'The receiver answered with status 302, and redirects are not followed.' }],
    ['repeated with what is no redirect', answer(304), { kind: 'again', runAt: 1_010, reason: 'The receiver answered with status 304.' }],
    ['repeated with no answer', { kind: 'none', why: 'timeout' }, { kind: 'again', runAt: 1_010, reason: 'The receiver did not answer in time.' }],
    ['repeated at a forbidden address', { kind: 'none', why: 'forbidden' }, { kind: 'again', runAt: 1_010, reason: 'The address of the receiver is not allowed.' }],
  ])('is %s', async (_, receipt, outcome) => {
    expect(await deliver(delivery(1), portsWith(receipt), never)).toEqual(outcome)
  })

  it('is retried by the schedule, then given up', async () => {
    const outcomes = await Promise.all([1, 2, 3, 4].map((attempt) => deliver(delivery(attempt), portsWith(answer(503)), never)))
    const reason = 'The receiver answered with status 503.'
    expect(outcomes).toEqual([
      { kind: 'again', runAt: 1_010, reason },
      { kind: 'again', runAt: 1_050, reason },
      { kind: 'again', runAt: 1_150, reason },
      { kind: 'given-up', reason },
    ])
  })

  it.each<[string, Receipt, number | null, number?]>([
    ['the seconds that the receiver asks for', answer(429, '120'), 121_000],
    ['the time that it names', answer(503, 'Thu, 01 Jan 1970 00:00:31 GMT'), 31_000],
    ['what the schedule says where that is later', answer(503, '0'), 1_010],
    ['what the schedule says where that is nonsense', answer(429, 'soon'), 1_010],
    ['an hour at most', answer(429, '999999'), 3_601_000],
    ['no more after the last attempt', answer(429, '120'), null, 4],
  ])('that failed waits for %s', async (_, receipt, runAt, attempt = 1) => {
    expect(await deliver(delivery(attempt), portsWith(receipt), never)).toMatchObject(runAt === null ? { kind: 'given-up' } : { kind: 'again', runAt })
  })

  it('that failed waits for the schedule where that is longer than the receiver asks for', async () => {
    const ports = { ...portsWith(answer(429, '120')), schedule: [200_000] }
    expect(await deliver(delivery(1), ports, never)).toMatchObject({ kind: 'again', runAt: 201_000, pauseUntil: 121_000 })
  })

  it.each([[answer(429, '120'), 121_000], [answer(503, '999999'), 3_601_000], [answer(429), null], [answer(429, 'soon'), null]])('reports how long its receiver wants no requests: %j', async (receipt, until) => {
    const outcome = await deliver(delivery(1), portsWith(receipt), never)
    expect('pauseUntil' in outcome ? outcome.pauseUntil : null).toBe(until)
  })

  it('sends the same bytes under the same id every time, signed', async () => {
    const sent: WebhookMessage[] = []
    await deliver(delivery(1), portsWith(answer(503), sent), never)
    await deliver(delivery(2), portsWith(answer(200), sent), never)
    expect(sent[0]).toEqual(sent[1])
    expect(sent[0]).toMatchObject({ url: 'http://r.test/hook', headers: { 'X-Mine': '1' }, signature: { 'X-Service-Signature': expect.stringMatching(/^sha256=[0-9a-f]{64}$/) as string } }) // an asymmetric matcher
  })

  it("is signed with the team's own secret, if it has one", async () => {
    const sent: WebhookMessage[] = []
    const signing = { secret: 'hush', headers: ['X-Service-Signature'], standard: false }
    await deliver(delivery(1), { ...portsWith(answer(200), sent), signing, secretOf: (team) => `${team}'s` }, never)
    await deliver(delivery(1), { ...portsWith(answer(200), sent), signing: { ...signing, secret: "team's" } }, never)
    await deliver(delivery(1), { ...portsWith(answer(200), sent), signing }, never)
    const [own, same, shared] = sent.map(({ signature }) => signature['X-Service-Signature'])
    expect([own === same, own === shared]).toEqual([true, false])
  })

  it('that a stop aborts is due again at once', async () => {
    const ports: DeliverPorts = { ...portsWith(answer(200)), client: { post: async () => Promise.reject(new Error('stop')) } }
    expect(await deliver(delivery(4), ports, never)).toEqual({ kind: 'again', counted: false, runAt: 1_000, reason: 'The service stopped.' })
  })

  it('whose event cannot be read does not count against the receiver, and reveals no internals', async () => {
    const ports: DeliverPorts = { ...portsWith(answer(200)), blobs: { ...memoryBlobs(), get: async () => Promise.reject(new Error('/var/secret')) } }
    expect(await deliver(delivery(9, pageEvent), ports, never)).toEqual({ kind: 'again', counted: false, runAt: 61_000, reason: 'The event could not be read: Error.' })
  })

  it('for which this machine has no socket does not count against the receiver', async () => {
    expect(await deliver(delivery(9), portsWith({ kind: 'none', why: 'roomless' }), never)).toEqual({ kind: 'again', counted: false, runAt: 61_000, reason: 'The machine has no room for another connection.' })
  })

  it('whose event is not read in time ends before its lease does, and does not count', async () => {
    vi.useFakeTimers()
    const ended = vi.fn()
    void deliver(delivery(1, pageEvent), silent(), never).then(ended)
    await vi.advanceTimersByTimeAsync(19_999)
    expect(ended).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(ended.mock.calls).toEqual([[{ kind: 'again', counted: false, runAt: 1_010, reason: 'The event could not be read: TimeoutError.' }]])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('that a stop aborts while its event is read is due again at once', async () => {
    const stop = new AbortController()
    const attempt = deliver(delivery(1, pageEvent), silent(), stop.signal)
    stop.abort(new Error('stop'))
    expect(await attempt).toEqual({ kind: 'again', counted: false, runAt: 1_000, reason: 'The service stopped.' })
  })

  it('whose event is large counts until it is sent, and is made later where there is no memory for it', async () => {
    const bodies = bodyRoom({ bytes: 4_000_000, largest: 0 })
    const seen: number[] = []
    const look = <T>(found: T): T => {
      seen.push(bodies.load().bytes)
      return found
    }
    const own: Job = { ...job, retention: 'zero' }
    const event: JobEvent = { ...pageEvent, page: pageEvent.page && { ...pageEvent.page, bytes: 1_000_000 } }
    const sent: WebhookMessage[] = []
    const usual = portsWith(answer(200), sent)
    const ports: DeliverPorts = { ...usual, bodies, blobs: { ...memoryBlobs(), get: async () => look(null) }, client: { post: async (...asked) => look(await usual.client.post(...asked)) } }
    expect(await deliver({ ...delivery(1, event), job: own }, ports, never)).toMatchObject({ kind: 'delivered' })
    expect([seen, bodies.load().bytes]).toEqual([[3_000_000, sent[0]?.body.length], 0])
    vi.useFakeTimers()
    await bodies.open('others').take(2_000_000, never)
    const waiting = deliver({ ...delivery(1, event), job: own }, ports, never)
    await vi.advanceTimersByTimeAsync(20_000)
    expect([await waiting, sent.length, bodies.load()]).toEqual([{ kind: 'again', counted: false, runAt: 1_010, reason: 'The event could not be read: TimeoutError.' }, 1, { bytes: 2_000_000, waiting: 0 }])
  })

  it.each<[string, number, Partial<Job>, Attempted, number]>([
    ['is looked for again for a quarter of an hour', 900_999, {}, { kind: 'again', counted: false, runAt: 901_009, reason: 'The event could not be read: MissingPage.' }, 0],
    ['is said to be gone after that', 901_000, {}, { kind: 'delivered', status: 200 }, 1],
    ['is said to be gone at once where it may be erased at any time', 1_000, { retention: 'zero' }, { kind: 'delivered', status: 200 }, 1],
  ])('whose page is not found %s', async (_, now, terms, outcome, count) => {
    const sent: WebhookMessage[] = []
    const own = { ...job, ...terms }
    const page = { seq: 1, scrapeId: 's', url: 'u', blob: '0'.repeat(64), frame: '{}', bytes: 1, at: 1_000 }
    const event: JobEvent = { ...eventOf(own, 2, 'page'), at: 1_000, failure: null, page }
    expect(await deliver({ ...delivery(1, event), job: own }, { ...portsWith(answer(200), sent), now: () => now }, never)).toEqual(outcome)
    expect(sent.map(({ body }) => JSON.parse(Buffer.from(body).toString()).error)).toEqual(Array.from({ length: count }, () => 'The page is no longer kept.'))
  })
})
