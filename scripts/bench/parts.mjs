/** Measurements in this process: single parts of the built service, and the disk for comparison. */
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { parseDocument } from 'htmlparser2'
import { quantile, send, timed } from './client.mjs'
import { ownFolder } from '../lib/own-folder.mjs'
import { readDefaults } from '../lib/read-defaults.mjs'

const load = (path) => import(new URL(`../../dist/${path}`, import.meta.url).href)

async function captures(site, count) {
  const bodies = await Promise.all(Array.from({ length: count }, (_, i) => send(`${site.url}/page/${i}`)))
  const head = { requestedUrl: site.url, url: site.url, status: 200, headers: [['content-type', 'text/html; charset=utf-8']], truncated: false, tlsVerified: true, engine: 'http', proxy: 'basic', at: 0 }
  return bodies.map(({ body }) => ({ ...head, body }))
}

/** The CPU time per page in milliseconds: the best round, each of which covers every page. */
function perPage(pages, rounds, work) {
  const costs = Array.from({ length: rounds }, () => {
    const before = process.cpuUsage()
    pages.forEach(work)
    const used = process.cpuUsage(before)
    return (used.user + used.system) / 1_000 / pages.length
  })
  return quantile(costs, 0)
}

/** The CPU time per page for markdown and metadata, and for parsing with htmlparser2 alone, in milliseconds. */
export async function reading(site, rounds) {
  const { read } = await load('content/reading.js')
  const pages = await captures(site, 60)
  const texts = pages.map(({ body }) => body.toString())
  const parseMs = perPage(texts, rounds * 2, (text) => void parseDocument(text))
  const readMs = perPage(pages, rounds, (page) => {
    const view = read(page, readDefaults)
    if (view.markdown().length < 1_000) throw new Error('A page of the benchmark came out empty.')
    view.metadata()
    view.verdict()
  })
  return { readMs, parseMs }
}

/**
 * Settled scrapes per second, each a durable transaction, 16 at once; and sequential synced writes of 4 KB per second.
 */
export async function settling(count) {
  const { openStore } = await load('store/index.js')
  const dataDir = ownFolder('trawl-bench-')
  const store = await openStore({ kind: 'sqlite', dataDir })
  try {
    const now = Date.now()
    await store.accounts.ensureTeam('bench', null, now)
    const result = (id) => ({ id, team: 'bench', kind: 'scrape', blob: id, frame: '{}', request: '{}', createdAt: now, expiresAt: now + 60_000 })
    const settle = (i) => store.results.settle({ team: 'bench', result: result(`r${i}`), charge: { ref: `r${i}`, kind: 'scrape', credits: 1, at: now }, cache: null })
    const { perSecond } = await timed(count, 16, settle)
    return { perSecond, syncedWritesPerSecond: syncedWrites(join(dataDir, 'sync'), Math.min(count, 300)) }
  } finally {
    await store.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function syncedWrites(path, count) {
  const file = openSync(path, 'w')
  const block = Buffer.alloc(4096, 1)
  const started = performance.now()
  for (let i = 0; i < count; i++) {
    writeSync(file, block)
    fsyncSync(file)
  }
  closeSync(file)
  return count / ((performance.now() - started) / 1_000)
}
