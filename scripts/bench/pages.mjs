/** Rendered pages: through the pool (isolated contexts, confined, all traffic through the gate), beside the same visits in a bare browser. */
import { mkdtemp, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChromium } from '../../dist/browser/launch.js'
import { wireOf } from '../../dist/browser/wire.js'
import { browserPool, contextTerms, findChromium, visit } from '../../dist/browser/index.js'
import { allowList, gate, nameResolver, ownEndpoints, tunnel } from '../../dist/net/index.js'

const find = { path: null, cdpUrl: null, cacheDir: join(tmpdir(), 'trawl-bench-cache'), searchPath: (process.env.PATH ?? '').split(':'), home: homedir() }
const limitMs = 30_000

const callOf = () => ({ id: 'bench', team: 'bench', signal: AbortSignal.timeout(limitMs), deadline: Date.now() + limitMs, retention: 'normal', log: () => undefined })

/** One page as a scrape visits it: the same wait and the same snapshot on either side. */
async function visitOne(use, url) {
  const call = callOf()
  const order = { url, headers: {}, languages: ['en-US', 'en'], skipTlsVerification: true, blockAds: true }
  const terms = contextTerms(order)
  const visited = await use(terms, (page) => visit(page, { order, terms }, { clock: Date, maxBytes: 50_000_000 }, call), call)
  if (visited.kind !== 'captured') throw new Error('a page was taken for a file')
}

async function perSecond(use, site, { count, atOnce }) {
  await visitOne(use, `${site.url}/page/0`)
  let next = 1
  const started = performance.now()
  const one = async () => {
    while (next <= count) await visitOne(use, `${site.url}/page/${next++ % site.pages}`)
  }
  await Promise.all(Array.from({ length: atOnce }, one))
  return count / ((performance.now() - started) / 1000)
}

async function bare(site, terms) {
  const { found } = await findChromium(find)
  if (found === null || found.kind === 'remote') throw new Error('there is no Chromium to measure')
  const folder = await mkdtemp(join(tmpdir(), 'trawl-bench-bare-'))
  const flags = ['--headless', '--remote-debugging-pipe', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', `--user-data-dir=${folder}`]
  const { browser, kill, gone } = await startChromium([found.path, ...flags], { PATH: process.env.PATH ?? '', ...found.env }, folder)
  try {
    const use = async ({ context: options }, work) => {
      const context = await browser.newContext(options)
      try {
        const page = await context.newPage()
        const cdp = await context.newCDPSession(page)
        const { targetInfo } = await cdp.send('Target.getTargetInfo')
        await wireOf(browser).hear(targetInfo.browserContextId ?? '')
        return await work(page)
      } finally {
        await context.close()
      }
    }
    return await perSecond(use, site, terms)
  } finally {
    kill()
    await gone
    await rm(folder, { recursive: true, force: true })
  }
}

async function pooled(site, terms) {
  const own = ownEndpoints()
  const resolver = nameResolver({ servers: [], clock: Date })
  const way = await tunnel(gate({ resolver, own, allow: allowList([`127.0.0.1:${site.port}`]) }), own)
  const pool = browserPool({ find, tunnel: way, clock: Date, say: () => undefined, concurrency: terms.atOnce })
  try {
    return await perSecond((wish, work, call) => pool.use({ context: wish.context }, work, call), site, terms)
  } finally {
    await pool.stop()
    await way.close()
    resolver.close()
  }
}

/** Isolated pages per second, `atOnce` at a time: ours and the bare browser's, in turns, the median of three of each. */
export async function renderedPages(site, terms) {
  const runs = { ours: [], bare: [] }
  for (let i = 0; i < 3; i++) {
    runs.bare.push(await bare(site, terms))
    runs.ours.push(await pooled(site, terms))
  }
  const median = (values) => values.sort((a, b) => a - b)[1]
  return { perSecond: median(runs.ours), barePerSecond: median(runs.bare) }
}
