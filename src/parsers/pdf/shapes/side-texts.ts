import { linesOf } from '../native/table-places.ts'
import type { Placed } from '../page/placed.ts'

/** A heading is larger than its text by this factor, or bold. */
const larger = 1.1
const sentence = /\p{L}{2}.*\s.*[.!?…]["'”’»)]?$/u

export const isBold = (items: readonly Placed[]): boolean => items.every((item) => item.isBold === true)
const sizeOf = (items: readonly Placed[]): number => Math.max(...items.map(({ height }) => height))

/** Whether a cell is a text with a heading of its own. */
function isHeaded(cell: readonly Placed[]): boolean {
  const [first, ...others] = linesOf(cell)
  const rest = others.flatMap(({ items }) => items)
  if (first === undefined || !rest.some(({ text }) => /\p{L}{2}/u.test(text))) return false
  return (isBold(first.items) && !isBold(rest)) || sizeOf(first.items) > sizeOf(rest) * larger
}

/** Whether a cell is a sentence, or several lines of words. */
function isText(cell: readonly Placed[]): boolean {
  const lines = linesOf(cell).map(({ words }) => words.join(' '))
  return lines.length > 1 ? lines.every((line) => /\p{L}/u.test(line)) : sentence.test(lines[0] ?? '')
}

/** Whether all cells are texts with headings of their own, as those of offers or small ads: a table has one head. */
export const areHeaded = (rows: readonly (readonly (readonly Placed[])[])[]): boolean => rows.flat().filter((cell) => cell.length > 0).every(isHeaded)

/** Whether all cells, those of the first row too, are texts: a table has a head, labels or values. */
export const areTexts = (rows: readonly (readonly (readonly Placed[])[])[]): boolean => rows.flat().filter((cell) => cell.length > 0).every((cell) => isText(cell) || isHeaded(cell))
