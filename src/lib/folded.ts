/** Letters that no mark can be taken off, as addresses and haste write them. */
const letters: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i', ħ: 'h', ẞ: 'SS', Æ: 'Ae', Œ: 'Oe', Ø: 'O', Ł: 'L', Đ: 'D', Ð: 'D', Þ: 'Th', Ħ: 'H' }

/** A text with plain letters for those that are crossed, joined or without their dot. */
export function plainLetters(text: string): string {
  return text.replace(/[ßæœøłđðþıħẞÆŒØŁĐÐÞĦ]/g, (letter) => letters[letter] ?? letter)
}

const marks = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f]+/g

/**
 * A text as it is compared with words of many languages: small letters without the marks of Latin, Greek, Cyrillic, Hebrew and Arabic, which
 * capitals and haste leave out; letters are plain, and apostrophes straight. What else is written with marks keeps them.
 */
export function folded(text: string): string {
  const small = text.toLowerCase()
  if (/^[\x00-\x7f]*$/.test(small)) return small
  return plainLetters(small.normalize('NFD').replace(marks, '').normalize('NFC')).replaceAll('ς', 'σ').replace(/[’‘ʼ]/g, "'")
}

/** A pattern that is written with its marks, for texts without: its letters are folded, classes and escapes stay. */
export function foldedPattern(pattern: string): string {
  return pattern.replace(/[^\\]+|\\p\{[\w=]+\}|\\./gu, (part) => (part.startsWith('\\') ? part : folded(part)))
}
