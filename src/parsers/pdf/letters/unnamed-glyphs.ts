/** The list of a font's glyph names, and the codes and names in it. */
export const listed = /\/Differences\s{0,4}\[([^[\]<>()]{0,8000})\]/
const encodingOf = /\/Encoding\s+(\d{1,9})\s+\d{1,5}\s+R/
/** Stands for a letter that a font does not say: the native library distrusts pages with "\ufffd", and returns them empty. */
export const unknownSign = '\u2bd1'
const names = /\/([\w.]{1,60})/g

/** Names that say a letter by its code in hexadecimal, as viewers read them, unless some are codes below that of the space. */
const hexadecimal = /^(?:G[\dA-F]{2}|g[\dA-Fa-f]{4})$/
/** Names that only count the glyphs of a font. A few such names are those of a usual sign (Adobe Glyph List). */
const counted = /^(?:[gGcC]|H(?!(?:18533|18543|18551|22073)$)|cid|glyph|index|char|MT)\.?\d{1,5}$/
/** Names that are numbers with digits up to "Z". */
const numerals = /^(?!AE$|OE$)[A-Z][\dA-Z]$/
const first = 32

/** Fonts as the native library must see them, by number, and whether some of their letters remain unknown. */
export interface Named {
  readonly changed: ReadonlyMap<number, string>
  readonly haveUnknown: boolean
}

/**
 * The dictionaries of fonts that name some of their glyphs by numbers only, or of their encodings, with names that the native
 * library knows. It omits such glyphs, or whole pages with them. The names of unknown letters become that of `unknownSign`, so
 * that nothing is omitted without a word. Fonts that name all glyphs by numbers stay: their codes may be letters.
 */
export function withNamedGlyphs(dictionaries: ReadonlyMap<number, string>): Named {
  const fonts = [...dictionaries].filter(([, dictionary]) => dictionary.includes('/Subtype') && dictionary.includes('/Encoding') && !dictionary.includes('/ToUnicode'))
  const encodings = new Set(fonts.flatMap(([number, dictionary]) => (listed.test(dictionary) ? [number] : [Number(encodingOf.exec(dictionary)?.[1])])))
  const changed = new Map<number, string>()
  let haveUnknown = false
  for (const number of encodings) {
    const dictionary = dictionaries.get(number) ?? ''
    const [list, own = ''] = listed.exec(dictionary) ?? []
    const all = [...own.matchAll(names)].map(([, name = '']) => name)
    if (list === undefined || !all.some((name) => hexadecimal.test(name) || counted.test(name))) continue
    const areMixed = all.some((name) => !counted.test(name) && !hexadecimal.test(name) && !numerals.test(name) && name !== '.notdef' && name !== 'space')
    const areCodes = all.every((name) => !hexadecimal.test(name) || Number.parseInt(name.slice(1), 16) >= first)
    const other = list.replace(names, (whole, name: string) => {
      if (areCodes && hexadecimal.test(name)) return `/uni${name.slice(1).toUpperCase().padStart(4, '0')}`
      if (!areMixed || !(counted.test(name) || hexadecimal.test(name))) return whole
      haveUnknown = true
      return '/uni2BD1'
    })
    if (other !== list) changed.set(number, dictionary.replace(list, () => other))
  }
  return { changed, haveUnknown }
}
