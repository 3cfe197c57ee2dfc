import iconv from 'iconv-lite'
import { attribute, type Document, walkElements } from '../html/tree.ts'

/** Matches a query with non-ASCII letters; addresses of some schemes are not requests. */
const query = /^(?!(?:data|javascript|mailto|tel):)([^?#]*\?)([^#]*[^\0-\x7f][^#]*)/i
const letters = /[^\0-\x7f]+/g
const names: Readonly<Record<string, string>> = { big5: 'big5-hkscs', 'euc-kr': 'cp949', 'iso-8859-8-i': 'iso-8859-8', 'x-mac-cyrillic': 'maccyrillic' }

/**
 * Encodes the queries of a page's addresses in the page's encoding, as browsers do (URL standard, 4.4, query state): a
 * server that sends windows-1251 expects its parameters that way. Paths are always UTF-8.
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

/** A letter that the encoding lacks becomes a character reference. */
function percentOf(letter: string, codec: string): string {
  const bytes = iconv.encode(letter, codec)
  if (iconv.decode(bytes, codec) !== letter) return `%26%23${letter.codePointAt(0) ?? 0}%3B`
  return Array.from(bytes, (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
}
