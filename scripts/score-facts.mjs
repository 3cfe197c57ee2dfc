#!/usr/bin/env node
/**
 * Measures how much of a schema is filled without a language model, on pages whose facts were noted by hand before the
 * code was run on them: `node scripts/score-facts.mjs CORPUS [--list] [--round N] [--highlights N]`. CORPUS is a folder
 * of page sets (`<set>/pages-NN.jsonl.br`, one page per line).
 * A noted null means that the page does not have the fact.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { argumentsOf } from './lib/arguments.mjs'
import { buildIfStale } from './lib/build.mjs'
import { readDefaults } from './lib/read-defaults.mjs'

const { values, positionals } = argumentsOf('node scripts/score-facts.mjs CORPUS [--list] [--round N] [--highlights N] [--set NAME]', { folder: true, numbers: ['round', 'highlights'], options: { list: { type: 'boolean' }, round: { type: 'string' }, highlights: { type: 'string' }, set: { type: 'string', default: 'wcxb' } } })
const [corpus] = positionals
// What is measured is the code as it stands.
if ((await buildIfStale()) !== 0) process.exit(1)
const built = (path) => import(pathToFileURL(resolve(import.meta.dirname, '../dist', path)).href)
const [{ read }, { fill }, { best }, { readable }] = await Promise.all([built('content/reading.js'), built('formats/fill/index.js'), built('content/passages/rank.js'), built('content/passages/blocks.js')])

const text = { type: 'string' }
const schemas = {
  article: { title: text, author: text, datePublished: text, dateModified: text },
  forum: { title: text, author: text, datePublished: text },
  service: { title: text, companyName: text, phone: text, email: text },
  listing: { title: text },
  product: {
    name: text, price: { type: 'number' }, currency: text, brand: text, sku: text, inStock: { type: 'boolean' }, rating: { type: 'number' }, reviewCount: { type: 'integer' },
    color: text, weight: text, model: text, capacity: text, condition: text,
  },
}

function* pages(set) {
  const folder = join(corpus, set)
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.jsonl.br')).sort()) {
    for (const line of brotliDecompressSync(readFileSync(join(folder, file))).toString('utf8').split('\n')) if (line !== '') yield JSON.parse(line)
  }
}

function readingOf({ url = 'http://localhost/', ...page }) {
  const body = page.html === undefined ? Buffer.from(page.html_b64, 'base64') : Buffer.from(page.html)
  const type = page.html === undefined ? 'text/html' : 'text/html; charset=utf-8'
  return read({ requestedUrl: url, url, status: 200, headers: [['content-type', type]], body, engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 }, readDefaults)
}

const plain = (value) => String(value).toLowerCase().normalize('NFKC').replace(/[®™]/g, '').replace(/[^\p{L}\p{N}.]+/gu, ' ').replace(/\.(?!\d)/g, ' ').replace(/\blbs\b/g, 'lb').replace(/ +/g, ' ').trim()
const asDate = (value) => /^\d{4}-\d{2}-\d{2}/.exec(String(value))?.[0] ?? new Date(String(value)).toISOString().slice(0, 10)

function same(field, got, wanted) {
  if (typeof wanted === 'number') return Math.abs(Number(got) - wanted) < 1e-9
  if (field.startsWith('date')) {
    try {
      // The page's own time zone may put the same moment on the previous or the next day.
      return Math.abs(Date.parse(asDate(got)) - Date.parse(wanted)) <= 86_400_000
    } catch {
      return false
    }
  }
  if (field === 'phone') return String(got).replace(/\D/g, '') === String(wanted).replace(/\D/g, '')
  return plain(got) === plain(wanted)
}

function judge(field, got, noted) {
  const wanted = Array.isArray(noted) ? noted : [noted]
  if (got === null || got === undefined) return wanted.includes(null) ? 'right' : 'null'
  return wanted.some((one) => one !== null && same(field, got, one)) ? 'right' : 'wrong'
}

function scoreFacts() {
  const noted = new Map(JSON.parse(readFileSync(new URL('./facts/pages.json', import.meta.url))).filter((one) => values.round === undefined || String(one.round) === values.round).map((one) => [one.id, one]))
  const rows = {}
  for (const page of pages(values.set)) {
    const note = noted.get(page.id)
    if (note === undefined) continue
    const { value, sources } = fill({ type: 'object', properties: schemas[note.kind] }, readingOf(page).facts())
    for (const [field, wanted] of Object.entries(note.facts)) {
      const outcome = judge(field, value[field], wanted)
      const row = (rows[note.kind] ??= { pages: new Set(), fields: 0, right: 0, wrong: 0, null: 0, given: 0 })
      row.pages.add(page.id)
      row.fields++
      row[outcome]++
      if (value[field] !== null && value[field] !== undefined) row.given++
      if (values.list && outcome !== 'right') console.log(`${outcome.padEnd(5)} ${page.id} ${field}: ${JSON.stringify(value[field])} (${sources[`/${field}`]}), noted ${JSON.stringify(wanted)}`)
    }
  }
  return rows
}

function table(rows) {
  const all = Object.values(rows)
  const sum = (key) => all.reduce((total, row) => total + (key === 'pages' ? row.pages.size : row[key]), 0)
  const share = (count, of) => `${((100 * count) / of).toFixed(1)} %`
  const line = (name, { count, fields, right, wrong, none, given }) => `| ${name} | ${count} | ${fields} | ${share(right, fields)} | ${share(wrong, fields)} | ${share(none, fields)} | ${wrong} of ${given} |`
  console.log('| Kind of page | Pages | Fields | Right | Wrong | Null | Wrong of the values given |\n|---|---:|---:|---:|---:|---:|---:|')
  for (const [kind, row] of Object.entries(rows).sort(([a], [b]) => (a < b ? -1 : 1))) console.log(line(kind, { ...row, count: row.pages.size, none: row.null }))
  console.log(line('all', { count: sum('pages'), fields: sum('fields'), right: sum('right'), wrong: sum('wrong'), none: sum('null'), given: sum('given') }))
}

/** A few of the longer words of a snippet, as somebody who searches for it might type. */
function askFor(snippet, count) {
  const words = [...new Set(snippet.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? [])]
  const step = Math.max(1, Math.floor(words.length / count))
  return words.filter((_, at) => at % step === 0).slice(0, count).join(' ')
}

