import { isTabList } from '../../../../markdown/tabs.ts'
import { classOf } from '../../../../html/tree.ts'
import type { Frame } from '../../frame.ts'

/** Elements that are boxes around code, and most of them around one. */
const holders: ReadonlySet<string> = new Set(['div', 'figure', 'section', 'table', 'tbody', 'tr', 'td'])
const mostBoxes = 6
/** Most blocks and letters of a box besides its code. */
const mostBlocks = 3
const mostLetters = 160
/** Most letters of a line that only says which language code is in. */
const aLabel = 20
/** Most blocks of the tabs above code, boxes around code (a table for the numbers of its lines is four), and parts of a box in which they are looked for. */
const mostTabs = 12
const mostTabBoxes = 10
const mostParts = 30
/** Names of captions: Sphinx, Docusaurus, Asciidoctor, Material for MkDocs, and others that call it the name of the file. */
const captionName = /(?:^|[\s_-])(?:code-?block-?(?:caption|title|header)|code-?(?:title|caption|header)|caption|title|file-?name)(?:$|[\s_-])/i

/**
 * Keeps the captions of kept code: the name of its file, its number, the names of its tabs. The trees take them for labels.
 */
export function keepCaption(frame: Frame, kept: Uint8Array, code: number): void {
  for (const block of captionsOf(frame, code, boxOfCode(frame, code))) kept[block] = 1
  const { outline: o } = frame
  const figure = o.elements[o.parent[code] ?? -1]?.name === 'figure' ? figureOfCode(frame, code) : undefined
  if (figure !== undefined) kept.fill(1, frame.blocks.end[code], frame.blocks.end[figure])
  keepTabs(frame, kept, code)
}

/** The box of code and its caption; undefined for code without a caption. */
export function captionedBox(frame: Frame, code: number): number | undefined {
  const box = boxOfCode(frame, code)
  return captionsOf(frame, code, box).length > 0 ? box : undefined
}

/** The figure around code, if it begins with the code and ends with its caption. */
export function figureOfCode({ outline: o, blocks }: Frame, code: number): number | undefined {
  const at = o.parent[code] ?? -1
  const next = o.elements[o.end[code] ?? -1]
  const isFigure = blocks.first[at] === blocks.first[code] && next?.name === 'figcaption' && next.parent === o.elements[at]
  return isFigure && (o.text[at] ?? 0) - (o.text[code] ?? 0) <= mostLetters ? at : undefined
}

/** The blocks of a caption: those before the code, between which there are only labels. */
function captionsOf(frame: Frame, code: number, box: number): readonly number[] {
  const { blocks } = frame
  const found: number[] = []
  for (let block = (blocks.first[code] ?? 0) - 1; block >= (blocks.first[box] ?? 0); block--) {
    if (isCaption(frame, box, block)) found.push(block)
    else if ((blocks.all[block]?.measure.letters ?? 0) > aLabel) break
  }
  return found
}

/** The outermost box of code that begins with no more than its caption, and holds nothing behind the code. */
function boxOfCode({ outline: o, blocks }: Frame, code: number): number {
  let box = code
  for (let at = o.parent[code] ?? -1, up = 0; at >= 0 && up < mostBoxes; at = o.parent[at] ?? -1, up++) {
    const before = (blocks.first[code] ?? 0) - (blocks.first[at] ?? 0)
    if (!holders.has(o.elements[at]?.name ?? '') || blocks.end[at] !== blocks.end[code] || before > mostBlocks || (o.text[at] ?? 0) - (o.text[code] ?? 0) > mostLetters) break
    box = at
  }
  return box
}

/** Whether a block in the box of code is named as its caption, or holds what is. */
function isCaption({ outline: o, blocks, rules }: Frame, box: number, block: number): boolean {
  const named = (at: number): boolean => {
    const element = o.elements[at]
    return element !== undefined && (element.name === 'figcaption' || captionName.test(classOf(element)))
  }
  const { at: owner = -1, places = [] } = blocks.all[block] ?? {}
  let found = places.some(named)
  for (let at = owner; at > box; at = o.parent[at] ?? -1) {
    if (rules.verdict[at] === 1) return false
    found ||= named(at)
  }
  return found
}

/** Keeps the names of tabs that stand in a box around code, before it. */
function keepTabs({ outline: o, blocks, rules }: Frame, kept: Uint8Array, code: number): void {
  for (let up = o.parent[code] ?? -1, boxes = 0; up >= 0 && boxes < mostTabBoxes && holders.has(o.elements[up]?.name ?? ''); up = o.parent[up] ?? -1, boxes++) {
    for (let at = up + 1, part = 0; at < code && part < mostParts; at = o.end[at] ?? code, part++) {
      const element = o.elements[at]
      if (element === undefined || rules.verdict[at] === 1 || !isTabList(element)) continue
      const [from, end] = [blocks.first[at] ?? 0, blocks.end[at] ?? 0]
      if (end > from && end - from <= mostTabs && (o.text[at] ?? 0) <= mostLetters) kept.fill(1, from, end)
      return
    }
  }
}
