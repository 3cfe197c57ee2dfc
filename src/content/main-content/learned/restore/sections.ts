import { headingTags } from '../../../html/tag-sets.ts'
import { oneLine, textOf } from '../../../html/tree.ts'
import { isManual, mayBeManual } from '../../kinds/manual.ts'
import { isClosingLine, longestClosing } from '../../root/closing-lines.ts'
import { type Frame, ofKind, withName } from '../frame.ts'
import { keepOutside, lettersBefore } from './lines.ts'

const holders: ReadonlySet<string> = new Set(['div', 'main', 'article', 'section'])
const edges: ReadonlySet<string> = new Set(['nav', 'footer', 'header', 'form', 'button', 'select'])
/** Cells of tables repeat what stands in others. */
const cells: ReadonlySet<string> = new Set(['td', 'th'])
const aroundArticle: ReadonlySet<string> = new Set(['main', 'section'])
/** An element with this many kept letters, and this share of its letters kept, is kept with its sections. */
const fewest = 300
const share = 0.5
/** The largest share of the letters of a section that are in links beside its text. */
const mostLinked = 0.25
/** The share of its letters from which on a page of a manual is kept whole. */
const shareOfManual = 0.2

/** Keeps pages of manuals of which some is kept whole, without what the rules call furniture. */
export function keepManuals(frame: Frame, kept: Uint8Array): void {
  const { outline: o, blocks } = frame
  let done = 0
  for (const i of ofKind(frame, mayBeManual)) {
    const element = o.elements[i]
    if (i < done || element === undefined || !isManual(element)) continue
    let letters = 0
    for (let at = blocks.first[i] ?? 0; at < (blocks.end[i] ?? 0); at++) if (kept[at] === 1) letters += blocks.all[at]?.measure.letters ?? 0
    if (letters < (o.text[i] ?? 0) * shareOfManual) continue
    done = o.end[i] ?? 0
    keepOutside(frame, kept, i)
  }
}

/** Keeps omitted sections without links in an element that is mostly kept: options, seller, acknowledgements. */
export function keepSections(frame: Frame, kept: Uint8Array): void {
  const { outline: o, blocks, rules } = frame
  if (rules.forum) return
  const [all, left] = [lettersBefore(frame), lettersBefore(frame, kept)]
  for (const i of withName(frame, ...holders)) {
    const [first, end] = [blocks.first[i] ?? 0, blocks.end[i] ?? 0]
    const letters = (left[end] ?? 0) - (left[first] ?? 0)
    if (letters >= fewest && letters >= ((all[end] ?? 0) - (all[first] ?? 0)) * share) {
      keepThoseOf(frame, kept, i)
      keepBoxesOf(frame, kept, i)
      if (o.elements[i]?.name === 'article' && o.elements[o.end[i] ?? 0]?.name === 'p' && aroundArticle.has(o.elements[o.parent[i] ?? -1]?.name ?? '')) keepParagraphsBehind(frame, kept, i)
    }
  }
}

/** Keeps the sections among the children of an element: a heading and everything up to the next heading. */
function keepThoseOf(frame: Frame, kept: Uint8Array, i: number): void {
  const { outline: o, blocks } = frame
  const end = o.end[i] ?? i + 1
  for (let at = i + 1; at < end; ) {
    const heads = isHeading(frame, at)
    const from = blocks.first[at] ?? 0
    let said = 0
    let belongs = heads && isText(frame, at)
    at = o.end[at] ?? end
    if (!heads) continue
    for (; at < end && !isHeading(frame, at); at = o.end[at] ?? end) {
      belongs &&= isText(frame, at)
      said += o.text[at] ?? 0
    }
    const to = at < end ? (blocks.first[at] ?? 0) : (blocks.end[i] ?? 0)
    if (belongs && said > 0) keepOmitted(frame, kept, from, to)
  }
}

/** Keeps the paragraphs right behind an article that is mostly kept, and leaves out those that only say what sites say at the end of a page. */
function keepParagraphsBehind(frame: Frame, kept: Uint8Array, article: number): void {
  const { outline: o, blocks } = frame
  const end = o.end[o.parent[article] ?? -1] ?? 0
  for (let at = o.end[article] ?? end; at < end && isText(frame, at); at = o.end[at] ?? end) {
    const element = o.elements[at]
    if (element?.name !== 'p') break
    const [first, last] = [blocks.first[at] ?? 0, blocks.end[at] ?? 0]
    if ((o.text[at] ?? 0) < longestClosing && isClosingLine(oneLine(textOf(element, longestClosing * 2)))) kept.fill(0, first, last)
    else keepOmitted(frame, kept, first, last)
  }
}

/** Keeps the sections among the children of an element that stand in boxes of their own, right beside one that is kept. */
function keepBoxesOf(frame: Frame, kept: Uint8Array, i: number): void {
  const { outline: o, blocks } = frame
  const end = o.end[i] ?? i + 1
  let before = -1
  for (let at = i + 1, next = end; at < end; before = at, at = next) {
    next = o.end[at] ?? end
    if (!beginsWithHeading(frame, at)) continue
    const isBeside = isKeptTwin(frame, kept, at, before) || (next < end && isKeptTwin(frame, kept, at, next))
    if (isBeside && isBox(frame, at)) keepOmitted(frame, kept, blocks.first[at] ?? 0, blocks.end[at] ?? 0)
  }
}

/** Keeps blocks of which none is kept and none was on the page before: in a table of data, a few may have been. Links stay out. */
function keepOmitted({ outline: o, blocks, seen }: Frame, kept: Uint8Array, from: number, to: number): void {
  if (kept.subarray(from, to).includes(1)) return
  for (let i = from; i < to; i++) if (seen[i] === 1 && !cells.has(o.elements[blocks.all[i]?.at ?? -1]?.name ?? '')) return
  for (let i = from; i < to; i++) kept[i] = Number(blocks.all[i]?.links === 0)
}

/** Whether an element is written like another one, and kept. */
function isKeptTwin({ blocks, kind }: Frame, kept: Uint8Array, i: number, twin: number): boolean {
  return twin >= 0 && kind[twin] === kind[i] && kept.subarray(blocks.first[twin], blocks.end[twin]).includes(1)
}

/** Whether an element may be a box around a section: it begins with a heading. */
function beginsWithHeading(frame: Frame, i: number): boolean {
  const { outline: o } = frame
  return o.parent[i + 1] === i && isHeading(frame, i + 1) && holders.has(o.elements[i]?.name ?? '')
}

/** Whether an element that begins with a heading is a section in a box of its own: it says more, and all of it is text but a link that leads on. */
function isBox(frame: Frame, i: number): boolean {
  const { outline: o } = frame
  const first = i + 1
  const text = o.text[i] ?? 0
  if (frame.rules.verdict[i] !== 0 || text <= (o.text[first] ?? 0) || (o.linkText[i] ?? 0) > text * mostLinked) return false
  for (let at = first; at < (o.end[i] ?? 0); at = o.end[at] ?? Number.POSITIVE_INFINITY) if (!isText(frame, at) && o.elements[at]?.name !== 'a') return false
  return true
}

const isHeading = ({ outline: o }: Frame, at: number): boolean => headingTags.has(o.elements[at]?.name ?? '')

/** Whether an element is kept by the rules, has no links, and is no control. */
function isText({ outline: o, rules }: Frame, at: number): boolean {
  return rules.verdict[at] === 0 && (o.linkText[at] ?? 0) === 0 && !edges.has(o.elements[at]?.name ?? '')
}
