import type { CellObject } from '@e965/xlsx'
import { isXml } from './xml.ts'
import type { Parts } from './zip.ts'

const called = 'HYPERLINK('
const letters = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')

/** The call of that function with one or two arguments in the binary forms ([MS-XLS] 2.5.198.63, [MS-XLSB] 2.5.97.35). */
const calledInBytes = /[\x22\x42\x62][\x01\x02]\x67\x01/

/** Whether cells of a workbook may have links that a formula makes; the library takes longer to tell the formulas. */
export function mayLink(bytes: Uint8Array, parts: Parts): boolean {
  if (parts.size === 0) return isXml(bytes) ? letters(bytes).includes(called) : calledInBytes.test(letters(bytes))
  return [...parts].some(([path, part]) => (path.endsWith('.xml') ? letters(part).includes(called) : /^xl\/worksheets\/[^/]+\.bin$/i.test(path) && calledInBytes.test(letters(part))))
}

const longest = 2_000
/** A text in quotes, or the cell of the same table. */
const part = /\s*(?:"((?:[^"]|"")*)"|(?:\[\.)?\$?([A-Z]{1,3})\$?(\d{1,7})\]?)\s*([&,;)])/y

/** The number of a column, from 0. */
export const columnOf = (name: string): number => [...name].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1

/**
 * The address that a cell leads to: its own, or that of a formula which joins it from texts and cells of the table. What
 * else a formula may reckon is not guessed.
 */
export function addressOf({ l: own, f: formula }: CellObject, valueAt: (row: number, column: number) => CellObject | undefined): string | undefined {
  if (own !== undefined || formula === undefined) return own?.Target
  const start = /^(?:\w{1,10}:)?=?HYPERLINK\(/.exec(formula.slice(0, longest))
  if (start === null) return undefined
  let address = ''
  part.lastIndex = start[0].length
  for (let found = part.exec(formula); found !== null; found = part.exec(formula)) {
    const [, text, column, row, end] = found
    address += text === undefined ? String(valueAt(Number(row) - 1, columnOf(column ?? ''))?.v ?? '') : text.replaceAll('""', '"')
    if (end !== '&') return address
  }
  return undefined
}
