const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a

/**
 * The nesting depth of a JSON text, an upper bound for its number of members and elements, and the number of members, in
 * one pass without parsing it (R16).
 */
export function jsonShape(bytes: Uint8Array): { readonly depth: number; readonly values: number; readonly members: number } {
  let depth = 0
  let deepest = 0
  let commas = 0
  let colons = 0
  let inString = false
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0
    if (inString) {
      if (byte === backslash) i += 1
      else if (byte === quote) inString = false
    } else if (byte === quote) inString = true
    else if (byte === comma) commas += 1
    else if (byte === colon) colons += 1
    // `{` and `[`, and `}` and `]`, differ in one bit.
    else if ((byte & 0xdf) === 0x5b) deepest = Math.max(deepest, ++depth)
    else if ((byte & 0xdf) === 0x5d) depth -= 1
  }
  return { depth: deepest, values: commas + 1, members: colons }
}
