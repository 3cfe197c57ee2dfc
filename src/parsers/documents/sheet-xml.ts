import { decodeXml } from './xml.ts'

const tags = /<(\/?)((?:\w+:)?)(Worksheet|Row)(?=[\s>/])[^<>]*>/g

/**
 * A workbook of Excel 2003 in XML as the library reads it in time: in UTF-8, with at most so many rows of each table, and
 * with its end where it has none.
 */
export function shortened(bytes: Uint8Array, most: number): Uint8Array {
  const text = decodeXml(bytes)
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
