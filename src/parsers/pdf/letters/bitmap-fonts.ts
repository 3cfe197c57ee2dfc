import { withCorkLetters, withNumberedLetters } from './numbered-letters.ts'
import { listed } from './unnamed-glyphs.ts'

/**
 * The signs of TeX's companion encoding (TS1) from code 128 on, and two more. Its fonts have signs of currencies and units only;
 * those of TeX's Cork encoding have letters at the same codes.
 */
const first = 128
const signs = [...'˘ˇ˝̏†‡‖‰•℃$¢ƒ₡₩₦₲₱₤℞‽⸘₫™‱¶฿№⁒℮◦℠⁅⁆¢£¤¥¦§¨©ª🄯¬℗®¯°±²³´µ¶·※¹º√¼½¾€']
const others: ReadonlyMap<number, string> = new Map([[214, '×'], [246, '÷']])
const signOf = (code: number): string | undefined => signs[code - first] ?? others.get(code)

/** The codes and names in the list of a font's glyph names. */
const entry = /(\d{1,3})(?![\w.])|\/([\w.]{1,60})/g

/** Letters of which a font of text has some. */
const frequent = /[aeost]/g
const leastFrequent = 2

const isText = (codes: readonly number[]): boolean => (String.fromCharCode(...codes).match(frequent)?.length ?? 0) >= leastFrequent

/** Whether a font has signs of the companion encoding only: a font of text with letters with accents has plain letters, too. */
function isCompanion(codes: readonly number[]): boolean {
  const high = codes.filter((code) => code >= first)
  return high.length > 0 && high.every((code) => signOf(code) !== undefined) && !/[A-Za-z]/.test(String.fromCharCode(...codes))
}

/** A name that is only a code; in dvipdfmx a hexadecimal one. */
const isNumber = (name: string, code: number): boolean => name === `a${code}` || name === `x${code.toString(16).toUpperCase().padStart(2, '0')}`

/** The codes in a list of glyph names whose names are only their codes ("a191", "xBF"); none for all other lists. */
function codesIn(list: string): number[] {
  const codes: number[] = []
  let code = 0
  for (const [, number, name = ''] of list.matchAll(entry)) {
    if (number !== undefined) code = Number(number)
    else if (name === '.notdef' || isNumber(name, code)) {
      if (name !== '.notdef') codes.push(code)
      code++
    } else return []
  }
  return codes
}

/**
 * The dictionaries of TeX's bitmap fonts, or of their encodings, with usual names of letters and signs. The native library
 * takes their own names for ornaments: "€ 20" would become "➾ 20". Fonts with few letters, such as digits, are read as text
 * where the file has a bitmap font that is one of text.
 */
export function withBitmapNames(dictionaries: ReadonlyMap<number, string>): Map<number, string> {
  const fonts = [...dictionaries].filter(([, dictionary]) => dictionary.includes('/Differences')).map(([number, dictionary]) => ({ number, dictionary, codes: codesIn(listed.exec(dictionary)?.[1] ?? '') })).filter(({ codes }) => codes.length > 0)
  const haveText = fonts.some(({ codes }) => isText(codes))
  return new Map(fonts.flatMap(({ number, dictionary, codes }) => {
    const reading = isCompanion(codes) ? signOf : haveText ? (isText(codes) ? letterOf : numberedOf) : null
    return reading === null ? [] : [[number, dictionary.replace(listed, `/Differences [${codes.map((code) => `${code} /${nameOf(reading(code) ?? '', code)}`).join(' ')}]`)]]
  }))
}

const letterOf = (code: number): string => withCorkLetters(String.fromCharCode(code))
const numberedOf = (code: number): string => withNumberedLetters(String.fromCharCode(code))

function nameOf(letters: string, code: number): string {
  if (letters === '') return `a${code}`
  return [...letters].map((letter) => (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')).map((hex) => (hex.length === 4 ? `uni${hex}` : `u${hex}`)).join('_')
}
