/** A part of a text: words, or a formula between the delimiters that MathJax and KaTeX look for. */
export interface TextPart {
  readonly tex: boolean
  /** Whether it is a formula in AsciiMath, which is no TeX (Asciidoctor). */
  readonly ascii?: true
  readonly display: boolean
  readonly text: string
}

const delimiters: readonly { readonly open: string; readonly close: string; readonly display: boolean; readonly most: number }[] = [
  { open: '\\$', close: '\\$', display: false, most: 500 },
  { open: '$$', close: '$$', display: true, most: 5000 },
  { open: '\\[', close: '\\]', display: true, most: 5000 },
  { open: '\\(', close: '\\)', display: false, most: 2000 },
  { open: '$', close: '$', display: false, most: 500 },
]

/** Whether a text may contain TeX formulas. */
export function mayHoldTex(text: string): boolean {
  return text.includes('$') || text.includes('\\(') || text.includes('\\[')
}

/** Splits a text into words and formulas; what may be an amount of money counts as words. Linear. */
export function splitTex(text: string): readonly TextPart[] {
  const parts: TextPart[] = []
  const closers = new Map<string, number>()
  let from = 0
  for (let i = nextSign(text, 0); i >= 0; i = nextSign(text, i)) {
    const found = formulaAt(text, i, closers)
    if (!found) {
      i += text.charAt(i + 1) === '$' ? 2 : 1
      continue
    }
    if (i > from) parts.push({ tex: false, display: false, text: text.slice(from, i) })
    parts.push(found.part)
    from = i = found.end
  }
  if (from < text.length) parts.push({ tex: false, display: false, text: text.slice(from) })
  return parts
}

function nextSign(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x24 || (code === 0x5c && (text.charAt(i + 1) === '(' || text.charAt(i + 1) === '[' || text.charAt(i + 1) === '$'))) return i
  }
  return -1
}

function formulaAt(text: string, at: number, closers: Map<string, number>): { part: TextPart; end: number } | null {
  const signs = delimiters.find((d) => text.startsWith(d.open, at))
  if (!signs) return null
  const start = at + signs.open.length
  let close = closers.get(signs.close) ?? 0
  if (close >= 0 && close < start) close = text.indexOf(signs.close, start)
  closers.set(signs.close, close)
  if (close <= start || close - start > signs.most) return null
  const inner = text.slice(start, close)
  if (signs.open.startsWith('\\') && namesSigns.test(inner)) return null
  if (signs.open === '$' && !isTex(inner, text.charAt(close + 1))) return null
  if (signs.open === '\\$') return isAsciiMath(inner, text.charAt(close + 2)) ? { part: { tex: false, ascii: true, display: false, text: inner }, end: close + 2 } : null
  return { part: { tex: true, display: signs.display, text: inner }, end: close + signs.close.length }
}

/** What a text that tells of the delimiters themselves has between them: no formula begins with such a sign, or is such a word; a single letter may be one. */
const namesSigns = /^\s*(?:[,;)’'”"`]|\.(?!\d))|^\s+(?:and|or|to|und|oder|bis|et|ou)\s*[“"'‘`]?$|^\s+[yoe]\s*[“"'‘`]$/

/** Whether the text between two escaped dollar signs is a formula: of two amounts of money, a space is before the second. */
const isAsciiMath = (inner: string, after: string): boolean => !/^\s|\s$|\n\s*\n/.test(inner) && !/\d/.test(after)

/**
 * Whether the text between single dollar signs is a formula: no space at its edges, some sign of TeX, and no digit after
 * it.
 */
function isTex(inner: string, after: string): boolean {
  return !/^\s|\s$/.test(inner) && /[\\^_]/.test(inner) && !/\d/.test(after)
}
