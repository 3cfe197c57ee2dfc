/**
 * The letters of TeX's encodings below the space: ligatures, quotation marks and dashes. Where its two encodings differ,
 * these are the letters that texts have.
 */
const low: Readonly<Record<number, string>> = { 11: 'ff', 12: 'fi', 13: 'fl', 14: 'ffi', 15: 'ffl', 16: '“', 17: '”', 18: '„', 19: '«', 20: '»', 21: '–', 22: '—', 25: 'ı', 27: 'ff', 28: 'fi', 29: 'fl', 30: 'ffi', 31: 'ffl' }
/** The letters of TeX's Cork encoding from code 128 on, and those above that differ from Latin-1. */
const high = [...'ĂĄĆČĎĚĘĞĹĽŁŃŇŊŐŔŘŚŠŞŤŢŰŮŸŹŽŻĲİđ§ăąćčďěęğĺľłńňŋőŕřśšşťţűůÿźžżĳ¡¿£']
const higher: Readonly<Record<number, string>> = { 0xd7: 'Œ', 0xdf: 'ẞ', 0xf7: 'œ', 0xff: 'ß' }
/** Codes of bullets in its fonts of symbols, where they stand alone. */
const bullet = /^[\x0f\x88](?=\s|$)/

const control = /[\x0b-\x1f]/g
/** The largest share of control characters in text: where letters are numbered in order of their use, these are no ligatures. */
const mostControls = 0.08

/** Whether control characters in these texts are letters of TeX's encodings. */
export function haveLigatures(texts: readonly string[]): boolean {
  const all = texts.join('')
  const controls = all.match(control)?.length ?? 0
  return controls > 0 && controls < all.length * mostControls
}

/** Replaces control characters in drawn text by the letters that they are in fonts of TeX. */
export const withLigatures = (text: string): string => text.replace(control, (one) => low[one.charCodeAt(0)] ?? '')

/**
 * Replaces codes by the letters that they are in bitmap fonts of TeX, which name letters by their codes only; from the space
 * to "~", these are those of ASCII.
 */
export const withNumberedLetters = (text: string): string => withCorkLetters(text.replace(bullet, '•'))

/** The same within a font of text, where no code is a bullet. */
export function withCorkLetters(text: string): string {
  return withLigatures(text).replace(/[\x80-\xff]/g, (letter) => high[letter.charCodeAt(0) - 128] ?? higher[letter.charCodeAt(0)] ?? letter)
}

/** The least share of ornaments on a page whose letters have names such as "a67": the native library takes them for ornaments. */
const leastOrnaments = 0.5

/** Whether the letters of a page were taken for ornaments. */
export function areOrnaments(text: string): boolean {
  const bare = text.replace(/\s+/g, '')
  return (bare.match(/[\u2701-\u27be\u25a0-\u26ff]/g)?.length ?? 0) > bare.length * leastOrnaments
}
