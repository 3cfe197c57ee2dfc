import { createHmac } from 'node:crypto'
import type { RequestListener, ServerResponse } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bodyRoom } from '../../src/app/body-room.ts'
import type { Outbox } from '../../src/domain/jobs/outbox.ts'
import { loadConfig } from '../../src/main/settings/config.ts'
import { type Webhooks, webhooks } from '../../src/main/parts/webhooks.ts'
import { ownEndpoints } from '../../src/net/index.ts'
import { addRun, eventOf, type FakeOutbox, fakeOutbox, jobTo } from '../fake-outbox.ts'
import { memoryBlobs } from '../fakes.ts'
import { site } from '../net/servers.ts'

// All of the service's webhooks except the store: real receivers, the real client and egress guard, and settings as
// operators write them.

interface Got {
  readonly id: string
  readonly type: string
  readonly body: Buffer
  readonly headers: NodeJS.Dict<string | string[]>
}

interface Hook {
  readonly url: string
  readonly port: number
  readonly got: Got[]
}

/** A receiver that records its deliveries; by default it answers 200. */
async function hook(answer: (got: Got, response: ServerResponse) => void = (_, response) => void response.end()): Promise<Hook> {
  const got: Got[] = []
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const { webhookId, type } = JSON.parse(body.toString()) as { webhookId: string; type: string } // a delivery of the service
      const one = { id: webhookId, type, body, headers: request.headers }
      got.push(one)
      answer(one, response)
    })
  }
  const port = await site(listener)
  return { url: `http://127.0.0.1:${port}/hook`, port, got }
}

function startedOver(outbox: FakeOutbox, settings: Readonly<Record<string, string>> = {}, port: Outbox = outbox): Webhooks & { readonly log: string[] } {
  const log: string[] = []
  const all = { TRAWL_WEBHOOK_ALLOW_PRIVATE_ADDRESSES: '127.0.0.1', TRAWL_WEBHOOK_SECRET: 'hush', TRAWL_WEBHOOK_RETRY_SCHEDULE_MS: '1,1,1', ...settings }
  const hooks = webhooks(loadConfig(all), {
    outbox: port, blobs: memoryBlobs(), bodies: bodyRoom({ bytes: 100_000_000, largest: 0 }), out: { own: ownEndpoints() }, clock: { now: Date.now }, onChange: outbox.onChange, secretOf: () => null,
    log: (_, event, fields) => void log.push([event, ...Object.values(fields ?? {})].join(' ')),
  })
  hooks.pump.start()
  onTestFinished(async () => {
    await hooks.pump.stop(0)
    hooks.close()
  })
  return { ...hooks, log }
}

const until = (condition: () => unknown): Promise<unknown> => expect.poll(condition, { timeout: 10_000, interval: 5 }).toBeTruthy()
const settled = (outbox: FakeOutbox): Promise<unknown> => until(() => outbox.rows().every(({ state }) => state !== 'waiting'))
const statesOf = (outbox: FakeOutbox): string[] => outbox.rows().map(({ state }) => state)

describe('the deliveries of a job', () => {
  it('start with started and end with completed, with each page between them once', async () => {
    const outbox = fakeOutbox()
    const receiver = await hook()
    startedOver(outbox)
    addRun(outbox, jobTo(receiver.url), 20)
    await settled(outbox)
    expect(receiver.got.map(({ type }) => type)).toEqual(['crawl.started', ...Array.from({ length: 20 }, () => 'crawl.page'), 'crawl.completed'])
    expect(new Set(receiver.got.map(({ id }) => id)).size).toBe(22)
  })

  it('are signed over the bytes that arrive, with both headers', async () => {
    const outbox = fakeOutbox()
    const receiver = await hook()
    startedOver(outbox)
    addRun(outbox, jobTo(receiver.url, { metadata: { note: 'ü \u2028' }, headers: { 'X-Service-Signature': 'forged', 'x-mine': '1' } }), 1)
    await settled(outbox)
    expect(receiver.got).toHaveLength(3)
    for (const { body, headers } of receiver.got) {
      const value = `sha256=${createHmac('sha256', 'hush').update(body).digest('hex')}`
      expect(headers).toMatchObject({ 'x-service-signature': value, 'x-firecrawl-signature': value, 'x-mine': '1', 'content-type': 'application/json' })
    }
  })

  it("cannot be forged by the job's owner when signing is off", async () => {
    const outbox = fakeOutbox()
    const receiver = await hook()
    startedOver(outbox, { TRAWL_WEBHOOK_SECRET: '' })
    addRun(outbox, jobTo(receiver.url, { headers: { 'X-Service-Signature': 'forged', 'Webhook-Signature': 'forged' } }), 0)
    await settled(outbox)
    expect(receiver.got.map(({ headers }) => [headers['x-service-signature'], headers['webhook-signature']])).toEqual([[undefined, undefined], [undefined, undefined]])
  })

  it('contain the subscribed events only', async () => {
    const outbox = fakeOutbox()
    const receiver = await hook()
    startedOver(outbox)
    addRun(outbox, jobTo(receiver.url, { events: ['completed'] }), 3)
    await settled(outbox)
    expect(receiver.got.map(({ type }) => type)).toEqual(['crawl.completed'])
  })
})

