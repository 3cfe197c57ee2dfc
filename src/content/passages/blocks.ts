/** A block of a markdown text: verbatim, with its position. */
export interface Block {
  readonly kind: 'heading' | 'code' | 'table' | 'list' | 'image' | 'rule' | 'text'
  readonly start: number
  readonly end: number
  readonly text: string
}

const maxBlocks = 50_000

function kindOf(text: string): Block['kind'] {
  if (/^\s*(?:```|~~~)/.test(text)) return 'code'
  if (/^#{1,6}\s/.test(text)) return 'heading'
  if (/^\|.*\|/.test(text) && /\n\|[\s:|-]+\|/.test(text)) return 'table'
  if (/^\s*(?:[-*+]|\d+[.)])\s/.test(text)) return 'list'
  if (/^!\[[^\]]*\]\([^)]*\)$/.test(text.trim()) || /^\[!\[[^\]]*\]\([^)]*\)\s*\]\([^)]*\)$/.test(text.trim())) return 'image'
  if (/^(?:-{3,}|\*{3,}|_{3,})$/.test(text.trim())) return 'rule'
  return 'text'
}

/** The blocks of a markdown text, separated by blank lines outside of code. */
export function blocksOf(markdown: string): readonly Block[] {
  const blocks: Block[] = []
  let start = -1
  let fence: string | null = null
  const close = (end: number): void => {
    if (start < 0) return
    const text = markdown.slice(start, end).trimEnd()
    if (text !== '') blocks.push({ kind: kindOf(text), start, end: start + text.length, text })
    start = -1
  }
  for (let at = 0; at < markdown.length && blocks.length < maxBlocks; ) {
    const newline = markdown.indexOf('\n', at)
    const end = newline < 0 ? markdown.length : newline
    const line = markdown.slice(at, end)
    const mark = /^\s{0,3}(```+|~~~+)/.exec(line)?.[1]
    if (fence === null && line.trim() === '') close(at)
    else if (start < 0) start = at
    if (mark !== undefined) fence = fence === null ? mark : line.trim().startsWith(fence) && line.trim() === mark ? null : fence
    at = end + 1
  }
  close(markdown.length)
  return blocks
}

/** A link or an image in a markdown text. */
export interface Linked {
  readonly start: number
  readonly end: number
  readonly label: string
}

/**
 * The links of a markdown text, or its images. In one pass: from each bracket that is never closed, a pattern would search
 * to the end of the text.
 */
export function linked(markdown: string, mark: '[' | '![' = '['): readonly Linked[] {
  const found: Linked[] = []
  const target = /[)\s]/g
  const title = /\s"[^"]*"\)/y
  let open = -1
  let close = -1
  for (const { 0: sign, index } of markdown.matchAll(mark === '[' ? /\[|\]\(?/g : /!\[|\]\(?/g)) {
    // Brackets inside the address of the previous link.
    if (index < (found.at(-1)?.end ?? 0)) continue
    if (sign === mark) open = index
    if (sign === mark || open < 0) continue
    const start = open
    open = -1
    if (sign === ']') continue
    const from = index + sign.length
    if (close < from) {
      target.lastIndex = from
      close = target.exec(markdown)?.index ?? markdown.length
    }
    title.lastIndex = close
    const end = markdown[close] === ')' ? close + 1 : title.test(markdown) ? title.lastIndex : -1
    if (end >= 0) found.push({ start, end, label: markdown.slice(start + mark.length, index) })
  }
  return found
}

/** A text with each link, or each image, replaced by what `shown` makes of its label. */
function written(markdown: string, mark: '[' | '![', shown: (label: string) => string): string {
  if (!markdown.includes(mark)) return markdown
  let text = ''
  let at = 0
  for (const { start, end, label } of linked(markdown, mark)) {
    text += markdown.slice(at, start) + shown(label)
    at = end
  }
  return text + markdown.slice(at)
}

/** A text with images replaced by their descriptions, and links by what `shown` makes of their labels. */
export function withLinksAs(markdown: string, shown: (label: string) => string): string {
  return written(written(markdown, '![', (label) => label), '[', shown)
}

/** A text as a reader sees it, without markdown syntax and link addresses. */
export function readable(markdown: string): string {
  return withLinksAs(markdown, (label) => label)
    // With the name of the language that a fence of code carries.
    .replace(/^[^\S\n]*(?:`{3,}|~{3,})[^\n`]*$/gm, '')
    .replace(/^#{1,6}\s+|^>\s?|^[^\S\n]*(?:[-*+]|\d+[.)])\s+/gm, '')
    .replace(/[*_`|\\]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
