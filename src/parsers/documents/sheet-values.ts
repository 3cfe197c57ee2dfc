import type { CellObject, SSF } from '@e965/xlsx'

/** Formats a number by the format code of a cell. */
export interface NumberFormat {
  readonly format: typeof SSF.format
  /** Whether dates count from 1904, as on old Macs. */
  readonly date1904: boolean
}

/** A full stop between the parts of a date ("dd.mm.yyyy"), which the library takes for a fraction. */
const datePoint = /"[^"]*"|\\.|\.(?!0)/g

/** The displayed value of a cell; '' when it is empty. */
export function shownValue(cell: CellObject, numbers: NumberFormat | undefined): string {
  if (cell.t === 'z') return cell.f === undefined ? '' : `=${cell.f}`
  if (cell.t === 'b') return cell.v === true ? 'TRUE' : 'FALSE'
  if (typeof cell.v === 'number' && cell.t === 'n') return shownNumber(cell.v, cell, numbers)
  return cell.w ?? (cell.v instanceof Date ? cell.v.toISOString() : String(cell.v ?? ''))
}

function shownNumber(value: number, { w: shown, z: code }: CellObject, numbers: NumberFormat | undefined): string {
  // A cell that has no format of its own is as wide as its number: article numbers and coordinates keep their digits. What has no code at all may be shown by a format that the library does not tell.
  if (shown !== undefined) return code === 'General' || (code === undefined && /E\+/i.test(shown)) ? inFull(value) ?? shown : shown
  return (numbers && byCode(value, String(code ?? 'General'), numbers)) ?? String(value)
}

/** A number with all of its 15 significant digits; undefined when that takes an exponent. */
export function inFull(value: number): string | undefined {
  const digits = String(Number(value.toPrecision(15)))
  return digits.includes('e') ? undefined : digits
}

function byCode(value: number, code: string, { format, date1904 }: NumberFormat): string | undefined {
  try {
    return format(code.replace(datePoint, (part) => (part === '.' ? '\\.' : part)), value, { date1904 })
  } catch {
    // An unknown format code: the number is shown as it is.
    return undefined
  }
}
