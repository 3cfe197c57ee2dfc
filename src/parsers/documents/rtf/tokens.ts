/** A token of an RTF file. */
export type Token =
  | { readonly kind: 'open' }
  | { readonly kind: 'close' }
  /** Programs that do not know the next word are to skip its group. */
  | { readonly kind: 'star' }
  | { readonly kind: 'word'; readonly word: string; readonly value: number | undefined }
  /** Bytes of text, one per character. */
  | { readonly kind: 'text'; readonly bytes: string }
  /** A byte written in hexadecimal. */
  | { readonly kind: 'byte'; readonly bytes: string }
  | { readonly kind: 'sign'; readonly text: string }
  /** Data as they are, one character per byte. */
  | { readonly kind: 'binary'; readonly bytes: string }

const signs: Readonly<Record<string, string>> = { '~': '\u00a0', _: '-', '-': '', '\\': '\\', '{': '{', '}': '}', ':': '', '|': '' }
const word = /([a-zA-Z]{1,32})(-?\d{1,10})? ?/y
const text = /[^\\{}\r\n]+/y

/** Splits an RTF file, given as one character per byte, into tokens. Linear. */
export function* tokens(source: string): Generator<Token, void> {
  for (let i = 0; i < source.length; ) {
    const sign = source.charAt(i)
    if (sign === '{' || sign === '}') {
      yield sign === '{' ? { kind: 'open' } : { kind: 'close' }
      i++
    } else if (sign === '\r' || sign === '\n') i++
    else if (sign === '\\') {
      const { token, next } = control(source, i + 1)
      if (token !== null) yield token
      i = next
    } else {
      text.lastIndex = i
      const found = text.exec(source)?.[0] ?? sign
      yield { kind: 'text', bytes: found }
      i += found.length
    }
  }
}

function control(source: string, at: number): { token: Token | null; next: number } {
  word.lastIndex = at
  const match = word.exec(source)
  if (match !== null) {
    const value = match[2] === undefined ? undefined : Number(match[2])
    const next = at + match[0].length
    if (match[1] === 'bin') {
      const end = next + Math.max(0, value ?? 0)
      return { token: { kind: 'binary', bytes: source.slice(next, end) }, next: end }
    }
    return { token: { kind: 'word', word: match[1] ?? '', value }, next }
  }
  const sign = source.charAt(at)
  if (sign === "'") {
    const byte = Number.parseInt(source.slice(at + 1, at + 3), 16)
    return { token: Number.isNaN(byte) ? null : { kind: 'byte', bytes: String.fromCharCode(byte) }, next: at + 3 }
  }
  if (sign === '*') return { token: { kind: 'star' }, next: at + 1 }
  if (sign === '\n' || sign === '\r') return { token: { kind: 'word', word: 'par', value: undefined }, next: at + 1 }
  return { token: { kind: 'sign', text: signs[sign] ?? '' }, next: at + 1 }
}
