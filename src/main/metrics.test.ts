import { expect, it, vi } from 'vitest'
import { type Measured, processMetrics } from './metrics.ts'

const idle: Measured = {
  admission: () => ({ inUse: () => 0, load: () => ({ running: 0, waiting: 0 }) }),
  tasks: () => 0,
  bodies: { load: () => ({ bytes: 0, waiting: 0 }) },
  sessions: () => 0,
  tallies: { pages: new Map(), webhooks: new Map() },
  backlog: async () => ({ pages: 0, webhooks: 0 }),
}

it('the metrics of a process report what was answered, what is running, and since when', async () => {
  const metrics = processMetrics({ ...idle, admission: () => ({ inUse: () => 2, load: () => ({ running: 1, waiting: 4 }) }), tasks: () => 1, bodies: { load: () => ({ bytes: 5, waiting: 6 }) }, sessions: () => 7 }, 1_500)
  metrics.request('/v2/scrape', 'POST', 200, 30)
  const lines = (await metrics.text()).split('\n')
  for (const line of [
    'trawl_http_requests_total{route="/v2/scrape",method="POST",status="200"} 1',
    'trawl_http_request_seconds_bucket{le="0.025",route="/v2/scrape"} 0',
    'trawl_http_request_seconds_bucket{le="0.05",route="/v2/scrape"} 1',
    'trawl_http_request_seconds_sum{route="/v2/scrape"} 0.03',
    'trawl_scrapes_running 3',
    'trawl_scrapes_waiting 4',
    'trawl_body_bytes 5',
    'trawl_bodies_waiting 6',
    'trawl_browser_sessions 7',
    'process_start_time_seconds 1.5',
  ]) expect(lines).toContain(line)
  expect(lines.filter((line) => line.startsWith('# TYPE'))).toHaveLength(14)
})

it('the metrics of a process count what has ended, by outcome, and what waits', async () => {
  const pages = new Map([['delivered', 3]])
  const metrics = processMetrics({ ...idle, tallies: { pages, webhooks: new Map([['given-up', 1]]) }, backlog: async () => ({ pages: 12, webhooks: 2 }) }, 0)
  const lines = async (): Promise<readonly string[]> => (await metrics.text()).split('\n').filter((line) => /^trawl_(?:job|webhook|backlog)/.test(line))
  expect(await lines()).toEqual(['trawl_job_pages_total{outcome="delivered"} 3', 'trawl_webhook_attempts_total{outcome="given-up"} 1', 'trawl_backlog{of="pages"} 12', 'trawl_backlog{of="webhooks"} 2'])
  pages.set('delivered', 4).set('failed', 1)
  expect((await lines()).slice(0, 2)).toEqual(['trawl_job_pages_total{outcome="delivered"} 4', 'trawl_job_pages_total{outcome="failed"} 1'])
})

it.each<[string, () => Promise<never>]>([
  ['is away', () => Promise.reject(new Error('away'))],
  ['does not answer', () => new Promise(() => undefined)],
])('the metrics of a process leave out what waits while the store %s', async (_, backlog) => {
  const text = await processMetrics({ ...idle, backlog }, 0).text()
  expect(text).toContain('trawl_scrapes_running 0')
  expect(text).not.toMatch(/^trawl_backlog/m)
})

it('the metrics of a process report the longest event loop delay since they were last read', async () => {
  const metrics = processMetrics(idle, 0)
  const heldUp = async (): Promise<number> => Number(/^trawl_event_loop_delay_max_seconds (\S+)$/m.exec(await metrics.text())?.[1])
  const holdUp = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, 50))
    for (const until = performance.now() + 200; performance.now() < until; );
    // The delay is only measured after the loop has come round.
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  metrics.request('/health', 'GET', 200, 1)
  await vi.advanceTimersByTimeAsync(60_000)
  vi.useRealTimers()
  // The metrics library is loaded late.
  await import('prom-client')
  await holdUp()
  // Measuring starts with the first read, so that an idle process need not wake up.
  expect(await heldUp()).toBe(0)
  await holdUp()
  expect(await heldUp()).toBeGreaterThan(0.15)
})
