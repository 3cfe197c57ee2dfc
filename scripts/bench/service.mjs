/** Measurements from outside: a running service, and raw fetches of the same pages. */
import { setTimeout as sleep } from 'node:timers/promises'
import { quantile, send, timed } from './client.mjs'
import { startHelper, startService, usageOf } from './processes.mjs'

const twoDays = 172_800_000
const fresh = { maxAge: 0, storeInCache: false }

/** Scrapes a page; throws unless the result is as expected. */
async function scrape(service, url, options) {
  const { status, body } = await send(`${service.url}/v2/scrape`, { url, formats: ['markdown'], ...options })
  if (status !== 200) throw new Error(`A scrape was answered ${status}: ${body.toString().slice(0, 300)}`)
  return body
}

/** Connection errors before the service listens: a refusal, or a reset just when it begins to. */
const tooEarly = new Set(['ECONNREFUSED', 'ECONNRESET'])

/** Waits until the first scrape succeeds with 200. */
async function firstScrape(service, url) {
  for (;;) {
    if (service.ended()) throw new Error('The service ended before it answered.')
    const body = await scrape(service, url, { maxAge: 0 }).catch((error) => (tooEarly.has(error.code) ? null : Promise.reject(error)))
    if (body !== null) return
    await sleep(5)
  }
}

/** Starts the service on an empty folder up to its first page, `runs` times; the last one keeps running. */
export async function coldStart(site, runs) {
  const starts = []
  for (;;) {
    const service = await startService()
    const from = performance.now()
    try {
      await firstScrape(service, `${site.url}/page/0`)
    } catch (error) {
      await service.stop()
      throw error
    }
    starts.push({ cpuS: usageOf(service.pid).cpuS, wallMs: performance.now() - from })
    if (starts.length === runs) return { service, cpuS: quantile(starts.map((one) => one.cpuS), 0.5), wallMs: quantile(starts.map((one) => one.wallMs), 0.5) }
    await service.stop()
  }
}

/** The same for a minimal Node server. */
export async function bareStart(runs) {
  const starts = []
  for (let i = 0; i < runs; i++) {
    const from = performance.now()
    const server = await startHelper('bare-server.mjs')
    await send(server.url)
    starts.push({ ...usageOf(server.pid), wallMs: performance.now() - from })
    await server.stop()
  }
  const middle = (name) => quantile(starts.map((one) => one[name]), 0.5)
  return { cpuS: middle('cpuS'), rssMb: middle('rssMb'), wallMs: middle('wallMs') }
}

/**
 * Memory and CPU of an idle service. V8 frees memory about eight seconds after the last work: `restS` waits for that.
 */
export async function idle(service, restS, seconds) {
  await sleep(restS * 1_000)
  const before = usageOf(service.pid)
  await sleep(seconds * 1_000)
  const after = usageOf(service.pid)
  return { rssMb: after.rssMb, cpuPercent: ((after.cpuS - before.cpuS) / seconds) * 100 }
}

/** Records the peak of resident memory until it is stopped. */
export function watchMemory(service) {
  let peak = 0
  const look = () => void (peak = Math.max(peak, usageOf(service.pid).rssMb))
  const timer = setInterval(look, 200)
  return () => {
    clearInterval(timer)
    look()
    return peak
  }
}

/** Fetches the pages without the service, which is the upper bound of any service. */
export async function rawFetch(site, count, atOnce) {
  const before = process.cpuUsage()
  const { ms, perSecond } = await timed(count, atOnce, (i) => send(`${site.url}/page/${i % site.pages}`))
  const used = process.cpuUsage(before)
  return { p50: quantile(ms, 0.5), p99: quantile(ms, 0.99), perSecond, cpuMsPerPage: (used.user + used.system) / 1_000 / count }
}

async function scrapes(service, count, atOnce, run) {
  const before = usageOf(service.pid).cpuS
  const { ms, perSecond } = await timed(count, atOnce, run)
  return { p50: quantile(ms, 0.5), p99: quantile(ms, 0.99), perSecond, cpuSPer1000: ((usageOf(service.pid).cpuS - before) / count) * 1_000 }
}

/** Scrapes that fetch their page each time. */
export const freshScrapes = (service, site, count, atOnce) => scrapes(service, count, atOnce, (i) => scrape(service, `${site.url}/page/${i % site.pages}`, fresh))

/** Fills the cache with pages. */
export const fillCache = (service, site, count) => timed(count, 8, (i) => scrape(service, `${site.url}/page/${i}`, { maxAge: 0 }))

/** Scrapes of the first `pages` pages, which are cached; throws if one of them was fetched. */
export async function cachedScrapes(service, site, { count, pages, atOnce, formats }) {
  const served = async () => Number((await send(`${site.url}/served`)).body.toString())
  const before = await served()
  const result = await scrapes(service, count, atOnce, (i) => scrape(service, `${site.url}/page/${i % pages}`, { maxAge: twoDays, formats }))
  if ((await served()) !== before) throw new Error('A page that is in the cache was fetched again.')
  return result
}
