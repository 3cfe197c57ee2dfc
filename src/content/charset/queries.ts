import iconv from 'iconv-lite'
import { attribute, type Document, walkElements } from '../tree.ts'

/** A query with letters that an address has to be rid of; addresses of other schemes are no requests. */
const query = /^(?!(?:data|javascript|mailto|tel):)([^?#]*\?)([^#]*[^\0-\x7f][^#]*)/i
const letters = /[^\0-\x7f]+/g
const names: Readonly<Record<string, string>> = { big5: 'big5-hkscs', 'euc-kr': 'cp949', 'iso-8859-8-i': 'iso-8859-8', 'x-mac-cyrillic': 'maccyrillic' }

/**
 * Writes the queries of a page's addresses in the bytes of its encoding, as browsers do (URL standard, 4.4: the query state): a server
 * that sends windows-1251 reads its parameters so. Paths are UTF-8 everywhere.
 */
export function encodeQueries(document: Document, encoding: string): void {
  const codec = names[encoding] ?? encoding
  if (encoding.startsWith('utf-') || !iconv.encodingExists(codec)) return
  walkElements(document, (element) => {
    for (const name of ['href', 'src']) {
      const value = attribute(element, name)
      if (value === undefined || !value.includes('?')) continue
      const found = query.exec(value)
      if (found) element.attribs[name] = `${found[1]}${(found[2] ?? '').replace(letters, (text) => inBytes(text, codec))}${value.slice(found[0].length)}`
    }
  })
}

const inBytes = (text: string, codec: string): string => Array.from(text, (letter) => percentOf(letter, codec)).join('')

/** What the encoding lacks is written as HTML writes it. */
function percentOf(letter: string, codec: string): string {
  const bytes = iconv.encode(letter, codec)
  if (iconv.decode(bytes, codec) !== letter) return `%26%23${letter.codePointAt(0) ?? 0}%3B`
  return Array.from(bytes, (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
}
