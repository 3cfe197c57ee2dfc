const glyphFont = '/CIDFontType2'

/**
 * The file as the native library must see it; the same bytes when it needs no change. Browsers and word processors use the
 * glyph numbers of the original font as codes. Where the table of widths ends before the last letter, because that has the
 * default width, the library believes that some strings of them are numbers of the embedded glyphs: "01.05.2024" becomes
 * "FGCFQCJFJP", or another number. It does so in TrueType fonts only. As fonts of the other type, they are read by the table
 * that says which letters the codes are (`ToUnicode`), as in viewers.
 */
export function withGlyphCodes(bytes: Buffer): Buffer {
  let at = bytes.indexOf(glyphFont)
  if (at < 0) return bytes
  const made = Buffer.from(bytes)
  for (; at >= 0; at = bytes.indexOf(glyphFont, at + glyphFont.length)) made[at + glyphFont.length - 1] = '0'.charCodeAt(0)
  return made
}