describe('a receiver', () => {
  it('that hangs delays no other', async () => {
    const outbox = fakeOutbox()
    const dead = await hook(() => undefined)
    const alive = await hook()
    startedOver(outbox)
    const stuck = jobTo(dead.url)
    for (let n = 1; n <= 30; n++) outbox.add(stuck, eventOf(stuck, n, 'page'))
    await until(() => dead.got.length === 4)
    addRun(outbox, jobTo(alive.url), 30)
    await until(() => alive.got.length === 32)
    // The hanging receiver still holds its first four and has been sent no more.
    expect(dead.got).toHaveLength(4)
    expect(outbox.rows().filter(({ job }) => job === stuck.id).every(({ state }) => state === 'waiting')).toBe(true)
  })

  it('that fails gets the same bytes under the same id again', async () => {
    const outbox = fakeOutbox()
    const receiver = await hook((_, response) => void response.writeHead(receiver.got.length < 3 ? 500 : 200).end())
    startedOver(outbox)
    const job = jobTo(receiver.url)
    outbox.add(job, eventOf(job, 1, 'started'))
    await settled(outbox)
    expect(receiver.got).toHaveLength(3)
    expect(new Set(receiver.got.map(({ body }) => body.toString('hex'))).size).toBe(1)
    expect(outbox.rows()).toMatchObject([{ state: 'delivered', attempts: 3 }])
  })

  it('that always fails is given up at the end of the schedule, and tried again on demand', async () => {
    const outbox = fakeOutbox()
    let well = false
    const receiver = await hook((_, response) => void response.writeHead(well ? 200 : 503).end())
    const { log } = startedOver(outbox)
    const job = jobTo(receiver.url)
    outbox.add(job, eventOf(job, 1, 'started'))
    await settled(outbox)
    expect(outbox.rows()).toMatchObject([{ state: 'given-up', attempts: 4, reason: 'The receiver answered with status 503.' }])
    expect(log.at(-1)).toBe(`webhook-given-up ${job.id}-event-1 ${job.id} started 4 The receiver answered with status 503.`)
    well = true
    expect(await outbox.redeliver({ job: job.id }, Date.now())).toBe(1)
    await settled(outbox)
    expect(statesOf(outbox)).toEqual(['delivered'])
    expect(new Set(receiver.got.map(({ body }) => body.toString('hex'))).size).toBe(1)
    expect(receiver.got).toHaveLength(5)
  })

  it('that answers 410 gets no more of that job, but all of another', async () => {
    const outbox = fakeOutbox()
    const gone = jobTo('http://127.0.0.1/')
    const receiver = await hook((got, response) => void response.writeHead(got.id.startsWith(`${gone.id}-`) ? 410 : 200).end())
    const ended = { ...gone, webhook: jobTo(receiver.url).webhook }
    startedOver(outbox)
    addRun(outbox, ended, 5)
    const other = jobTo(receiver.url)
    addRun(outbox, other, 5)
    await settled(outbox)
    expect(statesOf(outbox)).toEqual([...Array.from({ length: 7 }, () => 'stopped'), ...Array.from({ length: 7 }, () => 'delivered')])
    expect(receiver.got.filter(({ id }) => id.startsWith(`${gone.id}-`))).toHaveLength(1)
  })

  it('that redirects causes no delivery elsewhere', async () => {
    const outbox = fakeOutbox()
    const elsewhere = await hook()
    const receiver = await hook((_, response) => void response.writeHead(302, { location: elsewhere.url }).end())
    startedOver(outbox, { TRAWL_WEBHOOK_RETRY_SCHEDULE_MS: 'off' })
    addRun(outbox, jobTo(receiver.url), 0)
    await settled(outbox)
    expect([statesOf(outbox), elsewhere.got]).toEqual([['given-up', 'given-up'], []])
  })
})