function scoreHighlights(every) {
  const rows = {}
  let at = 0
  for (const page of pages(values.set)) {
    if (at++ % every !== 0) continue
    const snippets = (page.gt.with ?? []).filter((snippet) => snippet.split(/\s+/).length >= 4)
    if (snippets.length === 0) continue
    const markdown = readingOf(page).markdown()
    const whole = plain(readable(markdown))
    const row = (rows[page.type] ??= { pages: 0, snippets: 0, inMarkdown: 0, found3: 0, found5: 0 })
    row.pages++
    for (const snippet of snippets) {
      const held = (count) => best(markdown, askFor(snippet, count), 3).some((passage) => plain(readable(passage.text)).includes(plain(snippet)))
      row.snippets++
      if (whole.includes(plain(snippet))) row.inMarkdown++
      if (held(3)) row.found3++
      if (held(5)) row.found5++
    }
  }
  console.log('| Kind of page | Pages | Snippets | In the markdown | Found, 3 words asked | Found, 5 words asked |\n|---|---:|---:|---:|---:|---:|')
  const all = { pages: 0, snippets: 0, inMarkdown: 0, found3: 0, found5: 0 }
  for (const row of Object.values(rows)) for (const key of Object.keys(all)) all[key] += row[key]
  for (const [name, row] of [...Object.entries(rows).sort(([a], [b]) => (a < b ? -1 : 1)), ['all', all]]) {
    const share = (count) => `${((100 * count) / row.snippets).toFixed(1)} %`
    console.log(`| ${name} | ${row.pages} | ${row.snippets} | ${share(row.inMarkdown)} | ${share(row.found3)} | ${share(row.found5)} |`)
  }
}

if (values.highlights !== undefined) scoreHighlights(Number(values.highlights))
else table(scoreFacts())
