import { cffNames } from './cff.ts'
import { mathNames } from './math-names.ts'
import type { Objects } from '../file/objects.ts'

const fontType = /\/Subtype\s{0,4}\/Type1(?![\w-])/
const reference = (name: string): RegExp => new RegExp(`/${name}\\s+(\\d{1,9})\\s+\\d+\\s+R`)
const [descriptorOf, typeOneOf, compactOf] = ['FontDescriptor', 'FontFile', 'FontFile3'].map(reference)
const mostFonts = 500
/** Names that only count the glyphs of a font. */
const counted = /^(?!u(?:ni)?[\dA-F]{4,6}$)[A-Za-z]{1,5}\.?\d+$/
/** A code and its name in an embedded font of type 1. */
const typeOneNames = /dup\s+(\d{1,3})\s*\/([\w.]{1,60})\s+put/g

/** Whether a file may have fonts with names of letters; `packed` are the objects in object streams. */
export const mayHaveNames = (bytes: Buffer, packed: ReadonlyMap<number, string>): boolean => bytes.includes('/Type1') || bytes.includes('/Differences') || [...packed.values()].some((text) => fontType.test(text) || text.includes('/Differences'))

/** The names of letters in an embedded font; null when the library knows them without our help. */
function namesOf(objects: Objects, descriptor: string): ReadonlyMap<number, string> | null {
  const compact = compactOf?.exec(descriptor)?.[1]
  const program = objects.stream(Number(compact ?? typeOneOf?.exec(descriptor)?.[1]))
  if (program === null) return null
  if (compact !== undefined) return cffNames(program)
  const names = new Map([...program.toString('latin1', 0, Math.max(0, program.indexOf('eexec'))).matchAll(typeOneNames)].map(([, code, name = '']) => [Number(code), name]))
  return [...names.values()].some((name) => mathNames.has(name)) ? names : null
}

/**
 * The fonts of a file that say only in the embedded font which letters their codes are, by number, with that said in their
 * dictionaries. The native library does not read it in the compact format, and takes codes for ASCII whose names it does not
 * know: "\\input" becomes "ninput", and "x ≠ y" becomes "x 6= y".
 */
export function withBuiltIn(objects: Objects): Map<number, Buffer> {
  const found = new Map<number, Buffer>()
  const dictionaries = objects.dictionaries()
  for (const [number, font] of dictionaries) {
    const descriptor = descriptorOf?.exec(font)?.[1]
    if (descriptor === undefined || !fontType.test(font) || /\/(?:Encoding|ToUnicode)\b/.test(font)) continue
    const names = found.size < mostFonts ? namesOf(objects, objects.dictionary(Number(descriptor))) : null
    const rows = [...(names ?? [])].flatMap(([code, name]) => (name === '' || name === '.notdef' || counted.test(name) ? [] : [`${code} /${usualName(name)}`]))
    const end = font.lastIndexOf('>>')
    if (rows.length > 0 && end > 0) found.set(number, Buffer.from(`${font.slice(0, end)} /Encoding << /Type /Encoding /Differences [${rows.join(' ')}] >> >>`, 'latin1'))
  }
  return found
}

function usualName(name: string): string {
  const code = mathNames.get(name)
  return code === undefined ? name : `uni${code}`
}
