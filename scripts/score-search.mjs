// Known-item search over a folder of pages: each page is searched for by a sentence that it contains, or by its title,
// and should be found. Usage: node scripts/score-search.mjs FOLDER [postgres://…] [--pages N] [--every N]. `--pages N`
// uses the first N pages only, `--every N` each Nth query only (Infinity: measures only inserting). A Postgres must run
// on this machine, so that its CPU time can be read. FOLDER contains folders of *.jsonl.br files with {id, url, html |
// html_b64, gt: {with?, title?}} per line.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { argumentsOf } from './lib/arguments.mjs'
import { buildIfStale } from './lib/build.mjs'
import { ownFolder } from './lib/own-folder.mjs'
import { readDefaults } from './lib/read-defaults.mjs'

const { values: options, positionals } = argumentsOf('node scripts/score-search.mjs FOLDER [postgres://…] [--pages N] [--every N]', { folder: true, more: 1, numbers: ['pages', 'every'], options: { pages: { type: 'string', default: 'Infinity' }, every: { type: 'string', default: '1' } } })
const [folder, databaseUrl] = positionals
// What is measured is the code as it stands.
if ((await buildIfStale()) !== 0) process.exit(1)
const load = (path) => import(pathToFileURL(resolve(import.meta.dirname, '../dist', path)).href)
const { deriveFrom } = await load('compute/run.js')
const { read } = await load('content/reading.js')
const { findable } = await load('app/scrape/findable.js')
const { searchOwn } = await load('app/search/own.js')
const { pack } = await load('domain/pages/packed.js')
const { parseQuery } = await load('domain/search/search-query.js')
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
/** The CPU time of the database server for the connections of the store, in milliseconds. */
async function serverMeter(url) {
  const { Client } = await import('pg')
  const client = new Client(url)
  await client.connect()
  const taken = new Map()
  const read = async () => {
    const { rows } = await client.query("select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()")
    for (const { pid } of rows) {
      // A connection that has just ended keeps its last known value.
      if (existsSync(`/proc/${pid}/schedstat`)) taken.set(pid, Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6)
    }
    return [...taken.values()].reduce((sum, ms) => sum + ms, 0)
  }
  return { client, read }
}
const now = Date.now()
const dataDir = ownFolder('trawl-score-')
const store = await openStore(databaseUrl === undefined ? { kind: 'sqlite', dataDir } : { kind: 'postgres', url: databaseUrl })
const meter = databaseUrl === undefined ? null : await serverMeter(databaseUrl)
const server = async () => (meter === null ? 0 : await meter.read())
const memos = new Map()
const order = { formats: [{ type: 'markdown' }], parsers: [], explain: false, index: true, read: readDefaults }
const questions = []
const spent = { index: 0, plain: 0, insert: 0, bare: 0, serverInsert: 0, serverBare: 0, wall: 0, terms: 0 }
const prepared = []
let count = 0
let sampled = 0

/** A dozen words from the middle of a sentence, as somebody who remembers it might type. */
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
  const { made } = derived(order)
  // The cost of indexing in addition to reading is measured with every tenth page, which is read twice, in alternating
  // order: reading takes most of the time.
  if (count % 10 === 0) {
    const ways = ['index', 'plain']
    for (const way of count % 20 === 0 ? ways : ways.reverse()) spent[way] += derived({ ...order, index: way === 'index' ? true : undefined }).ms
    sampled++
  }
  const page = pack(made)
  const search = findable({ acquired: { capture }, page }, 'default')
  if (search === null) continue
  const key = createHash('sha256').update(url).digest('hex')
  memos.set(key, page.bytes)
  prepared.push({ key, search, bytes: body.length, memoBytes: page.bytes.length })
  spent.terms += search.terms.body.split(' ').length
  count++
  const question = asked(record.gt)
  if (question.trim() !== '') questions.push({ url: search.url, question })
}

/** The cost of storing a page, in this process and in the database server; measured after all pages are read, so that their garbage does not count. */
async function settled({ key, search, bytes, memoBytes }, indexed) {
  const id = indexed ? key : `${key}-bare`
  const cache = { id, team: 'default', key: id, fetchedAt: now, head: '{}', blob: id, bytes, memo: { name: 'm', blob: key, bytes: memoBytes }, search: indexed ? search : null }
  const [servers, ours, wall] = [await server(), cpu(), performance.now()]
  await store.results.settle({ team: 'default', result: null, charge: null, cache })
  const spentHere = { ours: cpu() - ours, wall: performance.now() - wall }
  return { ...spentHere, servers: (await server()) - servers }
}

for (const [at, page] of prepared.entries()) {
  // The same entry without and with the index, in alternating order, because the second one finds everything warm.
  const [first, second] = [await settled(page, at % 2 === 0), await settled(page, at % 2 !== 0)]
  const [indexed, bare] = at % 2 === 0 ? [first, second] : [second, first]
  spent.bare += bare.ours
  spent.insert += indexed.ours
  spent.serverBare += bare.servers
  spent.serverInsert += indexed.servers
  spent.wall += indexed.wall - bare.wall
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
  ...(meter === null ? {} : { serverSettleMs: (spent.serverBare / count).toFixed(2), serverSettleIndexedMs: (spent.serverInsert / count).toFixed(2) }),
})
await store.close()
if (meter !== null) {
  await meter.client.query('vacuum search_pages')
  const { rows } = await meter.client.query("select pg_total_relation_size('search_pages') as whole, pg_relation_size('search_pages_by_term') as terms")
  console.log('bytes per page', Math.round(rows[0].whole / count), 'of them the index of terms', Math.round(rows[0].terms / count))
  await meter.client.end()
}
if (databaseUrl === undefined) {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite') ?? (await import('@photostructure/sqlite'))
  const file = 'trawl.db'
  const db = new DatabaseSync(join(dataDir, file))
  console.log('bytes per page', Math.round(db.prepare("select sum(pgsize) as bytes from dbstat where name like 'search_%' or name like 'sqlite_autoindex_search%'").get().bytes / count))
  db.close()
}
