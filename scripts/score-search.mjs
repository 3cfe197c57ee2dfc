// Known-item search over a folder of pages: each page is asked for by a sentence that it holds, or by its title, and should be found.
// Usage: node scripts/score-search.mjs FOLDER [postgres://…] [--pages N] [--every N]: the first pages alone, every so many questions alone. FOLDER holds folders of *.jsonl.br files with {id, url, html | html_b64, gt: {with?, title?}} a line.
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { brotliDecompressSync } from 'node:zlib'

const { values: options, positionals } = parseArgs({ allowPositionals: true, options: { pages: { type: 'string', default: 'Infinity' }, every: { type: 'string', default: '1' } } })
const [folder, databaseUrl] = positionals
if (folder === undefined) throw new Error('Which folder?')
const load = (path) => import(pathToFileURL(resolve(import.meta.dirname, '../dist', path)).href)
const { deriveFrom } = await load('compute/run.js')
const { read } = await load('content/reading.js')
const { findable } = await load('app/scrape/findable.js')
const { searchOwn } = await load('app/search/own.js')
const { pack } = await load('domain/packed.js')
const { parseQuery } = await load('domain/search-query.js')
const { openStore } = await load('store/index.js')

function* pages() {
  for (const set of readdirSync(folder).filter((name) => statSync(join(folder, name)).isDirectory())) {
    for (const file of readdirSync(join(folder, set)).filter((name) => name.endsWith('.jsonl.br'))) {
      for (const line of brotliDecompressSync(readFileSync(join(folder, set, file))).toString().split('\n')) if (line !== '') yield { set, ...JSON.parse(line) }
    }
  }
}

const cpu = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
const now = Date.now()
const dataDir = mkdtempSync(join(tmpdir(), 'trawl-score-'))
const store = await openStore(databaseUrl === undefined ? { kind: 'sqlite', dataDir } : { kind: 'postgres', url: databaseUrl })
const memos = new Map()
const order = { formats: [{ type: 'markdown' }], parsers: [], explain: false, index: true, read: { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true, blockAds: true } }
const questions = []
const spent = { index: 0, plain: 0, insert: 0, bare: 0, wall: 0, terms: 0 }
let count = 0
let sampled = 0

/** A dozen words out of the middle of a sentence: as somebody who remembers it would ask. */
const asked = ({ with: sentences = [], title = '' }) => {
  const sentence = [...sentences].sort((a, b) => b.length - a.length)[0]
  if (sentence === undefined) return title
  const words = sentence.split(/\s+/).filter((word) => !/[:"]|^-/.test(word))
  return words.length < 3 ? sentence.slice(0, 40) : words.slice(0, 12).join(' ').slice(0, 150)
}

const told = (what, of) => process.stderr.write(`${what} ${of}, ${Math.round(cpu() / 1000)} s of CPU\n`)

for (const record of pages()) {
  if (count >= Number(options.pages)) break
  if (count % 200 === 0) told('page', count)
  const url = /^https?:\/\/[^/]+\.[^/]+/.test(record.url ?? '') ? record.url : `https://${record.set}.example/${record.id}`
  const body = record.html === undefined || record.html === null ? Buffer.from(record.html_b64, 'base64') : Buffer.from(record.html)
  const capture = { requestedUrl: url, url, status: 200, headers: [['content-type', record.html === undefined || record.html === null ? 'text/html' : 'text/html; charset=utf-8']], body, engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: now }
  const derived = (wanted) => {
    const before = cpu()
    const made = deriveFrom(read(capture, order.read), wanted)
    return { made, ms: cpu() - before }
  }
  const { made, ms } = derived(order)
  // What indexing adds to reading is measured with every tenth page: reading is most of what this takes.
  if (count % 10 === 0) {
    spent.plain += derived({ ...order, index: undefined }).ms
    spent.index += ms
    sampled++
  }
  const page = pack(made)
  const search = findable({ acquired: { capture }, page }, 'default')
  if (search === null) continue
  const key = createHash('sha256').update(url).digest('hex')
  memos.set(key, page.bytes)
  const entry = (id, own) => ({ team: 'default', result: null, charge: null, cache: { id, team: 'default', key: id, fetchedAt: now, head: '{}', blob: id, bytes: body.length, memo: { name: 'm', blob: key, bytes: page.bytes.length }, search: own } })
  // The same entry without and with the index.
  const [a, b] = [cpu(), performance.now()]
  await store.results.settle(entry(`${key}-bare`, null))
  const c = cpu()
  const w = performance.now()
  await store.results.settle(entry(key, search))
  spent.bare += c - a
  spent.insert += cpu() - c
  spent.wall += performance.now() - w - (w - b)
  spent.terms += search.terms.body.split(' ').length
  count++
  const question = asked(record.gt)
  if (question.trim() !== '') questions.push({ url: search.url, question })
}

const blobs = { get: async (key) => memos.get(key) ?? null }
const call = { id: 'score', team: 'default', signal: new AbortController().signal, deadline: now + 1e9, retention: 'normal', log: () => undefined }
const times = []
let asking = 0
let reciprocal = 0
let first = 0
let missed = 0
const chosen = questions.filter((_, at) => at % Number(options.every) === 0)
for (const { url, question } of chosen) {
  if (times.length % 100 === 0) told('question', times.length)
  const before = cpu()
  const plan = { source: 'web', query: parseQuery(question), limit: 10, hosts: [], notHosts: [], files: [], country: null, location: null, language: null, safe: null, from: null, to: null, span: null, byDate: false, categories: [] }
  const started = performance.now()
  const found = await searchOwn(plan, { loose: true, chosen: (all) => all.slice(0, plan.limit) }, { index: store.search, blobs, now: () => now }, call)
  times.push(performance.now() - started)
  asking += cpu() - before
  const place = found.slice(0, 10).findIndex((one) => one.url === url) + 1
  if (place === 0) missed++
  else reciprocal += 1 / place
  if (place === 1) first++
}
times.sort((a, b) => a - b)
const at = (share) => times[Math.floor(times.length * share)]?.toFixed(1)
console.log({
  store: store.name, pages: count, questions: chosen.length, termsPerPage: Math.round(spent.terms / count),
  mrr10: (reciprocal / chosen.length).toFixed(3), first: (first / chosen.length).toFixed(3), missed: (missed / chosen.length).toFixed(3),
  p50Ms: at(0.5), p95Ms: at(0.95), cpuMs: (asking / chosen.length).toFixed(1),
  readMs: (spent.plain / sampled).toFixed(2), readAndIndexMs: (spent.index / sampled).toFixed(2), settleMs: (spent.bare / count).toFixed(2), settleIndexedMs: (spent.insert / count).toFixed(2), extraWallMs: (spent.wall / count).toFixed(2),
})
await store.close()
if (databaseUrl === undefined) {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite') ?? (await import('@photostructure/sqlite'))
  const file = 'trawl.db'
  const db = new DatabaseSync(join(dataDir, file))
  console.log('bytes per page', Math.round(db.prepare("select sum(pgsize) as bytes from dbstat where name like 'search_%' or name like 'sqlite_autoindex_search%'").get().bytes / count))
  db.close()
}
rmSync(dataDir, { recursive: true, force: true })
