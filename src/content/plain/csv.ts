import { escapeLineStart } from '../markdown/escape.ts'
import { tableLine } from '../markdown/table-grid.ts'

const maxRows = 5000
const maxColumns = 200
/** A first line that tells Excel the separator; not a record. */
const separatorLine = /^\ufeff?sep=([,;\t|])\r?\n/i

/**
 * Comma-separated values as a table; the first record is the header (RFC 4180). The default separator is the most frequent
 * one in the first line. Titles stand above the table, where a file has them above its header. A last line gives the number
 * of rows beyond a limit. Null when the text is no table: one column,
 * or records of very different lengths.
 */
export function csvTable(text: string, separator?: string): string | null {
  const table = tableOf(text, separator)
  if (table === null) return null
  const lines = table.rows.map((row) => tableLine(row.map(cell)))
  lines.splice(1, 0, tableLine(Array.from({ length: table.width }, () => '---')))
  const titles = table.titles.map((title) => `${escapeLineStart(title, false)}\n\n`).join('')
  return `${titles}${lines.join('\n')}\n${table.more > 0 ? `\n… and ${table.more} more rows\n` : ''}`
}

/** The rows of such a table as objects, by the names in its header, of which each is used once; null when the text is no table. */
export function csvObjects(text: string, separator?: string): Readonly<Record<string, string>>[] | null {
  const table = tableOf(text, separator)
  const [header = [], ...rows] = table?.rows ?? []
  const names = toldApart(header.map((name) => name.trim()))
  return table === null ? null : rows.map((row) => Object.fromEntries(row.map((value, i) => [names[i] ?? '', value.trim()])))
}

/** Names of columns; those that columns before have, too, with a number. */
function toldApart(names: readonly string[]): readonly string[] {
  const taken = new Set(names)
  const used = new Set<string>()
  return names.map((name) => {
    let own = name
    for (let number = 2; used.has(own) || (own !== name && taken.has(own)); number++) own = `${name}_${number}`
    used.add(own)
    return own
  })
}

function tableOf(text: string, separator: string | undefined): { readonly titles: readonly string[]; readonly rows: string[][]; readonly width: number; readonly more: number } | null {
  const named = separatorLine.exec(text)
  const body = text.slice(named?.[0].length ?? 0)
  // Programs of old Macs end their lines with a carriage return alone.
  const lines = body.includes('\n') ? body : body.replaceAll('\r', '\n')
  const { titles, from } = titlesOf(lines, named?.[1] ?? separator)
  const whole = lines.slice(from)
  const by = named?.[1] ?? separator ?? separatorOf(whole)
  const { rows, more } = records(whole, by)
  const width = rows[0]?.length ?? 0
  if (rows.length === 0 || width < 2 || width > maxColumns) return null
  if (rows.filter((row) => row.length > width * 2).length * 10 > rows.length) return null
  return { rows: rows.map((row) => Array.from({ length: width }, (_, i) => (i === width - 1 ? row.slice(i).join(by) : (row[i] ?? '')))), titles, width, more }
}

const mostTitles = 6
/** Characters in which the titles of a file are looked for. */
const topOfFile = 4000

const none: { readonly titles: readonly string[]; readonly from: number } = { titles: [], from: 0 }

/** Lines with a single value above the header, and where that begins: the first line whose number of values the next one has. */
function titlesOf(text: string, separator: string | undefined): typeof none {
  const titles: string[] = []
  const top = text.slice(0, topOfFile).replace(/^\ufeff/, ' ')
  const lines = [...top.matchAll(/[^\n]*\S[^\n]*/g)].slice(0, mostTitles + 2)
  for (const [i, { index, 0: line }] of lines.entries()) {
    const by = separator ?? separatorOf(line)
    const values = valuesIn(line, by)
    // A comma before a space is one of a sentence.
    const isHeader = values > 1 && values === valuesIn(lines[i + 1]?.[0] ?? '', by) && !line.includes(', ')
    if (isHeader) return lines.slice(0, i).every(([title]) => valuesIn(title, by) === 1) ? { titles, from: i === 0 ? 0 : index } : none
    titles.push(line.trim().replace(/^"([^"]*)"$/, '$1'))
  }
  return none
}

const valuesIn = (line: string, separator: string): number => line.replace(/"[^"]*"/g, '').split(separator).length

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
