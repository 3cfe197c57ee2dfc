const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]

/** The position after the string that begins at `at`. */
function afterString(bytes: Uint8Array, at: number): number {
  let i = at + 1
  while (i < bytes.length && bytes[i] !== quote) i += bytes[i] === backslash ? 2 : 1
  return i + 1
}

/** The position of the comma or bracket that ends the value which begins at `at`. */
function afterValue(bytes: Uint8Array, at: number): number {
  let depth = 0
  let i = at
  while (i < bytes.length) {
    const byte = bytes[i] ?? 0
    // `{` and `[`, and `}` and `]`, differ in one bit.
    if (depth === 0 && (byte === comma || (byte & 0xdf) === 0x5d)) return i
    if ((byte & 0xdf) === 0x5b) depth += 1
    else if ((byte & 0xdf) === 0x5d) depth -= 1
    i = byte === quote ? afterString(bytes, i) : i + 1
  }
  return i
}

/** The members of an object as `JSON.stringify` writes it, each value as it is written: in one pass, and only names are parsed. */
export function jsonMembers(bytes: Uint8Array): Map<string, Uint8Array> {
  const members = new Map<string, Uint8Array>()
  let at = 1
  while (bytes[at] === quote) {
    const end = afterString(bytes, at)
    const from = bytes[end] === colon ? end + 1 : bytes.length
    const to = afterValue(bytes, from)
    members.set(String(JSON.parse(Buffer.from(bytes.subarray(at, end)).toString())), bytes.subarray(from, to))
    at = to + 1
  }
  return members
}
