import { isCodeArea } from '../../../code-area.ts'
import { headingTags } from '../../../html/tag-sets.ts'
import { classOf } from '../../../html/tree.ts'
import type { Outline } from '../../outline.ts'
import { captionedBox, figureOfCode, keepCaption } from './software/code-captions.ts'
import { isData } from './records/data-table.ts'
import { type Frame, withName } from '../frame.ts'
import { isFurniture } from './lines.ts'

const lists: ReadonlySet<string> = new Set(['ul', 'ol', 'dl'])
/** Most letters of a caption; a longer text is a text of its own. */
const caption = 400
/** Blocks on either side of a figure among which those of its text are looked for, and boxes that one may be in. */
const near = 8
const boxes = 2
/** Boxes of pictures with captions that are no figures: WordPress, Discourse, MediaWiki, Asciidoctor, Docutils. */
const pictureBox = /(?:^|\s)(?:wp-caption|galleryid-\d+|lightbox-wrapper|thumbinner|imageblock|figure)(?:\s|$)/
/** The start of a caption that the text can refer to by number. */
const numbered = /^\s*(?:fig(?:ure|ura|uur)?|abb(?:ildung|\.)|table|tabelle|tabla|tableau|chart|listing|scheme|plate|图|圖|図|表|рис(?:унок)?|таблица)[.\s\u00a0]*\d/i
/** Figures whose captions their authors wrote below them, with what they made: WordPress. */
const written = /(?:^|\s)wp-block-(?:image|gallery|embed|video|table)(?:\s|$)/
/** The chance from which on a caption without a number is kept below its picture. */
const captionChance = 0.36
/** Most blocks of a list that a kept heading introduces, and blocks between a table and the text around it. */
const mostItems = 40
const mostBetween = 4
/** Most blocks of a quotation in a text, with who said it. */
const mostOfQuote = 3
/** Fewest words of a line that announces a list; a shorter line is its heading. */
const announcing = 4

/**
 * Keeps omitted parts of the text around them: code next to kept text of the same element, a heading, a numbered figure or
 * a table of data between two kept parts, a list that a kept sentence announces or a kept heading introduces. Readers miss
 * them, but the ground truth of the training pages often has neither code nor captions nor lists of links.
 */
export function keepHoles(frame: Frame, kept: Uint8Array, chances: Float32Array): void {
  const { outline: o, blocks, rules } = frame
  for (const i of withName(frame, 'table', 'pre', 'textarea', 'figure', 'figcaption', 'blockquote', ...headingTags, ...lists)) {
    const name = o.elements[i]?.name ?? ''
    if (name === 'table' && isData(o, i)) keepData(frame, kept, i)
    if (name === 'pre' || (name === 'textarea' && isCodeAreaAt(o, i))) keepCode(frame, kept, i)
    if (name === 'figcaption') keepTableCaption(frame, kept, i)
    if (name === 'figcaption' || name === 'table' || name === 'pre' || name === 'textarea') continue
    const first = blocks.first[i] ?? 0
    const end = blocks.end[i] ?? 0
    if (end <= first || rules.verdict[i] === 1) continue
    const box = name === 'figure' ? boxOf(frame, i) : i
    const before = isKeptBeside(frame, kept, box, first - 1)
    const after = isKeptBeside(frame, kept, box, name === 'figure' ? endOfFigures(frame, i) : end)
    const headed = before && after && (frame.heading[first - 1] ?? 0) > 1 && lists.has(name) && end - first <= mostItems
    if (headed) kept.fill(1, first, end)
    if (headed || kept.subarray(first, end).includes(1)) continue
    const belongs = name === 'blockquote' ? isKeptBeside(frame, kept, boxOf(frame, i), first - 1) && frame.heading[first - 1] === 0 && o.linkText[i] === 0 && end - first <= mostOfQuote && !rules.forum : lists.has(name) ? before && announces(frame, first - 1) : before && after && (name === 'figure' ? isCaptioned(frame, i, chances) : end - first === 1)
    if (belongs) kept.fill(1, first, end)
  }
}

/** Keeps the caption of a kept table in a figure. */
function keepTableCaption({ outline: o, blocks }: Frame, kept: Uint8Array, i: number): void {
  const up = o.parent[i] ?? -1
  if (o.elements[up]?.name !== 'figure' || (o.text[i] ?? 0) > caption) return
  for (let at = up; at < (o.end[up] ?? 0); at++) if (o.elements[at]?.name === 'table' && kept.subarray(blocks.first[at], blocks.end[at]).includes(1)) kept.fill(1, blocks.first[i], blocks.end[i])
}

/** The outermost element that holds nothing but another. */
export function boxOf({ outline: o, blocks }: Frame, i: number): number {
  let box = i
  for (let at = o.parent[i] ?? -1; at >= 0 && blocks.first[at] === blocks.first[i] && blocks.end[at] === blocks.end[i]; at = o.parent[at] ?? -1) box = at
  return box
}

/** Behind the last block of a figure and of those right behind it: pictures in a row stand between the same two texts. */
function endOfFigures({ outline: o, blocks }: Frame, i: number): number {
  let last = i
  for (let at = o.end[i] ?? 0; o.elements[at]?.name === 'figure' && o.parent[at] === o.parent[i]; at = o.end[at] ?? 0) last = at
  return blocks.end[last] ?? 0
}

