import type { Placed } from '../page/placed.ts'
import { cellsFrom, type Column, type Line, placedTable, withTables, written } from './table-places.ts'

/** Lines closer than this share of the row distance belong to the same cell. */
const leastPitch = 0.8

const isNumber = (text: string): boolean => /^[-+−–(]?\s?[$€£¥]?\s?\d[\d.,'’]*\s?[%€$£¥)]{0,2}$/.test(text)

/** Splits a markdown row by the lines it was made from; null when these are one row, or when it is not certain. */
function splitRow(lines: readonly Line[], cells: readonly string[], columns: readonly (Column | undefined)[]): string[][] | null {
  const rows = lines.map((line) => cellsFrom([line], columns, cells.length))
  if (!cells.every((cell, i) => rows.map((row) => row[i] ?? '').filter((text) => text !== '').join(' ') === cell)) return null
  // Numbers do not wrap: a number below another, or beside a label of its own, starts a row.
  const own = rows.every((row, i) => row.some((text, at) => at > 0 && isNumber(text) && (row[0] !== '' || rows.slice(0, i).some((above) => isNumber(above[at] ?? '')))))
  return own ? rows : null
}

function splitTable(table: readonly string[], lines: readonly Line[]): readonly string[] {
  const { cells, places, spans } = placedTable(table, lines)
  const yOf = (line: number): number => lines[line]?.y ?? 0
  const pitches = places.flatMap((place, i) => {
    const before = places.slice(0, i).findLast((one) => one !== null)
    return place === null || before === null || before === undefined || before[1] !== place[0] ? [] : [yOf(before[1] - 1) - yOf(place[0])]
  })
  const pitch = Math.min(...pitches) * leastPitch
  return table.flatMap((row, i) => {
    const [start, end] = places[i] ?? [0, 0]
    // The first row is the head, whose lines belong together.
    if (i === 0 || end - start < 2) return [row]
    const own = lines.slice(start, end)
    const isClose = own.some(({ y }, j) => j > 0 && yOf(start + j - 1) - y < pitch)
    const made = isClose ? null : splitRow(own, cells[i] ?? [], spans)
    return made === null ? [row] : made.map(written)
  })
}

/** Splits table rows that the library merged because some of their cells are empty. Uncertain rows stay as they are. */
export const withSplitRows = (markdown: string, items: readonly Placed[]): string => withTables(markdown, items, splitTable)
