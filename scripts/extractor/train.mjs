/** Trains the trees on prepared pages, and tests them on pages of other sites. */
import { openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { binned, boost, chance, edgesOf, predict } from './boost.mjs'

/** The maximum number of training rows per page: long pages mostly repeat themselves. */
const mostRows = 260
/** The probability of blocks that the trees are not asked about (`candidates.ts`). */
const hopeless = 0.01

/** Loads the prepared pages, with their columns binned. */
export function load(folder, columnsCount, seed) {
  const pages = JSON.parse(readFileSync(join(folder, 'pages.json'), 'utf8')).filter((page) => page.count > 0)
  const rows = pages.reduce((sum, page) => sum + page.count, 0)
  const labels = readFileSync(join(folder, 'labels.bin'))
  const pairs = new Float32Array(labels.buffer, labels.byteOffset, labels.length / 4)
  const truth = Float32Array.from({ length: rows }, (_, i) => pairs[2 * i])
  const weight = Float32Array.from({ length: rows }, (_, i) => pairs[2 * i + 1])
  const group = new Int32Array(rows)
  pages.forEach((page, g) => group.fill(g, page.start, page.start + page.count))
  const file = openSync(join(folder, 'rows.bin'), 'r')
  const width = columnsCount * 4
  const random = chance(seed)
  const sample = []
  const chunk = 4096
  const each = (use) => {
    const buffer = Buffer.alloc(chunk * width)
    for (let at = 0; at < rows; at += chunk) {
      const size = readSync(file, buffer, 0, Math.min(chunk, rows - at) * width, at * width)
      use(new Float32Array(buffer.buffer, buffer.byteOffset, size / 4), at)
    }
  }
  each((values) => {
    for (let i = 0; i * columnsCount < values.length; i++) if (random() < 60_000 / rows) sample.push(values.slice(i * columnsCount, (i + 1) * columnsCount))
  })
  const edges = Array.from({ length: columnsCount }, (_, f) => edgesOf(sample.map((row) => row[f])))
  const columns = edges.map(() => new Uint8Array(rows))
  each((values, at) => {
    const count = values.length / columnsCount
    for (let f = 0; f < columnsCount; f++) {
      const column = new Float32Array(count)
      for (let i = 0; i < count; i++) column[i] = values[i * columnsCount + f]
      columns[f].set(binned(column, edges[f]), at)
    }
  })
  return { pages, rows, truth, weight, group, edges, columns }
}

/** The training rows, without one fold. Of a long page, a sample is used, which has the weight of the whole. */
function teachingRows(data, fold, seed) {
  const random = chance(seed)
  const index = []
  const weights = []
  for (const page of data.pages) {
    if (page.fold === fold) continue
    const share = Math.min(1, mostRows / Math.max(page.asked.length, 1))
    for (let i = page.start; i < page.start + page.count; i++) {
      if (data.weight[i] === 0 || (share < 1 && random() >= share)) continue
      index.push(i)
      weights.push(data.weight[i] / share)
    }
  }
  return { index: Int32Array.from(index), weights: Float32Array.from(weights) }
}

/** Trains a forest on all pages except those of one fold (-1: on all). */
export function learn(data, fold, options) {
  const { index, weights } = teachingRows(data, fold, options.seed + fold)
  const pick = (column) => {
    const out = new Uint8Array(index.length)
    for (let i = 0; i < index.length; i++) out[i] = column[index[i]]
    return out
  }
  const truth = Float32Array.from(index, (i) => data.truth[i])
  const groups = Int32Array.from(index, (i) => data.group[i])
  return boost({ columns: data.columns.map(pick), truth, weight: weights, groups }, options)
}

/** Predicts the pages of one fold as the service does, which does not ask about some blocks. */
export function chancesFor(data, fold, forest, out) {
  for (const page of data.pages) {
    if (page.fold !== fold) continue
    const own = data.columns.map((column) => column.subarray(page.start, page.start + page.count))
    const chances = predict(forest, own, page.count)
    out.fill(hopeless, page.start, page.start + page.count)
    for (const i of page.asked) out[page.start + i] = chances[i]
  }
}

/** The scores of pages by the selected blocks: close to the score of the markdown. */
export async function judge(data, chances, dist) {
  const { decide } = await import(pathToFileURL(join(dist, 'content/main-content/learned/training.js')).href)
  const f1 = {}
  const hits = { right: 0, wrong: 0, missed: 0 }
  for (const page of data.pages) {
    const own = chances.slice(page.start, page.start + page.count)
    const { threshold } = decide(own, Float64Array.from(page.words, (words) => words + 0.5))
    if (page.set === 'trafilatura') {
      for (const at of page.with) hits[own[at] >= threshold ? 'right' : 'missed']++
      for (const at of page.without) if (own[at] >= threshold) hits.wrong++
      continue
    }
    let right = 0
    let taken = 0
    own.forEach((one, i) => {
      if (one < threshold) return
      right += page.right[i]
      taken += page.words[i]
    })
    const score = taken + page.wanted === 0 ? 1 : (2 * right) / (taken + page.wanted)
    const key = page.set === 'aeb' ? 'aeb' : page.type
    ;(f1[key] ??= []).push(score)
  }
  const mean = (list) => list.reduce((sum, one) => sum + one, 0) / list.length
  const types = Object.fromEntries(Object.entries(f1).filter(([key]) => key !== 'aeb'))
  const wcxb = mean(Object.values(types).flat())
  const macro = mean(Object.values(types).map(mean))
  const rows = Object.fromEntries(Object.entries(f1).map(([key, list]) => [key, Number(mean(list).toFixed(4))]))
  return { wcxb, macro, trafilatura: (2 * hits.right) / (2 * hits.right + hits.wrong + hits.missed), ...rows }
}