/** Whether a figure has a caption that belongs to the text around it: one that it can refer to, or below a picture one that may be content. */
function isCaptioned({ outline: o, blocks }: Frame, i: number, chances: Float32Array): boolean {
  const first = blocks.first[i] ?? 0
  const element = o.elements[i]
  if ((o.text[i] ?? 0) > caption || element === undefined) return false
  return numbered.test(blocks.all[first]?.texts[0]?.data ?? '') || ((o.images[i] ?? 0) > 0 && (chances[first] ?? 0) >= captionChance) || written.test(classOf(element))
}

/** Keeps a table of data between two kept parts of a text, with its caption and the headings above it. Furniture may stand between them. */
function keepData(frame: Frame, kept: Uint8Array, i: number): void {
  const { blocks, heading } = frame
  const [first, end] = [blocks.first[i] ?? 0, blocks.end[i] ?? 0]
  if (end <= first || kept.subarray(first, end).includes(1) || isAside(frame, i)) return
  const opens = (block: number): boolean => (heading[block] ?? 0) > 1 || (blocks.all[block]?.measure.letters ?? caption) < caption && numbered.test(blocks.all[block]?.texts[0]?.data.slice(0, 40) ?? '')
  const isBetween = (block: number): boolean => opens(block) || isFurniture(frame, block)
  let [from, to] = [first, end]
  while (first - from < mostBetween && isBetween(from - 1)) from--
  while (to - end < mostBetween && kept[to] !== 1 && isBetween(to)) to++
  if (kept[from - 1] !== 1 || kept[to] !== 1) return
  kept.fill(1, first, end)
  for (let at = from; at < first; at++) if (opens(at)) kept[at] = 1
}

function isCodeAreaAt({ elements }: Outline, i: number): boolean {
  const element = elements[i]
  return element !== undefined && isCodeArea(element)
}

/** Keeps code beside kept text, be it in a box with its caption, and the caption of kept code. */
function keepCode(frame: Frame, kept: Uint8Array, i: number): void {
  const { outline: o, blocks, rules } = frame
  const [first, end] = [blocks.first[i] ?? 0, blocks.end[i] ?? 0]
  if (end <= first || rules.verdict[i] === 1) return
  const omitted = !kept.subarray(first, end).includes(1)
  const belongs = omitted && [i, captionedBox(frame, i) ?? i, o.elements[o.parent[i] ?? -1]?.name === 'figure' ? (figureOfCode(frame, i) ?? i) : i].some((at) => isKeptBeside(frame, kept, at, (blocks.first[at] ?? 0) - 1) || isKeptBeside(frame, kept, at, blocks.end[at] ?? end))
  if (belongs) kept.fill(1, first, end)
  if (belongs || !omitted) keepCaption(frame, kept, i)
}

/** Whether a figure is between kept parts of its text: then its picture belongs to the text, whatever its caption says. */
export function isFigureBetween(frame: Frame, kept: Uint8Array, i: number): boolean {
  const { outline: o, blocks } = frame
  if ((o.text[i] ?? 0) > caption || !isPictured(o, i)) return false
  const [first, end] = [blocks.first[i] ?? 0, blocks.end[i] ?? 0]
  if (o.elements[i]?.name === 'figure' && isKeptBeside(frame, kept, i, first - 1) && isKeptBeside(frame, kept, i, end)) return true
  return kept.subarray(Math.max(first - near, 0), first).includes(1) && kept.subarray(end, end + near).includes(1) && !isAside(frame, i)
}

/** Whether an element is a figure, the box of one and of nothing else, or what is named as the box of a picture. */
function isPictured(o: Outline, i: number): boolean {
  for (let at = i; at <= i + boxes && o.end[at] === o.end[i]; at++) {
    const element = o.elements[at]
    if (element === undefined || element.name === 'figure') return element !== undefined
    if ((o.images[at] ?? 0) > 0 && pictureBox.test(classOf(element))) return true
  }
  return false
}

/** Whether the rules find that an element stands aside. */
function isAside({ outline: o, rules }: Frame, i: number): boolean {
  for (let at = i; at >= 0; at = o.parent[at] ?? -1) if (rules.verdict[at] !== 0) return true
  return false
}

/** Whether a block is kept and has the same parent as an element, directly or further up. */
export function isKeptBeside({ outline: o, blocks }: Frame, kept: Uint8Array, i: number, block: number): boolean {
  const at = blocks.all[block]?.at
  const parent = o.parent[i] ?? -1
  return at !== undefined && kept[block] === 1 && at >= parent && (parent < 0 || at < (o.end[parent] ?? 0))
}

/** Whether a block is a sentence that ends in a colon. */
function announces({ blocks, heading }: Frame, block: number): boolean {
  const { texts = [], measure } = blocks.all[block] ?? {}
  return heading[block] === 0 && (measure?.words ?? 0) >= announcing && /[:：]\s*$/.test(texts[texts.length - 1]?.data.slice(-20) ?? '')
}
