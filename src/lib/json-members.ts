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

/** The position of the next byte that is no white space. */
function afterBlanks(bytes: Uint8Array, at: number): number {
  let i = at
  while (i < bytes.length && (bytes[i] ?? 0) <= 0x20) i++
  return i
}

/** An object or array that is being read: its names so far, none of an array, and the member that is read. */
interface Reading {
  readonly names: Set<string> | null
  at: string | number
}

/** The path of the first member whose name its object has before, in valid JSON however it is written; null where there is none. */
export function repeatedMember(bytes: Uint8Array): readonly (string | number)[] | null {
  const around: Reading[] = []
  let i = 0
  while (i < bytes.length) {
    const byte = bytes[i] ?? 0
    const inner = around.at(-1)
    const end = byte === quote ? afterString(bytes, i) : i + 1
    if ((byte & 0xdf) === 0x5b) around.push(byte === 0x7b ? { names: new Set(), at: '' } : { names: null, at: 0 })
    else if ((byte & 0xdf) === 0x5d) around.pop()
    else if (byte === comma && typeof inner?.at === 'number') inner.at++
    else if (byte === quote && inner?.names && bytes[afterBlanks(bytes, end)] === colon) {
      inner.at = String(JSON.parse(Buffer.from(bytes.subarray(i, end)).toString()))
      if (inner.names.has(inner.at)) return around.map(({ at }) => at)
      inner.names.add(inner.at)
    }
    i = end
  }
  return null
}
