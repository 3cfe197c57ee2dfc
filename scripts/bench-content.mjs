#!/usr/bin/env node
/**
 * `npm run bench:content -- CORPORA [--trees FOLDER] [--every N]`: measures how well main content is found, compared
 * with Readability, Defuddle and Turndown (which converts everything), on the same pages in one run.
 * FOLDER is the working folder of `train-extractor`: each page is then judged with trees that were not trained on its
 * site. Without it, the results are in-sample, and say so. `--every N` uses each Nth page of each set. `--cache FOLDER`
 * stores the answers of other systems, which stay the same until their version changes. `--systems` selects the
 * systems, so that two processes with one cache can share the work.
 */
import '../bin/node-version.js'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Readability } from '@mozilla/readability'
import { Defuddle } from 'defuddle/node'
import { parseHTML } from 'linkedom'
import TurndownService from 'turndown'
import { foldOf, htmlOf, pages, teaching } from './extractor/corpus.mjs'
import { segmentHits, shingles, textOfMarkdown, wordF1 } from './extractor/metrics.mjs'
import { argumentsOf } from './lib/arguments.mjs'
import { build } from './lib/build.mjs'
import { root } from './lib/run.mjs'
import { readDefaults } from './lib/read-defaults.mjs'

const { values, positionals } = argumentsOf('npm run bench:content -- CORPORA [--trees FOLDER] [--every N] [--cache FOLDER] [--systems NAME,NAME]', { folder: true, sets: teaching, numbers: ['every'], options: { trees: { type: 'string' }, every: { type: 'string', default: '1' }, cache: { type: 'string' }, systems: { type: 'string', default: 'trawl,readability,defuddle,turndown' } } })
const [corpora] = positionals
if ((await build()) !== 0) throw new Error('The build failed.')
const built = (path) => import(pathToFileURL(join(root, 'dist', path)).href)
const [{ read }, { useForest }] = await Promise.all([built('content/reading.js'), built('content/main-content/learned/training.js')])

const parts = []
while (values.trees !== undefined && existsSync(join(resolve(values.trees), `trees-${parts.length}.bin`))) parts.push(readFileSync(join(resolve(values.trees), `trees-${parts.length}.bin`)))
console.log(parts.length > 0 ? `Out of fold: ${parts.length} parts by domain.` : 'IN SAMPLE: the trees have learned from these pages.')

const turndown = new TurndownService()
turndown.remove(['script', 'style', 'noscript', 'template', 'head'])

/** The systems: each converts a page to markdown. */
const systems = {
  trawl(html, url) {
    if (parts.length > 0) useForest(parts[foldOf(url, parts.length)])
    const body = Buffer.from(html)
    const capture = { requestedUrl: url, url, status: 200, headers: [['content-type', 'text/html; charset=utf-8']], body, engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 }
    return read(capture, readDefaults).markdown()
  },
  readability: (html) => turndown.turndown(new Readability(parseHTML(html).document).parse()?.content ?? ''),
  defuddle: async (html, url) => turndown.turndown((await Defuddle(parseHTML(html).document, url)).content ?? ''),
  turndown: (html) => turndown.turndown(html),
}

const packageOf = { readability: '@mozilla/readability', defuddle: 'defuddle', turndown: 'turndown' }
const versionOf = (name) => JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version

/** The file with the cached answers of a system; undefined for ours, whose answers change. */
function cacheOf(system) {
  if (values.cache === undefined || packageOf[system] === undefined) return undefined
  mkdirSync(resolve(values.cache), { recursive: true })
  const file = join(resolve(values.cache), `${system}-${versionOf(packageOf[system])}-${versionOf('turndown')}.json`)
  return { kept: existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}, save: (kept) => writeFileSync(file, JSON.stringify(kept)) }
}

/** The text that a system extracts from a page, and the CPU time that it took, in milliseconds. */
async function answerOf(system, page) {
  const html = htmlOf(page)
  const start = process.cpuUsage()
  let markdown = ''
  try {
    markdown = await systems[system](html, page.url ?? 'http://localhost/')
  } catch {
    // A page that crashes a system counts as an empty answer.
  }
  const { user, system: kernel } = process.cpuUsage(start)
  return { text: textOfMarkdown(markdown), ms: (user + kernel) / 1000 }
}

const mean = (list) => list.reduce((sum, one) => sum + one, 0) / Math.max(list.length, 1)
const quantile = (list, share) => [...list].sort((a, b) => a - b)[Math.floor(list.length * share)] ?? 0

async function run(system) {
  const cache = cacheOf(system)
  const f1 = {}
  const aeb = { precision: [], recall: [] }
  const hits = { right: 0, wrong: 0, missed: 0 }
  const times = []
  let empty = 0
  for (const set of teaching) {
    let at = 0
    for (const page of pages(corpora, set)) {
      if (at++ % Number(values.every) !== 0) continue
      const key = `${set} ${page.id} ${createHash('sha256').update(page.html ?? page.html_b64).digest('base64url').slice(0, 8)}`
      const { text, ms } = cache?.kept[key] ?? (await answerOf(system, page))
      if (cache && cache.kept[key] === undefined) {
        cache.kept[key] = { text, ms }
        if (at % 200 === 0) cache.save(cache.kept)
      }
      if (set === 'wcxb') {
        times.push(ms)
        if (text === '') empty++
        ;(f1[page.type] ??= []).push(wordF1(text, page.gt.text ?? ''))
      } else if (set === 'aeb') {
        const { precision, recall } = shingles(text, page.gt.text ?? '')
        if (text !== '') aeb.precision.push(precision)
        aeb.recall.push(recall)
      } else {
        const found = segmentHits(text, page.gt)
        for (const key of Object.keys(hits)) hits[key] += found[key]
      }
    }
  }
  cache?.save(cache.kept)
  const [p, r] = [mean(aeb.precision), mean(aeb.recall)]
  const row = { wcxb: mean(Object.values(f1).flat()), macro: mean(Object.values(f1).map(mean)), aeb: (2 * p * r) / (p + r), trafilatura: (2 * hits.right) / (2 * hits.right + hits.wrong + hits.missed) }
  return { system, ...row, all: mean(Object.values(row)), types: Object.fromEntries(Object.entries(f1).map(([type, list]) => [type, mean(list)])), empty, times }
}

const quiet = console.log
const rows = []
for (const system of values.systems.split(',')) {
  // Some systems log while they work.
  console.log = console.warn = console.error = () => undefined
  rows.push(await run(system))
  console.log = quiet
}
const number = (value) => (value ?? 0).toFixed(3)
console.log('\n| System | wcxb | by type | aeb | trafilatura | mean | empty | CPU ms a page of wcxb, p50 | p99 |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|')
for (const one of rows) console.log(`| ${one.system} | ${[one.wcxb, one.macro, one.aeb, one.trafilatura, one.all].map(number).join(' | ')} | ${one.empty} | ${quantile(one.times, 0.5).toFixed(0)} | ${quantile(one.times, 0.99).toFixed(0)} |`)
const types = Object.keys(rows[0]?.types ?? {}).sort()
console.log(`\n| System | ${types.join(' | ')} |\n|---|${types.map(() => '---:|').join('')}`)
for (const one of rows) console.log(`| ${one.system} | ${types.map((type) => number(one.types[type])).join(' | ')} |`)
