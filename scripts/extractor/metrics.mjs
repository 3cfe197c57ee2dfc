/** The published metric of each set, reimplemented. */
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'

/** The text of a markdown document, one line per block. */
export function textOfMarkdown(markdown) {
  const lines = []
  const visit = (node, line) => {
    if (node.type === 'html') return line.push(node.value.replace(/<[^>]*>/g, ' '))
    if (node.type === 'break') return line.push('\n')
    if (typeof node.value === 'string') return line.push(node.value)
    const block = ['paragraph', 'heading', 'tableCell', 'listItem', 'blockquote', 'code', 'root'].includes(node.type)
    const own = block ? [] : line
    for (const child of node.children ?? []) visit(child, own)
    if (block) lines.push(own.join(''))
  }
  visit(fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }), [])
  return lines.filter((line) => line.trim() !== '').join('\n')
}

const words = (text) => text.match(/[\p{L}\p{N}_]+/gu) ?? []
function counted(list) {
  const counts = new Map()
  for (const one of list) counts.set(one, (counts.get(one) ?? 0) + 1)
  return counts
}
function common(a, b) {
  let sum = 0
  for (const [key, count] of a) sum += Math.min(count, b.get(key) ?? 0)
  return sum
}

/** The F1 score of shared words. */
export function wordF1(answer, truth) {
  const a = words(answer.toLowerCase())
  const b = words(truth.toLowerCase())
  if (a.length + b.length === 0) return 1
  return (2 * common(counted(a), counted(b))) / (a.length + b.length)
}

/** Precision and recall of shared sequences of four words. */
export function shingles(answer, truth) {
  const grams = (text) => {
    const list = words(text)
    return counted(Array.from({ length: Math.max(1, list.length - 3) }, (_, i) => list.slice(i, i + 4).join(' ')))
  }
  const [a, b] = [grams(answer), grams(truth)]
  const total = (counts) => [...counts.values()].reduce((sum, one) => sum + one, 0)
  const both = common(a, b)
  return { precision: both / Math.max(total(a), 1), recall: both / Math.max(total(b), 1) }
}

const plain = (text) => text.replace(/\s+/g, ' ').trim()

/** The numbers of found segments that belong to the content, of found ones that do not, and of missed ones. */
export function segmentHits(answer, truth) {
  const text = plain(answer)
  const found = (list) => (list ?? []).filter((one) => text.includes(plain(one))).length
  const right = found(truth.with)
  return { right, wrong: found(truth.without), missed: (truth.with ?? []).length - right }
}
