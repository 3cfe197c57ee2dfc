// The built reading as a module for a scorer of main-content extraction. Each page uses trees that were not trained on
// its site: `<TRAWL_TREES>-<part>.bin`.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { foldOf } from './corpus.mjs'
import { readDefaults } from '../lib/read-defaults.mjs'

const dist = resolve(import.meta.dirname, '../..', process.env['TRAWL_DIST'] ?? 'dist')
const [{ read }, { useForest }] = await Promise.all(['content/reading.js', 'content/main-content/learned/training.js'].map((path) => import(pathToFileURL(resolve(dist, path)).href)))
const folds = Number(process.env['TRAWL_FOLDS'] ?? '5')
const files = Array.from({ length: folds }, (_, fold) => readFileSync(`${process.env['TRAWL_TREES']}-${fold}.bin`))
let used = -1

export function extract(html, url) {
  const address = url ?? 'http://localhost/'
  const fold = foldOf(address, folds)
  if (fold !== used) useForest(files[(used = fold)])
  const body = Buffer.from(html, 'utf8')
  const reading = read({ requestedUrl: address, url: address, status: 200, headers: [['content-type', 'text/html; charset=utf-8']], body, engine: 'http', proxy: 'basic', tlsVerified: true, truncated: false, at: 0 }, readDefaults)
  return { markdown: reading.markdown(), confidence: reading.confidence() }
}
