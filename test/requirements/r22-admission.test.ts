import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loopCpuMsOf } from '../cpu.ts'
import { openSocket } from '../raw-http.ts'
import { type Answered, otherKey, startTrawl, type TestService, testKey } from '../service.ts'
import { type Site, startSite } from '../site/index.ts'

let site: Site
let trawl: TestService

beforeAll(async () => {
  site = await startSite()
  trawl = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}`, TRAWL_MAX_CONCURRENCY: '20', TRAWL_TEAM_CONCURRENCY: '15', TRAWL_TEAM_QUEUE: '400' } })
  await trawl.scrape({ url: site.url('/article') })
})
afterAll(async () => {
  await trawl.stop('SIGKILL')
  await site.close()
})

/** The value of a gauge in /metrics. */
async function gauge(name: string): Promise<number> {
  const { text } = await trawl.call('GET', '/metrics')
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
}

const inUse = async (): Promise<readonly number[]> => [await gauge('trawl_scrapes_running'), await gauge('trawl_scrapes_waiting')]

/** A scrape request as raw text. */
function rawScrape(url: string): string {
  const body = JSON.stringify({ url, maxAge: 0 })
  return `POST /v2/scrape HTTP/1.1\r\nHost: trawl\r\nAuthorization: Bearer ${testKey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

describe('R22 clients that disconnect', () => {
  it('R22 give their slots back: three hundred leave nothing running, queued or connected', async () => {
    const gone = new AbortController()
    const all = Array.from({ length: 300 }, () =>
      fetch(`${trawl.base}/v2/scrape`, { method: 'POST', signal: gone.signal, headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' }, body: JSON.stringify({ url: site.url('/slow/never'), maxAge: 0 }) }).then(() => 'answered', () => 'gone'),
    )
    await expect.poll(inUse, { timeout: 10_000 }).toEqual([15, 285])
    gone.abort()
    expect(new Set(await Promise.all(all))).toEqual(new Set(['gone']))
    await expect.poll(inUse, { timeout: 5_000 }).toEqual([0, 0])
    expect((await trawl.scrape({ url: site.url('/article'), maxAge: 0 })).status).toBe(200)
  })

  it('R22 give their slots back when their requests were pipelined over one connection', async () => {
    const socket = await openSocket(trawl.base)
    socket.write(rawScrape(site.url('/slow/never')).repeat(30))
    await expect.poll(inUse, { timeout: 5_000 }).toEqual([15, 15])
    socket.destroy()
    await expect.poll(inUse, { timeout: 5_000 }).toEqual([0, 0])
    await trawl.call('GET', '/health')
    expect(trawl.output()).not.toContain('MaxListeners')
  })
})

describe('R22 teams', () => {
  it('R22 take turns: a flood of one barely delays the other', async () => {
    const page = (n: number): object => ({ url: site.url(`/slow/headers?ms=40&n=${n}`), maxAge: 0 })
    const timed = async (n: number, key: string): Promise<number> => {
      const started = performance.now()
      expect((await trawl.scrape(page(n), { authorization: `Bearer ${key}` })).status).toBe(200)
      return performance.now() - started
    }
    const medianOf = (times: number[]): number => times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? Infinity
    const flood = Array.from({ length: 250 }, (_, n) => timed(n, testKey))
    await expect.poll(() => gauge('trawl_scrapes_waiting'), { timeout: 5_000 }).toBeGreaterThan(150)
    const times: number[] = []
    for (let n = 0; n < 10; n++) times.push(await timed(1000 + n, otherKey))
    // A request behind two hundred others of its team waits longer than one that comes alone.
    expect(medianOf(times)).toBeLessThan(medianOf(await Promise.all(flood)) / 2)
  })

  it('R22 that have no place get one, also for a page to render, while another holds all of them', async () => {
    const small = await startTrawl({ settings: { TRAWL_ALLOW_PRIVATE_ADDRESSES: `127.0.0.1:${site.port}`, TRAWL_MAX_CONCURRENCY: '4', TRAWL_BROWSER_CONCURRENCY: '2', TRAWL_PROCESS_QUEUE: '2' } })
    const gone = new AbortController()
    const stuck = Array.from({ length: 6 }, () =>
      fetch(`${small.base}/v2/scrape`, { method: 'POST', signal: gone.signal, headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' }, body: JSON.stringify({ url: site.url('/slow/never'), maxAge: 0, waitFor: 1 }) }).then(() => 'answered', () => 'gone'),
    )
    await expect.poll(async () => (await small.call('GET', '/v2/team/queue-status')).json.jobsInQueue, { timeout: 10_000 }).toBe(6)
    expect((await small.scrape({ url: site.url('/article'), maxAge: 0 })).json.code).toBe('OVERLOADED')
    const theirs = await small.scrape({ url: site.url('/article'), maxAge: 0, waitFor: 1, timeout: 15_000 }, { authorization: `Bearer ${otherKey}` })
    expect([theirs.status, theirs.json.data?.metadata.concurrencyLimited]).toEqual([200, undefined])
    gone.abort()
    expect(new Set(await Promise.all(stuck))).toEqual(new Set(['gone']))
    await small.stop('SIGKILL')
  }, 40_000)

  it('R22 with a full queue get a Retry-After, while others are served', async () => {
    const gone = new AbortController()
    let ended = 0
    const stuck = Array.from({ length: 415 }, () => fetch(`${trawl.base}/v2/scrape`, { method: 'POST', signal: gone.signal, headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' }, body: JSON.stringify({ url: site.url('/slow/never'), maxAge: 0 }) }).catch(() => null).finally(() => ended++))
    await expect.poll(inUse, { timeout: 10_000 }).toEqual([15, 400])
    const refused = await trawl.scrape({ url: site.url('/article'), maxAge: 0 })
    const served = await trawl.scrape({ url: site.url('/article'), maxAge: 0 }, { authorization: `Bearer ${otherKey}` })
    const before = loopCpuMsOf(trawl.pid)
    const health = await trawl.call('GET', '/health')
    expect(loopCpuMsOf(trawl.pid) - before).toBeLessThan(100)
    // None of the stuck requests had to end first.
    expect([ended, await inUse()]).toEqual([0, [15, 400]])
    gone.abort()
    await Promise.all(stuck)
    expect([refused.status, refused.json.code, refused.headers.get('retry-after')]).toEqual([429, 'QUEUE_FULL', '1'])
    expect([served.status, health.status]).toEqual([200, 200])
    await expect.poll(inUse, { timeout: 5_000 }).toEqual([0, 0])
  })

  it('R22 learn which of their requests timed out in the queue', async () => {
    // Long enough for all requests to arrive before the first times out, however busy the machine is.
    const answers = await Promise.all(Array.from({ length: 45 }, (_, n) => trawl.scrape({ url: site.url(`/slow/never?n=${n}`), maxAge: 0, timeout: 8000 })))
    const count = (code: string): number => answers.filter(({ json }) => json.code === code).length
    expect([count('SCRAPE_TIMEOUT'), count('CONCURRENCY_QUEUE_TIMEOUT')]).toEqual([15, 30])
  })

  it('R22 whose requests wait learn that, and the wait counts against the timeout', async () => {
    const gone = new AbortController()
    const stuck = Array.from({ length: 15 }, () => fetch(`${trawl.base}/v2/scrape`, { method: 'POST', signal: gone.signal, headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' }, body: JSON.stringify({ url: site.url('/slow/never'), maxAge: 0 }) }).catch(() => null))
    await expect.poll(inUse, { timeout: 5_000 }).toEqual([15, 0])
    const order: string[] = []
    const ends = (name: string) => (answer: Answered) => void order.push(`${name}: ${answer.status} ${answer.json.code}`)
    // The request that has a slot and a longer timeout is the clock: it runs in the same process, however busy the
    // machine is.
    const placed = trawl.scrape({ url: site.url('/slow/never'), maxAge: 0, timeout: 4000 }, { authorization: `Bearer ${otherKey}` }).then(ends('placed'))
    const late = trawl.scrape({ url: site.url('/article'), maxAge: 0, timeout: 1000 }).then(ends('late'))
    await Promise.all([late, placed])
    expect(order).toEqual(['late: 408 CONCURRENCY_QUEUE_TIMEOUT', 'placed: 408 SCRAPE_TIMEOUT'])
    const waiting = trawl.scrape({ url: site.url('/article'), maxAge: 0 })
    await expect.poll(inUse, { timeout: 5_000 }).toEqual([15, 1])
    gone.abort()
    expect((await waiting).json.data.metadata).toMatchObject({ concurrencyLimited: true })
    await Promise.all(stuck)
  })
})