describe('a private receiver', () => {
  it('is only reachable if the allow-list for webhooks covers it', async () => {
    const outbox = fakeOutbox()
    const receiver = await hook()
    const open = await hook()
    const { assertReceiver } = startedOver(outbox, { TRAWL_ALLOW_PRIVATE_ADDRESSES: '127.0.0.1', TRAWL_WEBHOOK_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${open.port}`, TRAWL_WEBHOOK_RETRY_SCHEDULE_MS: 'off' })
    await expect(assertReceiver({ url: receiver.url, headers: {} }, new AbortController().signal)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await assertReceiver({ url: open.url, headers: {} }, new AbortController().signal)
    addRun(outbox, jobTo(receiver.url), 0)
    await settled(outbox)
    expect(receiver.got).toEqual([])
    expect(outbox.rows().map(({ state, reason }) => [state, reason])).toEqual([['given-up', 'The address of the receiver is not allowed.'], ['given-up', 'The address of the receiver is not allowed.']])
  })
})

describe('two processes of a fleet', () => {
  it('deliver each event once, and send no more to a receiver at once than one process would', async () => {
    const outbox = fakeOutbox()
    let now = 0
    let most = 0
    const receiver = await hook((_, response) => {
      most = Math.max(most, ++now)
      setImmediate(() => (now--, response.end()))
    })
    startedOver(outbox)
    startedOver(outbox)
    addRun(outbox, jobTo(receiver.url), 40)
    await settled(outbox)
    expect([receiver.got.length, new Set(receiver.got.map(({ id }) => id)).size]).toEqual([42, 42])
    expect(most).toBeLessThanOrEqual(4)
  })
})

describe('a kill during deliveries', () => {
  it('repeats at most those in flight, under the same id', async () => {
    const outbox = fakeOutbox()
    let held = true
    const receiver = await hook((_, response) => void (held && receiver.got.length > 8 ? undefined : response.end()))
    let killed = false
    const port: Outbox = {
      ...outbox,
      take: (...args) => (killed ? Promise.resolve([]) : outbox.take(...args)),
      attempted: (...args) => (killed ? Promise.resolve(false) : outbox.attempted(...args)),
    }
    startedOver(outbox, {}, port)
    addRun(outbox, jobTo(receiver.url), 20)
    await until(() => receiver.got.length === 12)
    killed = true
    held = false
    const inFlight = receiver.got.slice(8).map(({ id }) => id)
    startedOver(outbox)
    outbox.crash()
    await settled(outbox)
    const bodies = new Map(receiver.got.map(({ id, body }) => [id, body.toString('hex')]))
    expect(bodies.size).toBe(22)
    const repeated = receiver.got.filter(({ id }, at) => receiver.got.findIndex((one) => one.id === id) !== at)
    expect(repeated.map(({ id }) => id).sort()).toEqual([...inFlight].sort())
    for (const { id, body } of receiver.got) expect(body.toString('hex')).toBe(bodies.get(id))
    expect(receiver.got.at(-1)?.type).toBe('crawl.completed')
  })
})

describe('the default receiver', () => {
  it('is that of the settings, for all events', () => {
    const hooks = startedOver(fakeOutbox(), { TRAWL_WEBHOOK_DEFAULT_URL: 'https://r.test/hook' })
    expect(hooks.fallback).toEqual({ url: 'https://r.test/hook', headers: {}, metadata: {}, events: ['started', 'page', 'completed', 'failed', 'cancelled'] })
    expect(() => startedOver(fakeOutbox(), { TRAWL_WEBHOOK_DEFAULT_URL: 'r.test' })).toThrow('TRAWL_WEBHOOK_DEFAULT_URL must be an http or https URL.')
  })
})

describe('the log', () => {
  it('contains nothing that a webhook may keep secret', async () => {
    const outbox = fakeOutbox()
    const receiver = await hook((_, response) => void response.writeHead(500).end('hush-answer'))
    const { log } = startedOver(outbox)
    addRun(outbox, jobTo(`${receiver.url}?token=hush-url`, { headers: { 'X-Key': 'hush-header' }, metadata: { key: 'hush-metadata' } }), 1)
    await settled(outbox)
    expect(log.length).toBeGreaterThan(0)
    expect(JSON.stringify([log, outbox.rows().map(({ reason }) => reason)])).not.toMatch(/hush|127\.0\.0\.1/)
  })
})
