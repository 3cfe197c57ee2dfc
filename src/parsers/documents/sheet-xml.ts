import { columnOf } from './sheet-links.ts'
import { rowsRead } from './sheet-tables.ts'
import { decodeXml } from './xml.ts'

/** Tags of a workbook of Excel 2003 with a long number, and places and spans that are beyond any table. */
const farTag = /<(?:\w+:)?(?:Column|Cell)\s[^<>]*?\d{6}[^<>]*>/g
const farPlace = /\b((?:Index|Span|MergeAcross)=["'])\d{6,}/g
const farRow = /\b(MergeDown=["'])\d{6,}/g
const lastColumn = 16_384
const tags = /<(\/?)((?:\w+:)?)(Worksheet|Row)(?=[\s>/])[^<>]*>/g

/**
 * A workbook of Excel 2003 in XML as the library reads it in time: in UTF-8, with at most so many rows of each table, and
 * with its end where it has none.
 */
export function shortened(bytes: Uint8Array, most: number): Uint8Array {
  const text = decodeXml(bytes).replace(farTag, (tag) => tag.replace(farPlace, `$1${lastColumn}`).replace(farRow, `$1${rowsRead}`))
  const kept: string[] = []
  let from = 0
  let [rows, rowEnd, prefix] = [0, 0, '']
  let open = false
  for (const { index, 0: tag, 1: closes, 2: own = '', 3: name } of text.matchAll(tags)) {
    prefix = own
    if (name === 'Worksheet') {
      open = closes === '' && !tag.endsWith('/>')
      if (!open && rows > most) {
        kept.push(text.slice(from, rowEnd), `</${prefix}Table>`)
        from = index
      }
      rows = 0
    } else if (closes !== '' || tag.endsWith('/>')) {
      if (++rows <= most) rowEnd = index + tag.length
    }
  }
  kept.push(open ? `${text.slice(from, rowEnd)}</${prefix}Table></${prefix}Worksheet></${prefix}Workbook>` : text.slice(from))
  return Buffer.from(kept.join(''))
}

const linkedRange = /(<(?:\w+:)?hyperlink\s[^<>]*?\bref=["'])([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})/g
const farColumn = /(<(?:\w+:)?col\s[^<>]*?\bmax=["'])\d{6,}/g
/** The column beyond which no link reaches from one before it, and the cells that the links of a table may have in all. */
const [lastLinked, linkedCells] = ['GZ', 1_200_000]

/**
 * A worksheet without ranges for which the library would make more cells or columns than any table has: links over whole
 * columns reach as far as rows are read, further ones are those of their first cells.
 */
export function withBoundedRanges(bytes: Uint8Array): Uint8Array {
  // Letter by letter, whatever the encoding is.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  let left = linkedCells
  const bounded = text.replace(farColumn, `$1${lastColumn}`).replace(linkedRange, (_, before: string, ...ends: readonly string[]) => {
    const [first = '', from = '', last = '', to = ''] = ends
    const row = Math.max(Number(from), Math.min(Number(to), rowsRead))
    const column = Math.min(columnOf(last), Math.max(columnOf(first), columnOf(lastLinked)))
    const cells = (row - Number(from) + 1) * (column - columnOf(first) + 1)
    if (cells > left) return `${before}${first}${from}:${first}${from}`
    left -= Math.max(0, cells)
    return `${before}${first}${from}:${column === columnOf(last) ? last : lastLinked}${row}`
  })
  return bounded === text ? bytes : Buffer.from(bounded, 'latin1')
}
