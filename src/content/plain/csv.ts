import { tableLine } from '../markdown/table-grid.ts'

const maxRows = 5000
const maxColumns = 200
/** A first line that tells Excel the separator; not a record. */
const separatorLine = /^\ufeff?sep=([,;\t|])\r?\n/i

/**
 * Comma-separated values as a table; the first record is the header (RFC 4180). The default separator is the most frequent
 * one in the first line. A last line gives the number of rows beyond a limit. Null when the text is no table: one column,
 * or records of very different lengths.
 */
export function csvTable(text: string, separator?: string): string | null {
  const table = tableOf(text, separator)
  if (table === null) return null
  const lines = table.rows.map((row) => tableLine(row.map(cell)))
  lines.splice(1, 0, tableLine(Array.from({ length: table.width }, () => '---')))
  return `${lines.join('\n')}\n${table.more > 0 ? `\n… and ${table.more} more rows\n` : ''}`
}

/** The rows of such a table as objects, by the names in its header; null when the text is no table. */
export function csvObjects(text: string, separator?: string): Readonly<Record<string, string>>[] | null {
  const table = tableOf(text, separator)
  const [header = [], ...rows] = table?.rows ?? []
  return table === null ? null : rows.map((row) => Object.fromEntries(row.map((value, i) => [header[i]?.trim() ?? '', value.trim()])))
}

function tableOf(text: string, separator: string | undefined): { readonly rows: string[][]; readonly width: number; readonly more: number } | null {
  const named = separatorLine.exec(text)
  const by = named?.[1] ?? separator ?? separatorOf(text)
  const body = text.slice(named?.[0].length ?? 0)
  // Programs of old Macs end their lines with a carriage return alone.
  const { rows, more } = records(body.includes('\n') ? body : body.replaceAll('\r', '\n'), by)
  const width = rows[0]?.length ?? 0
  if (rows.length === 0 || width < 2 || width > maxColumns) return null
  if (rows.filter((row) => row.length > width * 2).length * 10 > rows.length) return null
  return { rows: rows.map((row) => Array.from({ length: width }, (_, i) => (i === width - 1 ? row.slice(i).join(by) : (row[i] ?? '')))), width, more }
}

/** The number of rows that a table of `csvTable` says it omits. */
export function rowsLeftOut(table: string): number {
  return Number(/\n… and (\d+) more rows\n$/.exec(table.slice(-100))?.[1] ?? 0)
}

function separatorOf(text: string): string {
  const end = text.indexOf('\n')
  const head = text.slice(0, end < 0 ? 4000 : Math.min(end, 4000)).replace(/"[^"]*"/g, '')
  const counted = [',', ';', '\t', '|'].map((sign) => ({ sign, count: head.split(sign).length }))
  return counted.reduce((best, next) => (next.count > best.count ? next : best)).sign
}

function records(text: string, separator: string): { rows: string[][]; more: number } {
  const rows: string[][] = []
  let more = 0
  let at = 0
  while (at < text.length) {
    const { fields, next } = record(text, at, separator)
    at = next
    if (fields.length === 1 && fields[0]?.trim() === '') continue
    if (rows.length < maxRows) rows.push(fields)
    else more++
  }
  return { rows, more }
}

/** Parses one record; a quoted field may contain line breaks, separators and doubled quotes. */
function record(text: string, from: number, separator: string): { fields: string[]; next: number } {
  const fields: string[] = []
  let at = from
  for (;;) {
    const start = afterSpaces(text, at)
    const field = text.charAt(start) === '"' ? quoted(text, start, separator) : bare(text, at, separator)
    fields.push(field.value)
    at = field.next
    if (text.charAt(at) !== separator) break
    at++
  }
  const end = text.indexOf('\n', at)
  return { fields, next: end < 0 ? text.length : end + 1 }
}

function afterSpaces(text: string, from: number): number {
  let at = from
  while (text.charAt(at) === ' ') at++
  return at
}

/** A quoted field; what stands behind its quotation marks belongs to it. */
function quoted(text: string, from: number, separator: string): { value: string; next: number } {
  let end = text.indexOf('"', from + 1)
  while (end >= 0 && text.charAt(end + 1) === '"') end = text.indexOf('"', end + 2)
  const stop = end < 0 ? text.length : end
  const rest = bare(text, Math.min(text.length, stop + 1), separator)
  return { value: text.slice(from + 1, stop).replaceAll('""', '"') + rest.value, next: rest.next }
}

function bare(text: string, from: number, separator: string): { value: string; next: number } {
  let at = from
  while (at < text.length && text.charAt(at) !== separator && text.charAt(at) !== '\n') at++
  return { value: text.slice(from, at), next: at }
}

function cell(value: string): string {
  return value.trim().replace(/[|\\]/g, '\\$&').replace(/\s*\r?\n\s*/g, '<br>')
}
