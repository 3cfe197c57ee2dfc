import { attribute } from '../../../../html/tree.ts'
import type { Block } from '../../blocks.ts'
import type { Frame } from '../../frame.ts'
import { isIn } from '../lines.ts'

/** Most letters of a link to a file. */
const longest = 300
/** Most blocks in a row that the text encloses. */
const mostBetween = 6
/** Elements around a text in which its link is looked for, and around that in which the kept text is. */
const boxes = 3
/** Files that a text hands on to its readers. */
export const file = /\.(?:pdf|docx?|odt|rtf|xlsx?|ods|csv|pptx?|odp|epub|zip|gpx|ics|txt)(?:[?#]|$)/i
const edges: ReadonlySet<string> = new Set(['nav', 'aside', 'footer', 'form'])

/**
 * Keeps the files that the text of a page hands on between two of its kept parts. The trees take a link in a line of its
 * own for furniture.
 */
export function keepFiles(frame: Frame, kept: Uint8Array): void {
  const { blocks, rules } = frame
  if (rules.forum) return
  let from = kept.indexOf(1)
  for (let to = from + 1; from >= 0 && to < kept.length; to++) {
    if (kept[to] !== 1) continue
    const between = to - from <= mostBetween ? blocks.all.slice(from + 1, to) : []
    for (const [at, block] of between.entries()) if (isEnclosed(frame, block, { from, to })) kept[from + 1 + at] = 1
    from = to
  }
}

/** Whether a block is nothing but links, one of them to a file, in the same box as the kept blocks before and after it. */
function isEnclosed(frame: Frame, block: Block, { from, to }: { readonly from: number; readonly to: number }): boolean {
  if (block.linkLetters === 0 || block.linkLetters < block.measure.letters || block.measure.letters > longest || isIn(frame, block, edges)) return false
  const link = linkOf(frame, block)
  return link >= 0 && isWithinBoth(frame, link, from, to)
}

/** The first link of a block that leads to a file; -1 for none. */
function linkOf({ outline: o }: Frame, { places }: Block): number {
  for (const place of places) {
    for (let i = place, up = 0; i >= 0 && up < boxes; i = o.parent[i] ?? -1, up++) {
      const element = o.elements[i]
      if (element?.name === 'a' && (attribute(element, 'download') !== undefined || file.test(attribute(element, 'href') ?? ''))) return i
    }
  }
  return -1
}

/** Whether an element near around a part holds both kept blocks. */
function isWithinBoth({ outline: o, blocks }: Frame, part: number, from: number, to: number): boolean {
  for (let i = o.parent[part] ?? -1, up = 0; i >= 0 && up < boxes; i = o.parent[i] ?? -1, up++) {
    if ((blocks.first[i] ?? 0) <= from && (blocks.end[i] ?? 0) > to) return true
  }
  return false
}
