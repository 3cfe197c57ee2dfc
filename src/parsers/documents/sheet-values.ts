import type { CellObject, SSF } from '@e965/xlsx'

/** What formats a number by the code of a cell. */
export interface NumberFormat {
  readonly format: typeof SSF.format
  /** Whether days are counted from 1904 on, as old Macs did. */
  readonly date1904: boolean
}

/** A point between the parts of a date, which the library takes for the start of a fraction: "dd.mm.yyyy". */
const datePoint = /"[^"]*"|\\.|\.(?!0)/g

/** What a reader of the table sees in a cell; empty where it holds nothing. */
export function shownValue(cell: CellObject, numbers: NumberFormat): string {
  if (cell.t === 'z') return cell.f === undefined ? '' : `=${cell.f}`
  if (cell.t === 'b') return cell.v === true ? 'TRUE' : 'FALSE'
  if (typeof cell.v === 'number' && cell.t === 'n') return shownNumber(cell.v, cell, numbers)
  return cell.w ?? (cell.v instanceof Date ? cell.v.toISOString() : String(cell.v ?? ''))
}

function shownNumber(value: number, { w: shown, z: code }: CellObject, numbers: NumberFormat): string {
  // A cell that has no format of its own is as wide as its number: article and account numbers keep their digits.
  if (shown !== undefined) return (code === undefined || code === 'General') && /E\+/i.test(shown) ? inFull(value) ?? shown : shown
  return byCode(value, String(code ?? 'General'), numbers) ?? String(value)
}

/** All digits that a number of a workbook has, which are fifteen. */
function inFull(value: number): string | undefined {
  return Math.abs(value) < 1e21 ? String(Number(value.toPrecision(15))) : undefined
}

function byCode(value: number, code: string, { format, date1904 }: NumberFormat): string | undefined {
  try {
    return format(code.replace(datePoint, (part) => (part === '.' ? '\\.' : part)), value, { date1904 })
  } catch {
    // A code that no program of ours knows: the number as it is.
    return undefined
  }
}
