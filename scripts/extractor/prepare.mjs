/** Converts pages to the rows for training and testing, stored in files. */
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { agreement, foldOf, htmlOf, pages, segments, teaching } from './corpus.mjs'

/** Rare kinds of pages have a larger weight, as in the mean over kinds. */
const weightOf = ({ set, type }) => (set === 'trafilatura' ? 0.7 : type === 'article' ? 1 : 2)

/**
 * Writes `rows.bin` (floats, a row per block), `labels.bin` (truth, weight) and `pages.json` for all pages; returns
 * their number.
 */
export async function prepare(corpora, folder, { dist, folds }) {
  const { exampleOf, width } = await import(pathToFileURL(join(dist, 'content/main-content/learned/training.js')).href)
  const rows = openSync(join(folder, 'rows.bin'), 'w')
  const labels = openSync(join(folder, 'labels.bin'), 'w')
  const list = []
  let start = 0
  for (const set of teaching) {
    for (const page of pages(corpora, set)) {
      const example = exampleOf(htmlOf(page), page.url ?? '')
      const facts = { set, id: page.id, type: page.type, fold: foldOf(page.url ?? page.id, folds), start, count: 0 }
      if (example) {
        const { texts, asked, rows: numbers } = example
        const told = set === 'trafilatura' ? segmentsOf(texts, page) : wordsOf(texts, page)
        const count = texts.length
        // Blocks that the trees are never asked about are not used for training either.
        told.labels.forEach((label, i) => {
          if (!asked.has(i)) label.weight = 0
        })
        writeSync(rows, Buffer.from(numbers.buffer))
        writeSync(labels, Buffer.from(Float32Array.from(told.labels.flatMap(({ truth, weight }) => [truth, weight])).buffer))
        Object.assign(facts, { count, asked: [...asked], ...told.facts })
        start += count
      }
      list.push(facts)
    }
  }
  closeSync(rows)
  closeSync(labels)
  writeFileSync(join(folder, 'pages.json'), JSON.stringify(list))
  return { pages: list.length, blocks: start, width }
}

/**
 * All pages have the same weight, however long they are. A block is weighted by its words, with short blocks slightly
 * preferred.
 */
function wordsOf(texts, page) {
  const { counts, wanted } = agreement(texts, page.gt.text ?? '')
  const weights = counts.map(({ words }) => words ** 0.75)
  const sum = weights.reduce((total, weight) => total + weight, 0) || 1
  const labels = counts.map(({ words, right }, i) => ({ truth: words === 0 ? 0 : right / words, weight: (weightOf(page) * 100 * weights[i]) / sum }))
  return { labels, facts: { wanted, words: counts.map(({ words }) => words), right: counts.map(({ right }) => right) } }
}

function segmentsOf(texts, page) {
  const { known, wanted, unwanted } = segments(texts, page.gt)
  const count = known.filter((one) => one >= 0).length || 1
  const labels = known.map((one) => ({ truth: Math.max(one, 0), weight: one < 0 ? 0 : (weightOf(page) * 40) / count }))
  return { labels, facts: { with: wanted, without: unwanted, words: texts.map((text) => (text.match(/[\p{L}\p{N}_]+/gu) ?? []).length) } }
}
