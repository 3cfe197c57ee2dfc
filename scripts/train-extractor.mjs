#!/usr/bin/env node
/**
 * `npm run train-extractor -- CORPORA [--work FOLDER] [--only-test]`: trains the trees that find the main content of
 * pages, and reports their scores on sites that they were not trained on.
 * CORPORA is a folder of page sets with ground truth (`docs/content.md`). The same pages and seed give the same trees.
 * FOLDER keeps the prepared data and the trees of each fold, for `bench:content`.
 */
import '../bin/node-version.js'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { encode } from './extractor/boost.mjs'
import { teaching } from './extractor/corpus.mjs'
import { prepare } from './extractor/prepare.mjs'
import { chancesFor, judge, learn, load } from './extractor/train.mjs'
import { argumentsOf } from './lib/arguments.mjs'
import { build } from './lib/build.mjs'
import { ownFolder } from './lib/own-folder.mjs'
import { root } from './lib/run.mjs'

const { values, positionals } = argumentsOf('npm run train-extractor -- CORPORA [--work FOLDER] [--folds N] [--only-test]', { folder: true, sets: teaching, numbers: ['folds'], options: { work: { type: 'string' }, folds: { type: 'string', default: '5' }, 'only-test': { type: 'boolean', default: false } } })
const [corpora] = positionals
const folder = values.work === undefined ? ownFolder('train-extractor-') : resolve(values.work)
mkdirSync(folder, { recursive: true })
const dist = join(root, 'dist')
const folds = Number(values.folds)
const seed = 1
const look = { trees: 300, leaves: 24, rate: 0.06, seed: 7, pageShare: 0.6, columnShare: 0.31, minWeight: 4, lambda: 4 }
/** The number of no fold: trains on all pages. */
const none = -1

if ((await build()) !== 0) throw new Error('The build failed.')
const counted = await prepare(corpora, folder, { dist, folds })
console.log(`${counted.pages} pages, ${counted.blocks} blocks in ${folder}.`)
const data = load(folder, counted.width, seed)
const chances = new Float32Array(data.rows)
for (const fold of Array(folds).keys()) {
  const forest = learn(data, fold, look)
  writeFileSync(join(folder, `trees-${fold}.bin`), encode(forest, data.edges))
  chancesFor(data, fold, forest, chances)
  console.log(`Learned without part ${fold + 1} of ${folds}.`)
}
console.log('On sites not learned from, block by block:', JSON.stringify(await judge(data, chances, dist)))
if (!values['only-test']) {
  const bytes = encode(learn(data, none, look), data.edges)
  const file = join(root, 'src/content/main-content/learned/trees/trees.ts')
  const [head] = readFileSync(file, 'utf8').split('export const trees')
  writeFileSync(file, `${head}export const trees =\n  '${bytes.toString('base64')}'\n`)
  console.log(`Wrote ${bytes.length} bytes of trees.`)
}
