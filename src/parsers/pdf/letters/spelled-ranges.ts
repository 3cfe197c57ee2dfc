import { packedObjects } from './glyph-codes.ts'
import { Objects } from '../file/objects.ts'
import { withObjects } from '../file/update.ts'

/** A table's ranges of codes; one without an end stops at the next. */
const ranges = /beginbfrange(?:(?!beginbfrange)[^])*?endbfrange/g
/** A range with the letters of its first code, when these are three or more: the last one is counted up. */
const range = /<([\dA-Fa-f]{2,8})>\s*<([\dA-Fa-f]{2,8})>\s*<((?:[\dA-Fa-f]{4}){3,20})>/g
const mostCodes = 256
/** Most characters of the lists of a file: a range of thirty characters may stand for a list of twenty thousand. */
const mostSpelled = 2_000_000

/** A range as a list, with the letters of each of its codes. */
function spelled(whole: string, first: string, last: string, letters: string): string {
  const count = Number.parseInt(last, 16) - Number.parseInt(first, 16) + 1
  if (count < 1 || count > mostCodes) return whole
  const [head, end] = [letters.slice(0, -4), Number.parseInt(letters.slice(-4), 16)]
  const all = Array.from({ length: count }, (_, i) => `<${head}${(end + i).toString(16).padStart(4, '0')}>`)
  return `<${first}> <${last}> [${all.join(' ')}]`
}

/**
 * A file whose tables of letters (`ToUnicode`) list what ranges of ligatures stand for; the same bytes when there are none.
 * The native library reads such a range with one or two letters only: "office" becomes "o\ufffdce".
 */
export function withSpelledRanges(bytes: Buffer): Buffer {
  if (bytes.includes('/Encrypt')) return bytes
  const objects = new Objects(bytes, packedObjects(bytes))
  const tables = new Set(objects.numbers().flatMap((number) => [...objects.dictionary(number).matchAll(/\/ToUnicode\s+(\d{1,9})\s+\d+\s+R/g)].map(([, table]) => Number(table))))
  const changed = new Map<number, Buffer>()
  let left = mostSpelled
  const written = (whole: string, first: string, last: string, letters: string): string => {
    const list = left < 0 ? whole : spelled(whole, first, last, letters)
    left -= list.length
    return list
  }
  for (const table of tables) {
    const text = objects.stream(table)?.toString('latin1') ?? ''
    const other = text.replace(ranges, (own) => own.replace(range, written))
    if (other !== text) changed.set(table, Buffer.from(`<< /Length ${other.length} >>\nstream\n${other}\nendstream`, 'latin1'))
  }
  return changed.size === 0 ? bytes : (withObjects(bytes, changed) ?? bytes)
}
