import { detached } from '../../lib/detached.ts'
import { folded } from '../../lib/folded.ts'
import { type Block, blocksOf, readable } from './blocks.ts'

/** A part of a page that can be quoted. */
export interface Passage {
  readonly text: string
  readonly start: number
  readonly end: number
}

const stop: ReadonlySet<string> = new Set(('a an the of to in on at for by with from and or but not is are was were be been being it its this that these those as do does did can could will would should may might has have had i you he she we they what which who whom whose when where why how '
  + 'der die das ein eine und oder ist sind war wie was wer wo le la les un une des et ou est sont que qui el los las una y o es son').split(' '))

const unspaced = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}ー`
/** Matches words with their diacritics, and runs of scripts that write words without spaces or inflect them heavily. */
const words = new RegExp(`[[\\p{L}\\p{M}]&&[${unspaced}]]+|[[\\p{L}\\p{N}\\p{M}]--[${unspaced}]]+`, 'gv')
const run = new RegExp(`^[${unspaced}]`, 'u')

/** The words of a text, normalised for matching: case, width and accents are ignored. */
export function termsOf(text: string): readonly string[] {
  return (folded(text.normalize('NFKC')).match(words) ?? []).flatMap(termsOfWord)
}

/** Cache of `termsOfWord`: the same words recur, and normalising them is most of the work. */
const known = new Map<string, readonly string[]>()
const mostKnown = 20_000

function termsOfWord(word: string): readonly string[] {
  const before = known.get(word)
  if (before !== undefined) return before
  const terms = run.test(word) && word.length > 1 ? pairs(word) : stop.has(word) ? [] : [stem(word)]
  if (known.size >= mostKnown) known.clear()
  if (word.length <= 100) known.set(detached(word), terms.map(detached))
  return terms
}

const pairs = (word: string): string[] => Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2))

/** Removes English endings that do not change the meaning. */
function stem(word: string): string {
  if (word.length < 5) return word.replace(/(?<=[a-z]{3})s$/, '')
  return word.replace(/(?:ies|ied)$/, 'y').replace(/(?:ing|edly|ed|ly|es|s)$/, '')
}

const wanted = 700
const most = 1_500
const mostCode = 20_000

/** Cuts a text that is longer than a passage may be. */
function slices(piece: string): readonly string[] {
  return piece.length <= most ? [piece] : Array.from({ length: Math.ceil(piece.length / most) }, (_, at) => piece.slice(at * most, (at + 1) * most))
}

/** Splits a long block at ends of lines or sentences. */
function parts(block: Block): Passage[] {
  if (block.text.length <= (block.kind === 'code' ? mostCode : most)) return [block]
  const found: Passage[] = []
  const pieces = block.text.split(block.kind === 'text' ? /(?<=[.!?؟।]\s)|(?<=[。！？])|\n/ : /(?<=\n)/).flatMap(slices)
  let at = block.start
  let from = at
  for (const piece of pieces) {
    const begins = block.start + block.text.indexOf(piece, at - block.start)
    if (begins - from >= wanted) {
      found.push({ text: block.text.slice(from - block.start, begins - block.start).trimEnd(), start: from, end: begins })
      from = begins
    }
    at = begins + piece.length
  }
  found.push({ text: block.text.slice(from - block.start), start: from, end: block.end })
  return found.filter((part) => part.text.trim() !== '')
}

/**
 * The quotable passages of a markdown text: short blocks together with the blocks they belong to, long ones in parts. Each
 * is a verbatim part of the text.
 */
export function passagesOf(markdown: string): readonly Passage[] {
  const passages: Passage[] = []
  let open: { start: number; end: number } | null = null
  const close = (): void => {
    if (open !== null) passages.push({ text: markdown.slice(open.start, open.end), ...open })
    open = null
  }
  for (const block of blocksOf(markdown)) {
    if (block.kind === 'rule' || block.kind === 'image') continue
    if (block.kind === 'heading') close()
    const held: { start: number; end: number } | null = open
    if (held !== null && block.end - held.start > wanted) {
      // A heading stays with the block after it.
      if (held.end - held.start < 120 && block.end - held.start <= most) held.end = block.end
      else close()
    }
    if (open === null && block.end - block.start > wanted) passages.push(...parts(block))
    else if (open === null) open = { start: block.start, end: block.end }
    else (open as { end: number }).end = block.end // narrowed away by the closure above
  }
  close()
  return passages
}

const k1 = 1.2
const b = 0.6

/** Passages that contain words of the query, with their BM25 scores, best first. */
export function ranked(passages: readonly Passage[], query: string): readonly { readonly passage: Passage; readonly score: number }[] {
  const terms = [...new Set(termsOf(query))]
  const docs = passages.map((passage) => counted(termsOf(readable(passage.text))))
  const average = docs.reduce((sum, doc) => sum + doc.length, 0) / Math.max(1, docs.length)
  const weights = new Map(terms.map((term) => {
    const having = docs.filter((doc) => doc.counts.has(term)).length
    return [term, Math.log(1 + (docs.length - having + 0.5) / (having + 0.5))]
  }))
  return docs
    .map((doc, at) => ({ at, score: terms.reduce((sum, term) => {
      const count = doc.counts.get(term) ?? 0
      return sum + ((weights.get(term) ?? 0) * count * (k1 + 1)) / (count + k1 * (1 - b + (b * doc.length) / Math.max(1, average)))
    }, 0) }))
    .filter(({ score }) => score > 0)
    .sort((x, y) => y.score - x.score || x.at - y.at)
    .flatMap(({ at, score }) => {
      const passage = passages[at]
      return passage === undefined ? [] : [{ passage, score }]
    })
}

function counted(terms: readonly string[]): { readonly counts: ReadonlyMap<string, number>; readonly length: number } {
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return { counts, length: terms.length }
}

/** The best passages for a query, at most `count`, in page order. */
export function best(markdown: string, query: string, count: number): readonly Passage[] {
  return ranked(passagesOf(markdown), query).slice(0, count).map(({ passage }) => passage).sort((x, y) => x.start - y.start)
}
