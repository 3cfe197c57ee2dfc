/** Greek letters in the font Symbol by the Latin letters in their positions (Adobe's encoding). */
const greek: Readonly<Record<string, string>> = Object.fromEntries([...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'].map((letter, i) => [letter, [...'ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖαβχδεφγηιϕκλμνοπθρστυϖωξψζ'][i] ?? letter]))
const symbol: Readonly<Record<number, string>> = {
  0x22: '∀', 0x24: '∃', 0x27: '∋', 0x2a: '∗', 0x2d: '−', 0x40: '≅', 0x5c: '∴', 0x5e: '⊥', 0x7e: '∼', 0xa1: 'ϒ', 0xa2: '′', 0xa3: '≤', 0xa4: '⁄', 0xa5: '∞', 0xa6: 'ƒ', 0xa7: '♣', 0xa8: '♦', 0xa9: '♥', 0xaa: '♠', 0xab: '↔', 0xac: '←', 0xad: '↑', 0xae: '→', 0xaf: '↓',
  0xb0: '°', 0xb1: '±', 0xb2: '″', 0xb3: '≥', 0xb4: '×', 0xb5: '∝', 0xb6: '∂', 0xb7: '•', 0xb8: '÷', 0xb9: '≠', 0xba: '≡', 0xbb: '≈', 0xbc: '…', 0xc0: 'ℵ', 0xc1: 'ℑ', 0xc2: 'ℜ', 0xc3: '℘', 0xc4: '⊗', 0xc5: '⊕', 0xc6: '∅', 0xc7: '∩', 0xc8: '∪', 0xc9: '⊃', 0xca: '⊇', 0xcb: '⊄', 0xcc: '⊂', 0xcd: '⊆', 0xce: '∈', 0xcf: '∉',
  0xd0: '∠', 0xd1: '∇', 0xd2: '®', 0xd3: '©', 0xd4: '™', 0xd5: '∏', 0xd6: '√', 0xd7: '⋅', 0xd8: '¬', 0xd9: '∧', 0xda: '∨', 0xdb: '⇔', 0xdc: '⇐', 0xdd: '⇑', 0xde: '⇒', 0xdf: '⇓', 0xe1: '〈', 0xe5: '∑', 0xf1: '〉', 0xf2: '∫',
}
/** Characters of Wingdings that stand for a word or a mark in a text. */
const dingbats: Readonly<Record<number, string>> = { 0x28: '☎', 0x2a: '✉', 0x46: '☞', 0x4a: '☺', 0x6c: '●', 0x6e: '■', 0x6f: '□', 0x71: '❑', 0x75: '◆', 0x76: '❖', 0x9f: '•', 0xa7: '▪', 0xa8: '◻', 0xd8: '➢', 0xdf: '←', 0xe0: '→', 0xe8: '➔', 0xfb: '✗', 0xfc: '✓', 0xfd: '☒', 0xfe: '☑' }

const isSymbol = /^symbol(?:mt|ps)?(?![\p{L}\p{N}])/iu
const isWingdings = /^wingdings$/i

/** The character that a code in a symbol font stands for; '' for a picture without a meaning of its own. */
export function symbolText(code: number, font: string): string {
  if (isWingdings.test(font)) return dingbats[code] ?? ''
  if (!isSymbol.test(font)) return ''
  return symbol[code] ?? (code < 0x80 ? (greek[String.fromCharCode(code)] ?? String.fromCharCode(code)) : '')
}

/** Whether the letters of a font stand for other characters, which `symbolText` knows. */
export const isSymbolFont = (font = ''): boolean => isSymbol.test(font) || isWingdings.test(font)

/** A text as it is displayed in its font: "m" in Symbol is "μ". Its codes may be in the private use area. */
export const shownIn = (text: string, font = ''): string => (isSymbolFont(font) ? text.replace(/[!-\xff\uf021-\uf0ff]/g, (sign) => symbolText(sign.charCodeAt(0) & 0xff, font)) : text)
