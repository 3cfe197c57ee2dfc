import { describe, expect, it } from 'vitest'
import type { Order } from '../domain/pages/capture.ts'
import type { Call } from '../domain/call.ts'
import { ServiceError } from '../domain/errors.ts'
import type { FetchAnswer, Fetcher, FetchRequest } from '../domain/fetching/fetcher.ts'
import { httpEngine } from './http.ts'

const call: Call = { id: 'call', team: 'team', signal: new AbortController().signal, deadline: 9_000, retention: 'normal', log: () => {} }
const order: Order = { url: 'http://a.test/', headers: { 'X-A': '1' }, languages: ['fr'], skipTlsVerification: false }
const answer: FetchAnswer = {
  url: 'http://a.test/end', status: 404, headers: [['x-b', '2']], body: new Uint8Array([1, 2]), truncated: true, tlsVerified: false,
}

function engineOver(fetch: Fetcher['fetch']) {
  return httpEngine({ fetch, close: async () => {} }, { maxBytes: 50, clock: { now: () => 1_234 } })
}

describe('the http engine', () => {
  it('can only fetch', () => {
    const { name, can, cost } = engineOver(async () => answer)
    expect({ name, can: [...can], cost }).toEqual({ name: 'http', can: [], cost: 1 })
  })

  it('returns the answer of the fetcher, whatever the status', async () => {
    const asked: [FetchRequest, Call][] = []
    const engine = engineOver(async (...args) => (asked.push(args), answer))
    expect(await engine.fetch(order, call)).toEqual({
      kind: 'captured',
      capture: { ...answer, requestedUrl: 'http://a.test/', engine: 'http', proxy: 'basic', at: 1_234 },
    })
    expect(asked).toEqual([[{ ...order, maxBytes: 50, tier: 'basic', wants: expect.any(Function) }, call]])
  })

  it('fetches in the tier and country of the order, and reports them', async () => {
    const asked: FetchRequest[] = []
    const engine = httpEngine({ fetch: async (request) => (asked.push(request), answer), close: async () => {} }, { maxBytes: 50, clock: { now: () => 1 }, enhanced: true })
    const fetched = await engine.fetch({ ...order, tier: 'enhanced', country: 'DE' }, call)
    expect([[...engine.can], asked[0]?.tier, asked[0]?.country, fetched.kind === 'captured' && fetched.capture.proxy]).toEqual([['enhanced-proxy'], 'enhanced', 'DE', 'enhanced'])
  })

  it('sends a conditional request, and returns that the page is unmodified', async () => {
    const asked: FetchRequest[] = []
    const unless = { url: 'http://a.test/end', etag: '"a"', lastModified: undefined }
    const engine = engineOver(async (request) => (asked.push(request), { ...answer, status: 304, headers: [['etag', 'W/"a"']], body: new Uint8Array() }))
    expect(await engine.fetch({ ...order, unless }, call)).toEqual({
      kind: 'unmodified',
      capture: { requestedUrl: 'http://a.test/', url: 'http://a.test/end', headers: [['etag', 'W/"a"']], engine: 'http', proxy: 'basic', tlsVerified: false, at: 1_234 },
    })
    expect(asked).toEqual([{ ...order, maxBytes: 50, tier: 'basic', wants: expect.any(Function), unless }])
  })

  const unless = { url: 'http://a.test/end', etag: '"a"', lastModified: undefined }
  it.each([
    ['says that another page was not modified', { ...order, unless }, { status: 304, headers: [['etag', '"b"']] }],
    ['redirects to what was not modified', { ...order, unless }, { status: 304, url: 'http://a.test/elsewhere' }],
    ['takes the condition for one that must hold', { ...order, unless }, { status: 412 }],
    ['says without being asked that nothing was modified', order, { status: 304 }],
  ] as [string, Order, Partial<FetchAnswer>][])('repeats the request without a condition if a site %s', async (_name, wanted, broken) => {
    const asked: FetchRequest[] = []
    const engine = engineOver(async (request) => (asked.push(request), asked.length === 1 ? { ...answer, ...broken } : answer))
    expect(await engine.fetch(wanted, call)).toMatchObject({ kind: 'captured', capture: { status: 404 } })
    expect(asked.map((request) => request.unless)).toEqual([wanted.unless, undefined])
    const stubborn = engineOver(async (request) => (asked.push(request), { ...answer, ...broken }))
    expect(await stubborn.fetch(wanted, call)).toMatchObject({ kind: 'captured', capture: { status: broken.status } })
    expect(asked.length).toBe(4)
  })

  it('returns a 304 unchanged if the caller set the condition', async () => {
    let asked = 0
    const engine = engineOver(async () => (asked++, { ...answer, status: 304 }))
    expect(await engine.fetch({ ...order, headers: { 'if-NONE-match': '"x"' } }, call)).toMatchObject({ kind: 'captured', capture: { status: 304 } })
    expect(asked).toBe(1)
  })

  it('passes on failures of the fetcher', async () => {
    const failure = new ServiceError('SCRAPE_SITE_ERROR')
    const engine = engineOver(() => Promise.reject(failure))
    await expect(engine.fetch(order, call)).rejects.toBe(failure)
  })
})
