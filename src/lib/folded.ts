/** Letters that Unicode does not decompose, and the plain spelling that addresses and hasty writers use. */
const letters: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i', ħ: 'h', ẞ: 'SS', Æ: 'Ae', Œ: 'Oe', Ø: 'O', Ł: 'L', Đ: 'D', Ð: 'D', Þ: 'Th', Ħ: 'H' }

/** The text with plain letters for crossed, joined and dotless ones. */
export function plainLetters(text: string): string {
  return text.replace(/[ßæœøłđðþıħẞÆŒØŁĐÐÞĦ]/g, (letter) => letters[letter] ?? letter)
}

const marks = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f]+/g

/**
 * Normalises a text for comparison with words of many languages: lower case, without the marks of Latin, Greek, Cyrillic, Hebrew and Arabic
 * (often omitted in capitals and in haste), with plain letters and straight apostrophes. Other scripts keep their marks.
 */
export function folded(text: string): string {
  const small = text.toLowerCase()
  if (/^[\x00-\x7f]*$/.test(small)) return small
  return plainLetters(small.normalize('NFD').replace(marks, '').normalize('NFC')).replaceAll('ς', 'σ').replace(/[’‘ʼ]/g, "'")
}

/** A pattern written with marks, rewritten to match folded texts: letters are folded; classes and escapes stay. */
export function foldedPattern(pattern: string): string {
  return pattern.replace(/[^\\]+|\\p\{[\w=]+\}|\\./gu, (part) => (part.startsWith('\\') ? part : folded(part)))
}
