/** Pages with their ground truth, and how much of each block is in the truth. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { getDomain } from 'tldts'

/** The sets used for training: the truth of the other two was made by another tool. */
export const teaching = ['wcxb', 'aeb', 'trafilatura']

/** Every page of a set: `<folder>/<set>/pages-NN.jsonl.br`, one JSON object per line. */
export function* pages(folder, set) {
  for (const file of readdirSync(join(folder, set)).filter((name) => name.endsWith('.jsonl.br')).sort()) {
    for (const line of brotliDecompressSync(readFileSync(join(folder, set, file))).toString('utf8').split('\n')) if (line !== '') yield { set, ...JSON.parse(line) }
  }
}

/** The page as text, decoded like a browser does: UTF-8 if valid, otherwise the charset of `meta`. */
export function htmlOf(page) {
  if (page.html !== undefined && page.html !== null) return page.html
  const bytes = Buffer.from(page.html_b64, 'base64')
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  const charset = /charset\s*=\s*["']?\s*([\w-]+)/i.exec(bytes.toString('latin1', 0, 4096))?.[1] ?? 'windows-1252'
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The fold of a page, by its registrable domain, so that no tree is tested on a site that it was trained on. */
export function foldOf(url, folds) {
  const domain = getDomain(url) ?? url
  let hash = 0x811c9dc5
  for (const character of domain) hash = Math.imul(hash ^ character.codePointAt(0), 0x01000193) >>> 0
  return (hash >>> 8) % folds
}

const words = (text) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []
const gram = 4

/**
 * For each block the number of its words, and how many of them are in the truth. Matches long runs first, and no word
 * of the truth twice.
 */
export function agreement(texts, truth) {
  const blocks = texts.map(words)
  const stream = blocks.flat()
  const wanted = words(truth)
  const grams = new Set()
  for (let i = 0; i + gram <= wanted.length; i++) grams.add(wanted.slice(i, i + gram).join(' '))
  const covered = new Uint8Array(stream.length)
  for (let i = 0; i + gram <= stream.length; i++) if (grams.has(stream.slice(i, i + gram).join(' '))) covered.fill(1, i, i + gram)
  const runs = []
  for (let i = 0; i < stream.length; ) {
    let end = i
    while (covered[end] === 1) end++
    if (end > i) runs.push([i, end])
    i = Math.max(end, i + 1)
  }
  const left = new Map()
  for (const word of wanted) left.set(word, (left.get(word) ?? 0) + 1)
  for (const [from, to] of runs.sort((a, b) => b[1] - b[0] - (a[1] - a[0]) || a[0] - b[0])) {
    for (let i = from; i < to; i++) {
      const more = left.get(stream[i]) ?? 0
      if (more > 0) left.set(stream[i], more - 1)
      else covered[i] = 0
    }
  }
  let at = 0
  const counts = blocks.map((block) => {
    let right = 0
    for (let i = 0; i < block.length; i++) right += covered[at++] ?? 0
    return { words: block.length, right }
  })
  return { counts, wanted: wanted.length }
}

const plain = (text) => text.replace(/\s+/g, ' ').trim()

/**
 * For each block, whether it contains a segment that belongs to the content (1) or one that does not (0); -1 if
 * unknown.
 */
export function segments(texts, truth) {
  const lines = texts.map(plain)
  const places = (list) => list.map((segment) => lines.findIndex((line) => line.includes(plain(segment))))
  const wanted = places(truth.with ?? [])
  const unwanted = places(truth.without ?? [])
  const known = texts.map(() => -1)
  for (const at of unwanted) if (at >= 0) known[at] = 0
  for (const at of wanted) if (at >= 0) known[at] = 1
  return { known, wanted, unwanted }
}
