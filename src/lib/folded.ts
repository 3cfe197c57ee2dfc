const marks = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f]+/g

/**
 * A text as it is compared with words of many languages: small letters without the marks of Latin, Greek, Cyrillic, Hebrew and Arabic, which
 * capitals and haste leave out; i without a dot is i, and apostrophes are straight. What else is written with marks keeps them.
 */
export function folded(text: string): string {
  const small = text.toLowerCase()
  if (/^[\x00-\x7f]*$/.test(small)) return small
  return small.normalize('NFD').replace(marks, '').normalize('NFC').replaceAll('ı', 'i').replaceAll('ς', 'σ').replace(/[’‘ʼ]/g, "'")
}

/** A pattern that is written with its marks, for texts without: its letters are folded, classes and escapes stay. */
export function foldedPattern(pattern: string): string {
  return pattern.replace(/[^\\]+|\\p\{[\w=]+\}|\\./gu, (part) => (part.startsWith('\\') ? part : folded(part)))
}
